"""Reading order: columns side by side, bands of full width between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from corpus.sources.pdf.lines import split_at
from corpus.sources.pdf.model import Line, Rect, union
from corpus.sources.pdf.titles import REFERENCES, plain_title

MIN_COLUMN = 0.15  # share of the region's width below which a strip is no column
NARROW = 0.07  # share of the width that most lines of a sidebar have
MIN_SHARE = 0.10  # share of the text that each side of a gutter must hold
MAX_CROSSING = 0.45  # lines over the gutter, as a share of the text beside it
MIN_REACH = 0.12  # a line of full width reaches so far into both columns, in widths of the region
_STEP = 1.0
_DEPTH = 4
_FEW_LINES = 3
_LABEL = 30.0  # points: numbers and marks beside a list are narrower
_CLEAN = 0.03  # share of lines over a gutter that nothing else can explain better


def find_gutter(lines: Sequence[Line], hints: Sequence[float] = ()) -> float | None:
    """The x at which text stands apart in two columns, None for one column.

    The fewest letters cross it, and both sides hold a fair share of the text in lines that are
    wide enough to be a column's. `hints` are the gutters of the document: one of them is taken
    where a few lines stand on either side, however much text of full width there is.
    """
    if len(lines) < 4:
        return None
    region = union(line.rect for line in lines)
    if region.width < 80:
        return None
    ends = sorted((line.rect.x1, line.rect.height) for line in lines)
    starts = sorted((line.rect.x0, line.rect.height) for line in lines)
    ended = [0.0, *accumulate(height for _, height in ends)]
    begun = [0.0, *accumulate(height for _, height in starts)]
    edges_in, edges_out = [x for x, _ in ends], [x for x, _ in starts]
    total = ended[-1]
    best: tuple[float, float, float] | None = None
    steps = int(region.width / _STEP)
    for index in range(int(steps * MIN_COLUMN), int(steps * (1 - MIN_COLUMN)) + 1):
        x = region.x0 + index * _STEP
        left = ended[bisect_right(edges_in, x + 0.5)]
        right = total - begun[bisect_left(edges_out, x - 0.5)]
        if min(left, right) < MIN_SHARE * total:
            continue
        score = (total - left - right) / (left + right)
        if score <= MAX_CROSSING and (best is None or score < best[0] - 1e-9):
            best = (score, x, x)
        elif best is not None and abs(score - best[0]) <= 1e-9 and x - best[2] <= 1.5 * _STEP:
            best = (best[0], best[1], x)
    gutter = (best[1] + best[2]) / 2 if best is not None else None
    if gutter is not None and not _are_columns(lines, gutter, region.width):
        gutter = None
    if gutter is not None and best is not None and best[0] < _CLEAN:
        return gutter
    told = next((x for x in hints if _is_gutter_here(lines, x, region)), None)
    return told if told is not None else gutter


def _is_gutter_here(lines: Sequence[Line], x: float, region: Rect) -> bool:
    margin = MIN_COLUMN * region.width
    if not region.x0 + margin < x < region.x1 - margin:
        return False
    left = sum(line.rect.x1 <= x + 2 for line in lines)
    right = sum(line.rect.x0 >= x - 2 for line in lines)
    return min(left, right) >= _FEW_LINES and _are_columns(lines, x, region.width)


def _are_columns(lines: Sequence[Line], x: float, width: float) -> bool:
    """Whether lines on both sides are wide: numbers beside a list are no column."""
    for side in (
        [line for line in lines if line.rect.x1 <= x + 2],
        [line for line in lines if line.rect.x0 >= x - 2],
    ):
        widths = sorted(line.rect.width for line in side)
        if not widths or widths[int(len(widths) * 0.6)] < max(NARROW * width, _LABEL):
            return False
    return True


def reading_order(
    lines: Sequence[Line], barriers: Sequence[Rect] = (), hints: Sequence[float] = ()
) -> list[Line]:
    """Order lines as they are read and number their columns (a new number, a new run of lines).

    `barriers` are floats taken off the page: one of full width parts the columns above it from
    those below.
    """
    marks = [Line([], rect, 0.0, rect.y1) for rect in barriers]
    ordered: list[Line] = []
    for number, run in enumerate(_runs([*lines, *marks], hints, 0)):
        for line in run:
            line.column = number
        ordered += run
    return [line for line in ordered if line.words]


def _runs(lines: list[Line], hints: Sequence[float], depth: int) -> list[list[Line]]:
    texts = [line for line in lines if line.words]
    zone = _column_zone(texts, hints) if depth == 0 else None
    if zone is not None:
        top, low = zone
        above = [line for line in lines if line.centre[1] <= top]
        inside = [line for line in lines if top < line.centre[1] < low]
        below = [line for line in lines if line.centre[1] >= low]
        return [run for part in (above, inside, below) for run in _runs(part, hints, 1)]
    gutter = find_gutter(texts, hints) if depth < _DEPTH else None
    if gutter is None:
        return [_down(texts)] if texts else []
    region = union(line.rect for line in texts)
    reach = MIN_REACH * region.width
    cut = [*split_at(texts, gutter), *(line for line in lines if not line.words)]
    sides = {id(line): _side(line, gutter, reach) for line in cut}
    if "wide" not in sides.values():
        left = [line for line in cut if sides[id(line)] == "left"]
        right = [line for line in cut if sides[id(line)] == "right"]
        list_top = _list_top(left, right)
        if list_top is not None:
            upper = [line for line in cut if line.centre[1] < list_top]
            lower = [line for line in cut if line.centre[1] >= list_top]
            return _runs(upper, hints, depth + 1) + _runs(lower, hints, depth + 1)
        return _runs(left, hints, depth + 1) + _runs(right, hints, depth + 1)
    runs: list[list[Line]] = []
    for members in _bands(cut, sides):
        if sides[id(members[0])] == "wide":
            runs += _runs(members, hints, depth + 1)
            continue
        for side in ("left", "right"):
            runs += _runs([line for line in members if sides[id(line)] == side], hints, depth + 1)
    return runs


def _list_top(left: Sequence[Line], right: Sequence[Line]) -> float | None:
    """The y above which both columns are read before the reference list below, None without one.

    The list's title stands on the left; on the right a gap and the list's smaller type begin at
    the same height.
    """
    for title in left:
        if not title.words or not REFERENCES.fullmatch(plain_title(title.text)):
            continue
        top = title.rect.y0 - 2
        above = [line for line in right if line.words and line.centre[1] < top]
        below = [line for line in right if line.words and line.centre[1] >= top]
        listed = [line for line in left if line.words and line.rect.y0 > title.rect.y1 - 2]
        if not above or not below or not listed:
            return None
        gap = min(line.rect.y0 for line in below) - max(line.rect.y1 for line in above)
        size = max(line.size for line in listed)
        small = max(line.size for line in below) <= 1.02 * size < max(line.size for line in above)
        return top if small and gap > size else None
    return None


def _column_zone(lines: Sequence[Line], hints: Sequence[float]) -> tuple[float, float] | None:
    """From which y to which the document's columns stand, on a page that has another layout above.

    None where nothing runs over the gutter, or where the columns are not a good part of the page.
    """
    for x in hints:
        crossing = [line for line in lines if line.rect.x0 < x - 20 and line.rect.x1 > x + 20]
        if not crossing:
            return None
        edges = [0.0, *sorted(line.centre[1] for line in crossing), float("inf")]
        best: tuple[int, float, float] | None = None
        for top, low in pairwise(edges):
            inside = [line for line in lines if top < line.centre[1] < low]
            left = sum(line.rect.x1 <= x + 2 for line in inside)
            right = sum(line.rect.x0 >= x - 2 for line in inside)
            if min(left, right) >= _FEW_LINES and (best is None or len(inside) > best[0]):
                best = (len(inside), top, low)
        if best is not None and best[0] >= 0.3 * len(lines):
            return best[1], best[2]
    return None


def _side(line: Line, gutter: float, reach: float) -> str:
    over_left, over_right = gutter - line.rect.x0, line.rect.x1 - gutter
    if over_left > reach and over_right > reach:
        return "wide"
    return "left" if over_left >= over_right else "right"


def _bands(lines: list[Line], sides: dict[int, str]) -> list[list[Line]]:
    """Stack of bands from top to bottom: lines of full width, or the two columns between them."""
    bands: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: item.centre[1]):
        wide = sides[id(line)] == "wide"
        if bands and (sides[id(bands[-1][0])] == "wide") == wide:
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _down(lines: list[Line]) -> list[Line]:
    """One column from top to bottom, pieces on one baseline from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: item.base):
        if rows and abs(rows[-1][-1].base - line.base) <= 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda item: item.rect.x0)]
