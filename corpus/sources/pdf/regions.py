"""Where on the page a captioned table stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.pdf.captions import Caption
from corpus.sources.pdf.grid import PageGrid, flow_runs, is_flow
from corpus.sources.pdf.model import Line, Rect, Rule, union
from corpus.sources.pdf.tablenotes import close_notes, key_below
from corpus.sources.pdf.typography import Typography

MIN_RULE: Final = 40.0
_NEAR: Final = 45.0  # points from a caption within which its table begins


@dataclass(slots=True, eq=False)
class TableRegion:
    """The lines of a table's cells and of the notes below it."""

    rect: Rect
    rules: list[Rule] = field(default_factory=list)
    cells: list[Line] = field(default_factory=list)
    notes: list[Line] = field(default_factory=list)


def long_rules(rules: Sequence[Rule]) -> list[Rule]:
    """Horizontal rules, pieces on one height joined, from top to bottom."""
    flat = sorted((rule for rule in rules if rule.is_horizontal), key=lambda r: (round(r.y0), r.x0))
    joined: list[Rule] = []
    for rule in flat:
        for index in range(len(joined) - 1, max(len(joined) - 6, -1), -1):
            other = joined[index]
            if abs(other.y0 - rule.y0) <= 2.0 and rule.x0 - other.x1 <= 14 and other.x0 <= rule.x1:
                joined[index] = Rule(
                    min(other.x0, rule.x0), other.y0, max(other.x1, rule.x1), other.y1
                )
                break
        else:
            joined.append(rule)
    return sorted((r for r in joined if r.x1 - r.x0 >= MIN_RULE), key=lambda r: r.y0)


def find_region(
    caption: Caption,
    lines: Sequence[Line],
    rules: Sequence[Rule],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> TableRegion | None:
    """The region of the table that a caption names: below it, beside it or above it.

    `limits` are the other captions of the page: no table reaches over one. None when there is
    nothing that looks like a table.
    """
    flat = long_rules(rules)
    for place in (_beside, _below, _above):
        region = place(caption, lines, flat, grid, typography, limits)
        if region is not None and _is_table(region):
            region.notes += key_below(region.rect, region.notes, lines)
            return region
    return None


def find_overleaf(
    caption: Caption,
    lines: Sequence[Line],
    rules: Sequence[Rule],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> TableRegion | None:
    """The table at the top of the page after the one whose last line is its caption."""
    flat = long_rules(rules)
    top = grid.frame.y0 - 2
    first = next((r for r in flat if r.y0 <= top + 2 * _NEAR), None)
    left, right = (first.x0, first.x1) if first else (grid.frame.x0, grid.frame.x1)
    bottom = _end(top, left, right, lines, grid, typography, limits)
    region = _cut(top, bottom, left, right, lines, flat)
    if region is None or not _is_table(region):
        return None
    region.notes += key_below(region.rect, region.notes, lines)
    return region


def _is_table(region: TableRegion) -> bool:
    """Cells on one baseline in several rows, or at least three rules around a few lines."""
    several = _rows_of_pieces(region.cells)
    return several >= 2 or (several >= 1 and len(region.rules) >= 2)


def _below(
    caption: Caption,
    lines: Sequence[Line],
    rules: Sequence[Rule],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> TableRegion | None:
    top = caption.rect.y1
    left, right = grid.band(caption.rect)
    first = next(
        (r for r in rules if top - 3 <= r.y0 <= top + _NEAR and _shares(r, left, right)), None
    )
    if first is not None:
        left, right = min(left, first.x0), max(right, first.x1)
        if first.x1 - first.x0 > 0.3 * (right - left) and (
            first.x0 > left + 40 or first.x1 < right - 40
        ):
            left, right = first.x0, first.x1
    bottom = _end(top, left, right, lines, grid, typography, limits)
    if first is None and right - left < 0.7 * grid.frame.width:
        wide = _end(top, grid.frame.x0, grid.frame.x1, lines, grid, typography, limits)
        if wide >= bottom - 2:  # nothing but the table stands beside
            left, right = grid.frame.x0, grid.frame.x1
    return _cut(top, bottom, left, right, lines, rules)


def _beside(
    caption: Caption,
    lines: Sequence[Line],
    rules: Sequence[Rule],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> TableRegion | None:
    """A caption in the margin left of its table."""
    rect = caption.rect
    first = next(
        (
            r
            for r in rules
            if abs(r.y0 - rect.y0) <= 15 and r.x0 >= rect.x1 - 2 and r.x1 - r.x0 > 100
        ),
        None,
    )
    if first is None or rect.width > 0.35 * grid.frame.width:
        return None
    under = [r for r in rules if rect.y1 - 3 <= r.y0 <= rect.y1 + _NEAR and r.x0 < rect.x1 - 5]
    if under:
        return None
    top = first.y0 - 1
    bottom = _end(top, first.x0, first.x1, lines, grid, typography, limits)
    return _cut(top, bottom, first.x0, first.x1, lines, rules)


def _above(
    caption: Caption,
    lines: Sequence[Line],
    rules: Sequence[Rule],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> TableRegion | None:
    bottom = caption.rect.y0
    left, right = grid.band(caption.rect)
    near = [r for r in rules if bottom - _NEAR <= r.y0 <= bottom + 3 and _shares(r, left, right)]
    if not near:
        return None
    last = near[-1]
    left, right = last.x0, last.x1
    inside = [line for line in lines if _within(line, left, right) and line.base < bottom]
    flows = [line.rect.y1 for line in inside if is_flow(line, typography, grid.width)]
    barriers = [rect.y1 for rect in limits if rect.y1 < bottom - 5 and _overlaps(rect, left, right)]
    top = max([grid.frame.y0 - 5, *flows, *barriers])
    own = [r for r in rules if top < r.y0 < bottom and _shares(r, left, right)]
    if len(own) >= 2:  # what stands above its first rule is the end of a paragraph
        top = own[0].y0 - 1
    return _cut(top, bottom, left, right, lines, rules)


def _end(
    top: float,
    left: float,
    right: float,
    lines: Sequence[Line],
    grid: PageGrid,
    typography: Typography,
    limits: Sequence[Rect],
) -> float:
    """Where running text, another caption or the page ends the table."""
    inside = [line for line in lines if _within(line, left, right) and line.base > top + 4]
    flows = [line.rect.y0 for line in flow_runs(inside, typography, grid.width)]
    barriers = [rect.y0 for rect in limits if rect.y0 > top + 2 and _overlaps(rect, left, right)]
    low = max((line.rect.y1 for line in inside), default=top)
    return min([low + 1, *flows, *barriers])


def _cut(
    top: float,
    bottom: float,
    left: float,
    right: float,
    lines: Sequence[Line],
    rules: Sequence[Rule],
) -> TableRegion | None:
    """The lines between, those below the last rule as notes."""
    own = [r for r in rules if top - 3 <= r.y0 <= bottom + 3 and _shares(r, left, right)]
    own = _chain(own, lines, left, right)
    inside = [
        line for line in lines if top - 1 < line.centre[1] < bottom and _within(line, left, right)
    ]
    if len(own) >= 2:
        last = max(r.y0 for r in own)
        cells = [line for line in inside if line.centre[1] < last + 1]
        below = [line for line in inside if line.centre[1] >= last + 1]
        more, notes = _without_rules(below)
        # A table that goes on overleaf has no last rule; notes under one are single lines.
        if _rows_of_pieces(more, _usual_pieces(cells) // 2) >= 2:
            cells += more
        else:
            notes = below
    else:
        cells, notes = _without_rules(inside)
    if not cells:
        return None
    low = max([*(line.rect.y1 for line in cells), *(r.y0 for r in own)])
    edges = [Rect(*r) for r in own if left - 4 <= r.x0 and r.x1 <= right + 4]
    around = union([*(line.rect for line in cells), *edges])
    rect = Rect(max(left, around.x0), max(top, around.y0 - 1), min(right, around.x1), low)
    return TableRegion(rect, own, cells, close_notes(notes, low))


def _chain(rules: list[Rule], lines: Sequence[Line], left: float, right: float) -> list[Rule]:
    """Rules up to the last one that still has a row above it: a stray line far below is none."""
    chain: list[Rule] = []
    for rule in rules:
        if chain:
            between = [
                line
                for line in lines
                if chain[-1].y0 < line.centre[1] < rule.y0 and _within(line, left, right)
            ]
            if not between and rule.y0 - chain[-1].y0 > 30:
                break
        chain.append(rule)
    return chain


def _without_rules(inside: list[Line]) -> tuple[list[Line], list[Line]]:
    """Cells end with the last row of several pieces, or where a wide gap opens."""
    rows: list[list[Line]] = []
    for line in sorted(inside, key=lambda item: item.base):
        if rows and abs(rows[-1][0].base - line.base) <= 0.4 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    last = 0
    for number, row in enumerate(rows):
        if number and row[0].base - rows[number - 1][0].base > 4.5 * row[0].size:
            break
        if len(row) >= 2:
            last = number + 1
    last = _with_last_lines(rows, last)
    return [line for row in rows[:last] for line in row], [
        line for row in rows[last:] for line in row
    ]


def _with_last_lines(rows: Sequence[Sequence[Line]], last: int) -> int:
    """Single lines closely below and indented end a cell of the last row; notes are flush left."""
    left = min((line.rect.x0 for row in rows[:last] for line in row), default=0.0)
    while 0 < last < len(rows):
        (line, *others), above = rows[last], rows[last - 1]
        close = line.base - above[0].base < 1.45 * line.size
        alike = any(abs(line.size - other.size) < 0.04 * line.size for other in above)
        under = any(line.rect.x0 < o.rect.x1 and o.rect.x0 < line.rect.x1 for o in above)
        if others or not (close and alike and under) or line.rect.x0 < left + 2 * line.size:
            break
        last += 1
    return last


def _rows_of_pieces(lines: Sequence[Line], least: int = 2) -> int:
    """How many baselines carry `least` pieces, two at any rate."""
    return sum(count >= max(least, 2) for count in _pieces_by_row(lines).values())


def _usual_pieces(lines: Sequence[Line]) -> int:
    counts = sorted(_pieces_by_row(lines).values())
    return counts[len(counts) * 3 // 4] if counts else 0


def _pieces_by_row(lines: Sequence[Line]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for line in lines:
        counts[round(line.base / 3)] = counts.get(round(line.base / 3), 0) + 1
    return counts


def _within(line: Line, left: float, right: float) -> bool:
    return left - 4 <= line.centre[0] <= right + 4


def _shares(rule: Rule, left: float, right: float) -> bool:
    width = min(rule.x1, right + 8) - max(rule.x0, left - 8)
    return width >= min(MIN_RULE, 0.8 * (rule.x1 - rule.x0))


def _overlaps(rect: Rect, left: float, right: float) -> bool:
    return min(rect.x1, right) - max(rect.x0, left) > 10
