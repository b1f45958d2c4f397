"""Panels of a figure: where their letters stand, and what the caption says of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from corpus.sources.pdf.model import Line, Rect, Word

_LETTER = re.compile(r"\(?([A-La-l])[).]?")
_MARKER = re.compile(r"\(\s*([A-La-l])(?:\s*(?:[-\u2013,&]|and)\s*([A-La-l]))*\s*\)")
_STOP = re.compile(r"(?<=[a-z)\]])\.\s+(?=[A-Z(])")
_NEAR_CORNER: Final = 0.25  # of the figure: the first letter stands so near its upper left corner
_ONE_ROW: Final = 0.06  # of the figure's height: letters of one row differ by less
MIN_SIDE: Final = 36.0  # points
_MARGIN: Final = 5.0  # points: panels end at least so far before the next letter
_MOST_INSET: Final = 0.12  # of a panel's side: a letter further in stands beside an axis


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: its letter as printed, its box, and the characters [start, end) of the caption that
    tell of it.
    """

    letter: str
    rect: Rect
    start: int
    end: int


def find_panels(rect: Rect, labels: Sequence[Line], caption: str, start: int) -> list[Panel]:
    """The panels of a figure whose letters are text at the upper left corner of each, or, where
    panels stand one below the other, at the top of each.

    Args:
        rect: the figure's box.
        labels: the lines that stand in it.
        caption: the whole caption; what follows its label begins at `start`.
    Returns: none when letters or caption tell of fewer than two, or disagree.
    """
    parts = caption_parts(caption, start)
    if len(parts) < 2:
        return []
    one_more = chr(ord(max(parts)) + 1)  # a letter that the caption does not know
    letters = panel_letters(rect, labels, {*parts, one_more})
    if set(letters) != set(parts):
        return []
    boxes = panel_boxes(rect, letters)
    if any(min(box.width, box.height) < MIN_SIDE for box in boxes.values()):
        return []
    return [Panel(letter, boxes[letter], *parts[letter]) for letter in sorted(boxes)]


def caption_parts(caption: str, start: int) -> dict[str, tuple[int, int]]:
    """For each panel letter of a caption the characters that tell of it, {} without a sequence.

    "(A) Growth. (B) Death." tells after each letter; "growth (a) and death (b)" tells before, and
    there the whole sentence is given.
    """
    found = list(_MARKER.finditer(caption, start))
    marks = [(match, letter) for match in found for letter in _named(match)]
    letters = [letter for _, letter in marks]
    order = list(dict.fromkeys(letters))
    first = "A" if letters and letters[0].isupper() else "a"
    if len(order) < 2 or order != [chr(ord(first) + n) for n in range(len(order))]:
        return {}
    opens = _opens_part(caption, start, found)
    parts: dict[str, tuple[int, int]] = {}
    ends = [match.start() for match in found[1:]] + [len(caption)]
    for match, end in zip(found, ends, strict=True):
        for letter in _named(match):
            if letter in parts:
                continue
            if opens:
                parts[letter] = (match.start(), len(caption[:end].rstrip(" ,;")))
            else:
                parts[letter] = _sentence(caption, start, match.start())
    return parts


def _sentence(caption: str, start: int, at: int) -> tuple[int, int]:
    """The sentence of a caption that holds the character `at`."""
    before = [found.end() for found in _STOP.finditer(caption, start, at)]
    after = _STOP.search(caption, at)
    return max(before, default=start), after.start() + 1 if after else len(caption)


def _named(match: re.Match[str]) -> list[str]:
    """The letters of a marker: (A), (A, B), (A-C)."""
    letters = re.findall(r"[A-La-l](?![a-z])", match.group())
    if len(letters) == 2 and re.search(r"[-\u2013]", match.group()):
        return [chr(code) for code in range(ord(letters[0]), ord(letters[1]) + 1)]
    return letters


def _opens_part(caption: str, start: int, found: Sequence[re.Match[str]]) -> bool:
    """Whether markers stand before what they name: most open a sentence or a clause."""
    opening = sum(
        not caption[start : match.start()].strip()
        or caption[: match.start()].rstrip()[-1:] in ".;:,"
        for match in found
    )
    return 2 * opening > len(found)


def panel_letters(rect: Rect, labels: Sequence[Line], wanted: set[str]) -> dict[str, Rect]:
    """Where the wanted letters stand alone in a figure, {} unless each stands at one place.

    Of several places of a letter the one in the largest type counts.
    """
    places: dict[str, list[Word]] = {}
    for line in labels:
        for before, word, after in _with_neighbours(line.words):
            match = _LETTER.fullmatch(word.text)
            if match is None or match[1] not in wanted:
                continue
            gap = 1.2 * word.size
            alone = (before is None or word.rect.x0 - before.rect.x1 > gap) and (
                after is None or after.rect.x0 - word.rect.x1 > gap
            )
            if alone:
                places.setdefault(match[1], []).append(word)
    chosen: dict[str, Rect] = {}
    for letter, words in places.items():
        largest = max(round(word.size, 1) for word in words)
        best = [word for word in words if round(word.size, 1) == largest]
        if len(best) != 1:
            return {}
        chosen[letter] = best[0].rect
    first = chosen.get(min(wanted, default=""))
    if first is None or first.y0 - rect.y0 > _NEAR_CORNER * rect.height:
        return {}
    lefts = [place.x0 for place in chosen.values()]
    stacked = max(lefts) - min(lefts) <= _ONE_ROW * rect.width
    return chosen if stacked or first.x0 - rect.x0 <= _NEAR_CORNER * rect.width else {}


def _with_neighbours(words: Sequence[Word]) -> list[tuple[Word | None, Word, Word | None]]:
    around = [None, *words, None]
    return [
        (before, word, after)
        for (before, word), (_, after) in zip(pairwise(around), pairwise(around[1:]), strict=False)
        if word is not None
    ]


def panel_boxes(rect: Rect, letters: dict[str, Rect]) -> dict[str, Rect]:
    """The figure cut at its letters: rows reach from letters down to the next, columns likewise.

    A panel begins as far before its letter as the figure does before its first ones.
    """
    rows = panel_rows(rect, letters)
    left = min(place.x0 for place in letters.values()) - rect.x0
    above = min(place.y0 for place in letters.values()) - rect.y0
    across = _inset(left, rect.width / max(map(len, rows)))
    down = _inset(above, rect.height / len(rows))
    tops = [rect.y0, *(min(letters[one].y0 for one in row) - down for row in rows[1:]), rect.y1]
    boxes: dict[str, Rect] = {}
    for row, (top, low) in zip(rows, pairwise(tops), strict=True):
        edges = [rect.x0, *(letters[one].x0 - across for one in row[1:]), rect.x1]
        for letter, (start, end) in zip(row, pairwise(edges), strict=True):
            boxes[letter] = Rect(start, top, end, low)
    return boxes


def _inset(first: float, side: float) -> float:
    """How far before its letter a panel of such a side begins."""
    return max(_MARGIN, min(first, _MOST_INSET * side))


def panel_rows(rect: Rect, letters: dict[str, Rect]) -> list[list[str]]:
    """Letters row by row from the top, each row from the left."""
    rows: list[list[str]] = []
    for letter in sorted(letters, key=lambda one: letters[one].y0):
        last = letters[rows[-1][0]].y0 if rows else 0.0
        if rows and letters[letter].y0 - last <= _ONE_ROW * rect.height:
            rows[-1].append(letter)
        else:
            rows.append([letter])
    return [sorted(row, key=lambda one: letters[one].x0) for row in rows]
