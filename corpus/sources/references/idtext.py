"""Ids of papers in running text: links, 'PMID: 123', notes of Zotero, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypedDict

from corpus.sources import ids

_DOI: Final = re.compile(r"(?<![\w.])10\.\d{4,9}/[^\s\"'<>|{}\\^`]+", re.IGNORECASE)
_PMID: Final = re.compile(
    r"(?:\bpmid\s*[:=#]?\s*|\bpubmed\s*(?:id)?\s*[:=]\s*|pubmed\.ncbi\.nlm\.nih\.gov/|"
    r"ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,9})(?!\d)",
    re.IGNORECASE,
)
_PMCID: Final = re.compile(r"(?<![a-z0-9])pmc\s?(\d{1,9})(?:\.\d+)?(?!\d)", re.IGNORECASE)
_ID_LINE: Final = re.compile(
    r"\s*(?:(?:pmid|pmcid|doi|pubmed id|_eprint)\s*[:=]\s*\S+[\s;,.]*)+", re.IGNORECASE
)
_PAIRS: Final = {")": "(", "]": "["}


class Known(TypedDict):
    """The ids of one paper, normalised; '' for what is not told."""

    doi: str
    pmid: str
    pmcid: str


def dois(text: str) -> Iterator[str]:
    """The DOIs of a text, without the signs of the sentence around them."""
    for found in _DOI.finditer(text):
        yield trimmed(found.group())


def trimmed(doi: str) -> str:
    """A DOI without closing signs that it does not open itself."""
    while doi:
        last = doi[-1]
        if last in ".,;:" or (last in _PAIRS and doi.count(last) > doi.count(_PAIRS[last])):
            doi = doi[:-1]
        else:
            break
    return ids.doi(doi)


def pmids(text: str) -> Iterator[str]:
    """The PubMed ids that a text calls so."""
    return (found for match in _PMID.finditer(text) if (found := ids.pmid(match.group(1))))


def pmcids(text: str) -> Iterator[str]:
    """The PubMed Central ids of a text."""
    return (ids.pmcid(match.group(1)) for match in _PMCID.finditer(text))


def without_ids(note: str) -> str:
    """A note without its lines of ids alone, which reference managers keep there."""
    return "\n".join(line for line in note.split("\n") if not _ID_LINE.fullmatch(line))


def known(
    *, doi: str = "", pmid: str = "", pmcid: str = "", links: str = "", notes: str = ""
) -> Known:
    """The ids of an entry: its own fields first, then its links, then its notes."""

    def first(*found: str) -> str:
        return next(filter(None, found), "")

    return {
        "doi": first(
            trimmed(doi.strip()), *dois(links), *(dois(notes) if "doi" in notes.lower() else ())
        ),
        "pmid": first(ids.pmid(pmid), *pmids(links), *pmids(notes)),
        "pmcid": first(ids.pmcid(pmcid), *pmcids(links), *pmcids(notes)),
    }
