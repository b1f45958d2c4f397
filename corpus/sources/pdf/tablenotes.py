"""What stands below a table and explains it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.model import Line, Rect
from corpus.sources.pdf.titles import is_known_title

_EXPLAINED = re.compile(r"[^\s=]{1,14}\s?=(?:\s?[^\W\d_]{3}|$)")
# In sizes of its type: so far below a table the first line of its key may stand, and one that
# explains so many short forms that it can be nothing else.
_KEY_REACH: Final = 3.2
_LIST_REACH: Final = 6.0
_LIST: Final = 3


def close_notes(notes: list[Line], low: float) -> list[Line]:
    """Notes stand directly below, line after line; a line of hatching may stand before them."""
    kept: list[Line] = []
    edge = low
    for line in sorted(notes, key=lambda item: item.base):
        size = next((other.size for other in kept if is_said(other)), line.size)
        larger = line.size > 1.12 * size
        if line.rect.y0 - edge > 1.6 * line.size or larger or is_known_title(line.text):
            break
        kept.append(line)
        edge = max(edge, line.rect.y1)
    return kept


def key_below(rect: Rect, notes: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """Short forms explained right below a table ("CC = clotrimazole"), though set like text."""
    low = max([rect.y1, *(note.base for note in notes)])
    key: list[Line] = []
    for line in sorted(lines, key=lambda item: item.base):
        inside = rect.x0 - 4 <= line.centre[0] <= rect.x1 + 4 + line.size
        if line.base <= low + 1 or not inside:
            continue
        explained = len(_EXPLAINED.findall(line.text))
        reach = 1.5 if key else _LIST_REACH if explained >= _LIST else _KEY_REACH
        if line.base - low > reach * line.size or explained < (1 if key else 2):
            break
        key.append(line)
        low = line.base
    return key


def is_said(line: Line) -> bool:
    """Whether a line says anything, and is no row of signs."""
    return any(map(str.isalnum, line.text))
