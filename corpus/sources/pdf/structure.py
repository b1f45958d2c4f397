"""Rows, columns and spans of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.cellgrid import Cells, blank_row, join_lines, raised_marks
from corpus.sources.pdf.cells import TextRow, find_borders, place, recentre, text_rows
from corpus.sources.pdf.mending import (
    drop_empty_columns,
    join_upwards,
    raise_centred,
    raise_to_cycles,
)
from corpus.sources.pdf.model import Line, Rect, Rule, make_line, union
from corpus.sources.pdf.regions import TableRegion
from corpus.sources.pdf.rows import group_rows, stripe_edges
from corpus.sources.pdf.spanners import depth, ruled_spanners, slot, together, unruled_spanners
from corpus.sources.pdf.tablehead import split_header

MAX_COLUMNS: Final = 60


def read_cells(
    region: TableRegion, rules: Sequence[Rule], fills: Sequence[Rect], words: Counter[str]
) -> Cells | None:
    """Read the grid of a region; None when it has no second column or no second row.

    `fills` are coloured areas of the page: the edges of stripes part rows as rules do. `words` are
    those of the document.
    """
    leaders, lines = _leaders(region.cells)
    rows = text_rows(lines)
    if len(rows) < 2:
        return None
    parting = sorted(
        [*region.rules, *leaders, *stripe_edges(fills, region.rect)], key=lambda rule: rule.y0
    )
    header = split_header(rows, parting, region.rect)
    verticals = [rule for rule in rules if not rule.is_horizontal]
    borders = find_borders(rows, rows[header:], verticals, region.rect)
    if not borders or len(borders) >= MAX_COLUMNS:
        return None
    place(rows, borders)
    recentre(rows[:header], rows[header:])
    columns = len(borders) + 1
    cells = Cells()
    _read_header(cells, rows[:header], rules, columns, borders, region, words)
    cells.header_rows = len(cells.texts)
    for group in group_rows(rows[header:], parting, region.rect, columns):
        _add_row(cells, group, columns, words)
    if not raise_to_cycles(cells):
        raise_centred(cells)
    join_upwards(cells, words)
    drop_empty_columns(cells)
    return cells


def _leaders(lines: Sequence[Line]) -> tuple[list[Rule], list[Line]]:
    """Dotted lines between rows count as rules."""
    rules: list[Rule] = []
    texts: list[Line] = []
    for line in lines:
        words = [word for word in line.words if word.text.strip(".\u2026\u00b7")]
        if len(words) < len(line.words) - 3:
            rules.append(Rule(line.rect.x0, line.base, line.rect.x1, line.base))
            if words:
                texts.append(make_line(words, line.page))
        else:
            texts.append(line)
    return rules, texts


def _add_row(cells: Cells, group: Sequence[TextRow], columns: int, words: Counter[str]) -> None:
    number = len(cells.texts)
    texts, boxes = blank_row(columns)
    parts: dict[int, list[Line]] = {}
    for row in group:
        for piece in row.pieces:
            parts.setdefault(piece.first, []).append(piece.line)
            if row.tall:
                cells.spans.append((number, piece.first, 2, 1))
            if piece.last > piece.first and len(group) == 1 and len(row.pieces) == 1:
                cells.spans.append((number, piece.first, 1, piece.last - piece.first + 1))
    for column, lines in parts.items():
        lines.sort(key=lambda line: (round(line.base), line.rect.x0))
        texts[column] = raised_marks(join_lines([line.bare for line in lines], words))
        boxes[column] = union(line.rect for line in lines)
    cells.texts.append(texts)
    cells.boxes.append(boxes)


def _read_header(
    cells: Cells,
    rows: Sequence[TextRow],
    rules: Sequence[Rule],
    columns: int,
    borders: Sequence[float],
    region: TableRegion,
    words: Counter[str],
) -> None:
    """Header cells; what stands above a short rule spans the columns that the rule covers."""
    if not rows:
        return
    top, low = rows[0].base - 0.3 * rows[0].size, rows[-1].base + 2
    ruled = ruled_spanners(rules, rows, borders, columns, region.rect, (top, low))
    spanners = together(ruled, unruled_spanners(rows, columns), rows)
    levels = 1 + depth(spanners)
    slots: dict[tuple[int, int], tuple[int, int, list[Line]]] = {}
    for row in rows:
        for piece in row.pieces:
            number, column, height, width = slot(piece, spanners, levels)
            old = slots.get((number, column), (1, 1, []))
            slots[number, column] = (max(old[0], height), max(old[1], width), [*old[2], piece.line])
    _narrow(slots)
    start = len(cells.texts)
    for _ in range(levels):
        texts, boxes = blank_row(columns)
        cells.texts.append(texts)
        cells.boxes.append(boxes)
    for (number, column), (height, width, lines) in sorted(slots.items()):
        lines.sort(key=lambda line: (line.base, line.rect.x0))
        cells.texts[start + number][column] = join_lines([line.bare for line in lines], words)
        cells.boxes[start + number][column] = union(line.rect for line in lines)
        if height > 1 or width > 1:
            cells.spans.append((start + number, column, height, width))


def _narrow(slots: dict[tuple[int, int], tuple[int, int, list[Line]]]) -> None:
    """A label that only hangs over into a column with a label of its own does not span it."""
    for (number, column), (height, width, lines) in list(slots.items()):
        rows = range(number, number + height)
        inside = [
            other
            for (row, other), (tall, _, _) in slots.items()
            if column < other < column + width and set(rows) & set(range(row, row + tall))
        ]
        if inside:
            slots[number, column] = (height, min(inside) - column, lines)
