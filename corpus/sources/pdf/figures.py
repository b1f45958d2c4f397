"""Where on the page a captioned figure stands, and which words belong to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.pdf.captions import Caption
from corpus.sources.pdf.grid import PageGrid, is_flow
from corpus.sources.pdf.model import Line, PageContent, Picture, Rect, union
from corpus.sources.pdf.typography import Typography

MIN_AREA: Final = 900.0
_FULL_PAGE: Final = 0.85  # a picture over more of the page is its background
_REACH: Final = 28.0  # labels stand so far outside the drawn part of a figure
_LETTER_REACH: Final = 56.0  # the same of a panel's letter: sideways labels stand between
_LETTER: Final = re.compile(r"\([A-La-l]\)")


@dataclass(slots=True, eq=False)
class FigureRegion:
    """The box of a figure, the pictures in it and the lines that are its labels."""

    rect: Rect
    pictures: list[Picture] = field(default_factory=list)
    labels: list[Line] = field(default_factory=list)


def drawn_parts(page: PageContent) -> list[Rect]:
    """Pictures, shapes and rules of a page that may be parts of figures."""
    area = page.width * page.height
    parts = [p.rect for p in page.pictures if p.rect.area < _FULL_PAGE * area]
    parts += [rect for rect in page.shapes if rect.area < _FULL_PAGE * area]
    parts += [Rect(*rule) for rule in page.rules]
    parts += [rect for rect in page.fills if rect.area < 0.5 * area]
    return [part for part in parts if part not in page.ornaments]


def find_figure(
    caption: Caption,
    lines: Sequence[Line],
    page: PageContent,
    grid: PageGrid,
    typography: Typography,
    barriers: Sequence[Rect],
) -> FigureRegion | None:
    """The drawing that a caption names: above it, else below, else beside it.

    `barriers` are other captions, tables and figures: a figure never reaches over one.
    """
    left, right = grid.band(caption.rect)
    parts = drawn_parts(page)
    flows = [line.rect for line in lines if _is_text(line, lines, grid, typography)]
    walls = [*barriers, *flows]
    above = _stack(caption.rect, parts, walls, left, right, upward=True)
    below = _stack(caption.rect, parts, walls, left, right, upward=False)
    found = above or below
    if above and below and _distance(below, caption) + 12 < _distance(above, caption):
        found = below
    if not found:
        found = _beside(caption.rect, parts, walls, grid)
    if not found:
        return None
    rect = union(found)
    if rect.area < MIN_AREA:
        return None
    return _with_labels(rect, caption, lines, page, walls)


def _is_text(line: Line, lines: Sequence[Line], grid: PageGrid, typography: Typography) -> bool:
    """Running text: a full line, or the last short one of a paragraph."""
    if is_flow(line, typography, grid.width):
        return True
    if not typography.is_body(line) or line.letters < 3:
        return False
    return any(
        0 < line.base - other.base <= 1.4 * typography.leading
        and abs(other.rect.x0 - line.rect.x0) <= 20
        and is_flow(other, typography, grid.width)
        for other in lines
    )


def _stack(
    caption: Rect,
    parts: Sequence[Rect],
    walls: Sequence[Rect],
    left: float,
    right: float,
    *,
    upward: bool,
) -> list[Rect]:
    """The parts between a caption and the next wall, seen up or down its column."""
    edge = caption.y0 if upward else caption.y1
    # A frame may hold the caption as well: only what lies on this side of it counts.
    parts = [_this_side(part, caption, upward=upward) for part in parts]

    def overlaps(rect: Rect) -> bool:
        return min(rect.x1, right) - max(rect.x0, left) > 4

    if upward:
        limit = max((w.y1 for w in walls if w.y1 <= edge + 2 and overlaps(w)), default=0.0)
        near = [p for p in parts if p.y1 <= edge + 6 and p.y0 >= limit - 6 and overlaps(p)]
    else:
        limit = min((w.y0 for w in walls if w.y0 >= edge - 2 and overlaps(w)), default=1e9)
        near = [p for p in parts if p.y0 >= edge - 6 and p.y1 <= limit + 6 and overlaps(p)]
    inside = [p for p in near if p.x0 >= left - 14 and p.x1 <= right + 14]
    # A short caption may stand under a figure wider than its own column.
    if any(p.area > MIN_AREA for p in inside) or not any(p.area > MIN_AREA for p in near):
        near = inside
    solid = [p for p in near if p.height > 3 and p.width > 3]
    if not solid and len(near) < 4:
        return []
    return near if union(near).area >= MIN_AREA else []


def _this_side(part: Rect, caption: Rect, *, upward: bool) -> Rect:
    if upward and part.y0 < caption.y0 - 20 and part.y1 > caption.y0:
        return part._replace(y1=caption.y0)
    if not upward and part.y1 > caption.y1 + 20 and part.y0 < caption.y1:
        return part._replace(y0=caption.y1)
    return part


def _distance(parts: Sequence[Rect], caption: Caption) -> float:
    rect = union(parts)
    return max(caption.rect.y0 - rect.y1, rect.y0 - caption.rect.y1, 0.0)


def _beside(
    caption: Rect, parts: Sequence[Rect], walls: Sequence[Rect], grid: PageGrid
) -> list[Rect]:
    """Parts right or left of a narrow caption in the margin."""
    if caption.width > 0.4 * grid.frame.width:
        return []
    level = [
        p
        for p in parts
        if min(p.y1, caption.y1) - max(p.y0, caption.y0) > 2
        and (p.x0 >= caption.x1 - 2 or p.x1 <= caption.x0 + 2)
        and p.area > 100
    ]
    if not level:
        return []
    box = union(level)
    inside = [p for p in parts if box.grown(30).overlap(p) > 0 or box.grown(3).holds(p.x0, p.y0)]
    free: Callable[[Rect], bool] = lambda p: not any(w.overlap(p) > 0.2 * p.area for w in walls)  # noqa: E731
    return [p for p in inside if free(p)] or level


def _with_labels(
    rect: Rect,
    caption: Caption,
    lines: Sequence[Line],
    page: PageContent,
    walls: Sequence[Rect],
) -> FigureRegion:
    """Take in the words that stand in or closely around the drawing."""
    own = {id(line) for line in caption.lines}
    blocked = {(w.x0, w.y0, w.x1, w.y1) for w in walls}
    free = [line for line in lines if id(line) not in own and tuple(line.rect) not in blocked]
    labels: list[Line] = []
    box = rect
    for line in free:
        x, y = line.centre
        if _beyond(line.rect, caption.rect, rect) and not rect.holds(x, y):
            continue
        between = min(rect.y0, caption.rect.y1) < y < max(rect.y1, caption.rect.y0)
        in_width = rect.x0 - _REACH <= x <= rect.x1 + _REACH
        near = rect.holds(x, y, _LETTER_REACH if _LETTER.fullmatch(line.text) else _REACH)
        if near or (between and in_width):
            labels.append(line)
            if near:
                box = union([box, line.rect])
    known = {id(line) for line in labels}
    labels += [line for line in free if id(line) not in known and box.holds(*line.centre)]
    pictures = [p for p in page.pictures if rect.grown(2).overlap(p.rect) > 0.8 * p.rect.area]
    return FigureRegion(box, pictures, labels)


def _beyond(line: Rect, caption: Rect, figure: Rect) -> bool:
    """Whether a line stands on the other side of a caption that is above or below its figure."""
    if figure.y1 <= caption.y0 + 6:
        return line.y0 >= caption.y1 - 1
    return figure.y0 >= caption.y1 - 6 and line.y1 <= caption.y0 + 1
