"""A paper's file and the entry of a reference list that has it attached: what the one tells the
other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from corpus.sources.cleaning import one_line
from corpus.sources.references.normalizer import normalize
from corpus.sources.references.shape import Reference
from corpus.types import Block, Identifiers, NormalizedDocument

NAMES: Final = ("doi", "pmid", "pmcid")


@dataclass(frozen=True, slots=True)
class Named:
    """An entry that names a file, and the list that it stands in."""

    reference: Reference
    list_name: str

    @property
    def words(self) -> str:
        """The entry as a curator finds it."""
        key = one_line(self.reference.key)
        return f"the entry {key} of {self.list_name}" if key else f"an entry of {self.list_name}"


def told(named: Sequence[Named]) -> dict[str, object]:
    """What of the entries is written down on the paper; equal only for the same entries."""
    first = named[0]
    digest = hashlib.sha256("\n".join(repr(one.reference) for one in named).encode())
    return {
        "list": first.list_name,
        "key": one_line(first.reference.key),
        "entry": normalize(first.reference).external_id,
        "sha256": digest.hexdigest()[:16],
    }


def joined(paper: NormalizedDocument, named: Sequence[Named]) -> NormalizedDocument:
    """The paper with what its entry knows and it does not: ids, title, authors, journal, year, tags
    and the reader's notes; the paper itself when no entry names it.

    Nothing is taken over, and a note says why, where entries of different papers name the file, or
    where the entry's DOI, PMID or PMCID differs from one that the paper itself prints.
    """
    if not named:
        return paper
    entries = [normalize(one.reference) for one in named]
    told_paper = replace(paper, metadata={**paper.metadata, "named_by": told(named)})
    if why := _doubt(paper, named, entries):
        return replace(told_paper, note=_with(paper.note, why))
    return _filled(told_paper, named[0], entries[0])


def _doubt(
    paper: NormalizedDocument, named: Sequence[Named], entries: Sequence[NormalizedDocument]
) -> str:
    if len({entry.external_id for entry in entries}) > 1:
        return (
            f"A file of this name is named by {' and by '.join(one.words for one in named[:3])}: "
            "give each paper's file a name of its own, and upload them again."
        )
    if why := _contradiction(paper.identifiers, entries[0].identifiers):
        return (
            f"Named by {named[0].words}, which gives the {why}: they are kept apart. Look which is "
            "right."
        )
    return ""


def _filled(
    paper: NormalizedDocument, named: Named, entry: NormalizedDocument
) -> NormalizedDocument:
    # Of an entry without ids, the id that its list gives it is what both records share.
    shared = {} if _has_id(entry) else {"entry": entry.external_id}
    return replace(
        paper,
        title=_title(paper, entry if one_line(named.reference.title) else paper),
        identifiers=_both(paper.identifiers, entry.identifiers),
        authors=paper.authors or entry.authors,
        journal=paper.journal or entry.journal,
        published=paper.published or entry.published,
        language=paper.language or entry.language,
        tags=paper.tags or entry.tags,
        blocks=(*paper.blocks, *_notes(entry)),
        metadata={**paper.metadata, **shared},
        note=_with(paper.note, f"Named by {named.words}."),
    )


def _title(paper: NormalizedDocument, entry: NormalizedDocument) -> str:
    """The paper's own, where it is more than the name of its file."""
    named = one_line(str(paper.metadata.get("filename", "")).rsplit(".", 1)[0])
    return entry.title if paper.title in ("", named) else paper.title


def _has_id(entry: NormalizedDocument) -> bool:
    return any(getattr(entry.identifiers, name) for name in NAMES)


def _contradiction(paper: Identifiers, entry: Identifiers) -> str:
    """Where both have an id of a kind and not the same."""
    for name in NAMES:
        own, given = getattr(paper, name), getattr(entry, name)
        if own and given and own != given:
            return f"{name.upper()} {given}, but the file prints {own}"
    return ""


def _both(paper: Identifiers, entry: Identifiers) -> Identifiers:
    found = {name: getattr(paper, name) or getattr(entry, name) for name in NAMES}
    return Identifiers(**found, openalex=paper.openalex)


def _notes(entry: NormalizedDocument) -> tuple[Block, ...]:
    return tuple(block for block in entry.blocks if block.section == ("Notes",))


def _with(note: str, sentence: str) -> str:
    return f"{note} {sentence}".strip()
