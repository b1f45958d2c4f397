"""DOIs of preprints: which they are, and that their versions are one."""

from __future__ import annotations

import re
from typing import Final

# DOI prefixes whose registrants publish preprints only.
_PREPRINT_PREFIXES: Final = (
    "10.1101/",
    "10.64898/",
    "10.21203/rs.",
    "10.48550/arxiv.",
    "10.26434/chemrxiv",
    "10.20944/preprints",
    "10.31219/osf.io",
    "10.31234/osf.io",
    "10.31222/osf.io",
    "10.22541/au.",
    "10.36227/techrxiv",
    "10.2139/ssrn",
    "10.1590/scielopreprints",
    "10.12688/openreseurope",
)
# Cold Spring Harbor gives journals the prefix of its preprint servers too: those name the journal.
_JOURNALS_OF_10_1101: Final = re.compile(r"10\.1101/(?:gad|gr|pdb|cshperspect|sqb|lm|mcs|087969)")
_VERSION: Final = re.compile(r"(?:/v\d+|v\d+|\.v\d+)$")


def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI is a preprint server's."""
    return doi.startswith(_PREPRINT_PREFIXES) and not _JOURNALS_OF_10_1101.match(doi)


def unversioned(doi: str) -> str:
    """A preprint's DOI without its version; another DOI as it is."""
    return _VERSION.sub("", doi) if is_preprint_doi(doi) else doi
