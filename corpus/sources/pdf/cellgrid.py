"""The grid that a table is read into, and the text of its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.pdf.joining import is_one_word, is_torn_word
from corpus.sources.pdf.model import Rect

Span = tuple[int, int, int, int]
_TIED = re.compile(r"\w[-\u2010-\u2014/]$")  # "2010–" and "2011", "Northern-" and "Western"
_POWER = re.compile(r"(?<=\d)\^(\d{1,2})\b")
_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(slots=True, eq=False)
class Cells:
    """A grid of cells: texts, their boxes, spans (row, column, rows, columns), header rows."""

    texts: list[list[str]] = field(default_factory=list)
    boxes: list[list[Rect | None]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    header_rows: int = 0


def blank_row(columns: int) -> tuple[list[str], list[Rect | None]]:
    return [""] * columns, [None] * columns


def raised_marks(text: str) -> str:
    """Note marks after numbers as raised digits: 57^9 would read as a power."""
    return _POWER.sub(lambda found: found[1].translate(_SUPERSCRIPT), text)


def join_lines(texts: Sequence[str], words: Counter[str]) -> str:
    """Lines of one cell as one text; a word parted at the line's end is joined.

    `words` are those of the document, which tell such a word from one that has a hyphen.
    """
    joined = ""
    for text in texts:
        if joined and text[:1].islower() and is_one_word(joined, text, words):
            joined = joined[:-1] + text
        elif is_torn_word(joined, text, words) or (_TIED.search(joined) and text[:1].isalnum()):
            joined += text
        else:
            joined = f"{joined} {text}" if joined else text
    return joined
