"""Panels of a figure whose letters are no text but part of its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

from corpus.sources.pdf.figures import FigureRegion
from corpus.sources.pdf.images import LETTER_DPI, grey_pixels
from corpus.sources.pdf.lettershapes import SeenLetter, letters_in
from corpus.sources.pdf.model import Rect, union
from corpus.sources.pdf.panels import MIN_SIDE, Panel, caption_parts, panel_boxes, panel_rows

_ONE_SIZE: Final = 0.15  # letters of a figure differ by less of their height
_ASCENT: Final = 1.37  # how much taller small letters with ascenders are than those without
_TALL: Final = frozenset("bdfhikl")
_IN_LINE: Final = 0.5  # of a letter's height: letters of a row or column differ by less
_NEAR: Final = 0.35  # of a panel's side: its letter stands so near one of its corners


def panels_in_picture(page: Any, region: FigureRegion, caption: str, start: int) -> list[Panel]:
    """The panels of an upright figure on a page as shown, by the letters in its picture."""
    if len(caption_parts(caption, start)) < 2:
        return []
    drawn = grey_pixels(page, _frame(region))
    if drawn is None:
        return []
    grey, rect = drawn
    return find_raster_panels(rect, letters_in(grey, LETTER_DPI), LETTER_DPI, caption, start)


def _frame(region: FigureRegion) -> Rect:
    """What the pictures of a figure fill, without the rules of a frame around them; the whole box
    of a figure without pictures.
    """
    sides = [(min(one.rect.width, one.rect.height), one.rect) for one in region.pictures]
    large = [rect for side, rect in sides if side >= MIN_SIDE]
    return union(large) if large else region.rect


def find_raster_panels(
    rect: Rect, seen: Sequence[SeenLetter], dpi: float, caption: str, start: int
) -> list[Panel]:
    """The panels of a figure whose picture holds the letters of its caption at one corner each.

    Args:
        rect: what the picture shows, in points.
        seen: letters of the picture, in its pixels.
        dpi: resolution of the picture.
        caption: the whole caption; what follows its label begins at `start`.
    Returns: none unless every letter is there in one size and in the order of reading, the next
        one is not, and each panel is large enough.
    """
    parts = caption_parts(caption, start)
    if len(parts) < 2:
        return []
    letters = {
        letter: _in_points(one, rect, dpi) for letter, one in _sequence(list(parts), seen).items()
    }
    if not letters or not _in_order(rect, letters):
        return []
    boxes = _cornered(rect, letters)
    if any(min(box.width, box.height) < MIN_SIDE for box in boxes.values()):
        return []
    return [Panel(letter, boxes[letter], *parts[letter]) for letter in sorted(boxes)]


def _sequence(wanted: Sequence[str], seen: Sequence[SeenLetter]) -> dict[str, SeenLetter]:
    """Of letters of one size the surest of each kind, {} when one is missing or one too many."""
    small = wanted[0].islower()
    for first in sorted(seen, key=lambda one: -one.likeness):
        if first.letter != wanted[0].upper():
            continue
        size = _size(first, small)
        alike = [one for one in seen if abs(_size(one, small) - size) <= _ONE_SIZE * size]
        chosen = {
            letter: max(same, key=lambda one: one.likeness)
            for letter in wanted
            if (same := [one for one in alike if one.letter == letter.upper()])
        }
        if len(chosen) == len(wanted):
            return {} if _goes_on(chosen, alike) else chosen
    return {}


def _size(one: SeenLetter, small: bool) -> float:
    return one.height / _ASCENT if small and one.letter.lower() in _TALL else one.height


def _goes_on(chosen: Mapping[str, SeenLetter], alike: Sequence[SeenLetter]) -> bool:
    """Whether the letter after the last of the caption stands in line with the others."""
    after = chr(ord(max(chosen)) + 1).upper()
    return any(
        one.letter == after
        and any(
            min(abs(one.box[0] - other.box[0]), abs(one.box[3] - other.box[3]))
            <= _IN_LINE * other.height
            for other in chosen.values()
        )
        for one in alike
    )


def _in_points(one: SeenLetter, rect: Rect, dpi: float) -> Rect:
    x0, y0, x1, y1 = (value * 72 / dpi for value in one.box)
    return Rect(rect.x0 + x0, rect.y0 + y0, rect.x0 + x1, rect.y0 + y1)


def _in_order(rect: Rect, letters: dict[str, Rect]) -> bool:
    """Whether letters follow each other row by row, or column by column."""
    turned = {letter: Rect(y0, x0, y1, x1) for letter, (x0, y0, x1, y1) in letters.items()}
    sideways = Rect(rect.y0, rect.x0, rect.y1, rect.x1)
    return any(
        (order := list(chain.from_iterable(panel_rows(frame, places)))) == sorted(order)
        for frame, places in ((rect, letters), (sideways, turned))
    )


def _cornered(rect: Rect, letters: dict[str, Rect]) -> dict[str, Rect]:
    """The figure cut at its letters, which stand at that corner of each panel to which they are
    nearest; {} when they stand at none.
    """
    rows = panel_rows(rect, letters)
    height, width = rect.height / len(rows), rect.width / max(map(len, rows))
    above = min(place.y0 for place in letters.values()) - rect.y0
    below = rect.y1 - max(place.y1 for place in letters.values())
    before = min(place.x0 for place in letters.values()) - rect.x0
    behind = rect.x1 - max(place.x1 for place in letters.values())
    if min(above, below) > _NEAR * height or min(before, behind) > _NEAR * width:
        return {}
    across, down = behind < before, below < above
    flipped = {letter: _flipped(place, rect, across, down) for letter, place in letters.items()}
    boxes = panel_boxes(rect, flipped)
    return {letter: _flipped(box, rect, across, down) for letter, box in boxes.items()}


def _flipped(place: Rect, rect: Rect, across: bool, down: bool) -> Rect:
    """A place as a mirror shows it that stands beside or below the figure."""
    x0, y0, x1, y1 = place
    if across:
        x0, x1 = rect.x0 + rect.x1 - x1, rect.x0 + rect.x1 - x0
    if down:
        y0, y1 = rect.y0 + rect.y1 - y1, rect.y0 + rect.y1 - y0
    return Rect(x0, y0, x1, y1)
