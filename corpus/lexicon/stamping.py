"""The entities of a passage, and which of them it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.lexicon.matcher import Lexicon, Match
from corpus.types import TermKind

FIRST_LINES = 240  # characters; then to the end of the sentence or line
_END = re.compile(r"[.!?]\s|\n")


@dataclass(frozen=True, slots=True)
class MentionDraft:
    """Characters [start, end) of a passage name an entity.

    `primary` when the passage is about it: the title, the section path or the first lines name it.
    """

    start: int
    end: int
    text: str
    curie: str
    label: str
    kind: TermKind
    vocabulary: str
    reason: str
    primary: bool


def stamp(
    lexicon: Lexicon, text: str, *, title: str = "", section_path: tuple[str, ...] = ()
) -> list[MentionDraft]:
    """All mentions of a passage in its order."""
    found = lexicon.match(text)
    first = _first_lines(text)
    about = {match.curie for match in found if match.start < first}
    for line in (title, *section_path):
        about |= {match.curie for match in lexicon.match(line)}
    return [_draft(match, primary=match.curie in about) for match in found]


def _first_lines(text: str) -> int:
    if len(text) <= FIRST_LINES:
        return len(text)
    end = _END.search(text, FIRST_LINES)
    return end.end() if end else len(text)


def _draft(match: Match, *, primary: bool) -> MentionDraft:
    return MentionDraft(
        start=match.start,
        end=match.end,
        text=match.text,
        curie=match.curie,
        label=match.label,
        kind=match.kind,
        vocabulary=match.vocabulary,
        reason=match.reason,
        primary=primary,
    )
