"""Rows, columns and spans of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.pdf.cells import (
    Piece,
    TextRow,
    find_borders,
    place,
    recentre,
    text_rows,
)
from corpus.sources.pdf.model import Line, Rect, Rule, make_line, union
from corpus.sources.pdf.regions import TableRegion
from corpus.sources.pdf.rows import group_rows, split_header, stripe_edges

Span = tuple[int, int, int, int]
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010]$")
_SECOND_LINE = re.compile(r"\((?:1[89]|20)\d\d|et al\b|and\s")
_TIED = re.compile(r"\w[-\u2010-\u2014/]$")  # "2010–" and "2011", "Northern-" and "Western"
_POWER = re.compile(r"(?<=\d)\^(\d{1,2})\b")
_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MAX_COLUMNS: Final = 60


@dataclass(slots=True, eq=False)
class Cells:
    """A grid of cells: texts, their boxes, spans (row, column, rows, columns), header rows."""

    texts: list[list[str]] = field(default_factory=list)
    boxes: list[list[Rect | None]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    header_rows: int = 0


def read_cells(
    region: TableRegion, rules: Sequence[Rule], fills: Sequence[Rect] = ()
) -> Cells | None:
    """Read the grid of a region; None when it has no second column or no second row.

    `fills` are coloured areas of the page: the edges of stripes part rows as rules do.
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
    _read_header(cells, rows[:header], rules, columns, borders, region)
    cells.header_rows = len(cells.texts)
    for group in group_rows(rows[header:], parting, region.rect, columns):
        _add_row(cells, group, columns)
    if not raise_to_cycles(cells):
        raise_centred(cells)
    join_upwards(cells)
    drop_empty_columns(cells)
    return cells


def drop_empty_columns(cells: Cells) -> None:
    """Take out columns without a text: a border was seen inside one label of the head."""
    width = len(cells.texts[0])
    empty = {column for column in range(width) if not any(row[column] for row in cells.texts)}
    if not empty:
        return
    kept = [column for column in range(width) if column not in empty]
    cells.texts = [[row[column] for column in kept] for row in cells.texts]
    cells.boxes = [[row[column] for column in kept] for row in cells.boxes]
    spans = []
    for row, column, height, columns in cells.spans:
        inside = [at for at, old in enumerate(kept) if column <= old < column + columns]
        if inside and (height > 1 or len(inside) > 1):
            spans.append((row, inside[0], height, len(inside)))
    cells.spans = spans


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


def raise_to_cycles(cells: Cells) -> bool:
    """Move each label of the first column to the first row of its cycle; whether there are any.

    Where the second column repeats the same values, -S9 and +S9 or 50, 100, 200 mg, and each
    repetition has one label beside it, the label names all of them, however it is set.
    """
    body = [n for n in range(cells.header_rows, len(cells.texts)) if any(cells.texts[n][1:])]
    marks = [cells.texts[row][1] for row in body]
    starts = [at for at, mark in enumerate(marks) if mark and mark == marks[0]]
    if len(starts) < 2 or starts[0] != 0:
        return False
    cycles = [body[a:b] for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]
    labelled = [[row for row in cycle if cells.texts[row][0]] for cycle in cycles]
    if any(len(cycle) < 2 or len(set(column_of(cells, cycle))) < len(cycle) for cycle in cycles):
        return False
    if any(len(rows) != 1 for rows in labelled):
        return False
    for cycle, (row,) in zip(cycles, labelled, strict=True):
        first, height = cycle[0], cycle[-1] - cycle[0] + 1
        if row != first:
            cells.texts[first][0], cells.texts[row][0] = cells.texts[row][0], ""
            cells.boxes[first][0], cells.boxes[row][0] = cells.boxes[row][0], None
        cells.spans = [s for s in cells.spans if s[1] or s[0] not in cycle]
        cells.spans.append((first, 0, height, 1))
    return True


def column_of(cells: Cells, rows: Sequence[int]) -> list[str]:
    """Texts of the second column in some rows."""
    return [cells.texts[row][1] for row in rows]


def raise_centred(cells: Cells) -> None:
    """Move labels that stand halfway down the rows they name to the first of these rows.

    In the first column blank rows before and after a label then balance; the label gets a span.
    Labels set between two rows have theirs already.
    """
    body = range(cells.header_rows, len(cells.texts))
    filled = [row for row in body if cells.texts[row][0]]
    if not filled or len(filled) == len(body) or len(cells.texts[0]) < 2:
        return
    if cells.texts[cells.header_rows][0]:
        return
    between = {row for row, column, height, _ in cells.spans if column == 0 and height == 2}
    start = cells.header_rows
    groups: list[tuple[int, int, int]] = []
    for row in filled:
        height = 2 if row in between and row == start else 2 * (row - start) + 1
        inside = [other for other in filled if start <= other < start + height]
        if start + height > len(cells.texts) or inside != [row]:
            return
        groups.append((start, row, height))
        start += height
    if start != len(cells.texts):
        return
    for first, row, height in groups:
        if row != first:
            cells.texts[first][0], cells.texts[row][0] = cells.texts[row][0], ""
            cells.boxes[first][0], cells.boxes[row][0] = cells.boxes[row][0], None
        if height > 1 and (first, 0, height, 1) not in cells.spans:
            cells.spans.append((first, 0, height, 1))


def join_upwards(cells: Cells) -> None:
    """Give the second line of a first cell, caught in the next row, back to the row above."""
    number = cells.header_rows + 1
    while number < len(cells.texts):
        row, above = cells.texts[number], cells.texts[number - 1]
        text = row[0]
        if above[0] and any(row[1:]) and _SECOND_LINE.match(text):
            above[0] = join_lines([above[0], text])
            row[0] = ""
            boxes = [box for box in (cells.boxes[number - 1][0], cells.boxes[number][0]) if box]
            cells.boxes[number - 1][0], cells.boxes[number][0] = union(boxes), None
            cells.spans.append((number - 1, 0, 2, 1))
        number += 1


def _add_row(cells: Cells, group: Sequence[TextRow], columns: int) -> None:
    number = len(cells.texts)
    texts, boxes = _blank(columns)
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
        texts[column] = _raised(join_lines([line.bare for line in lines]))
        boxes[column] = union(line.rect for line in lines)
    cells.texts.append(texts)
    cells.boxes.append(boxes)


def _blank(columns: int) -> tuple[list[str], list[Rect | None]]:
    return [""] * columns, [None] * columns


def _raised(text: str) -> str:
    """Note marks after numbers as raised digits: 57^9 would read as a power."""
    return _POWER.sub(lambda found: found[1].translate(_SUPERSCRIPT), text)


def join_lines(texts: Sequence[str]) -> str:
    """Lines of one cell as one text; a word parted at the line's end is joined."""
    joined = ""
    for text in texts:
        if joined and _HYPHEN.search(joined) and text[:1].islower():
            joined = joined[:-1] + text
        elif _TIED.search(joined) and text[:1].isalnum():
            joined += text
        else:
            joined = f"{joined} {text}" if joined else text
    return joined


def _read_header(
    cells: Cells,
    rows: Sequence[TextRow],
    rules: Sequence[Rule],
    columns: int,
    borders: Sequence[float],
    region: TableRegion,
) -> None:
    """Header cells; what stands above a short rule spans the columns that the rule covers."""
    if not rows:
        return
    top, low = rows[0].base - 0.3 * rows[0].size, rows[-1].base + 2
    ruled = _spanners(rules, rows, borders, columns, region.rect, (top, low))
    spanners = _together(ruled, _unruled_spanners(rows, columns), rows)
    levels = 1 + _depth(spanners)
    slots: dict[tuple[int, int], tuple[int, int, list[Line]]] = {}
    for row in rows:
        for piece in row.pieces:
            number, column, height, width = _slot(piece, spanners, levels)
            old = slots.get((number, column), (1, 1, []))
            slots[number, column] = (max(old[0], height), max(old[1], width), [*old[2], piece.line])
    _narrow(slots)
    start = len(cells.texts)
    for _ in range(levels):
        texts, boxes = _blank(columns)
        cells.texts.append(texts)
        cells.boxes.append(boxes)
    for (number, column), (height, width, lines) in sorted(slots.items()):
        lines.sort(key=lambda line: (line.base, line.rect.x0))
        cells.texts[start + number][column] = join_lines([line.bare for line in lines])
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


@dataclass(frozen=True, slots=True)
class _Spanner:
    y: float
    first: int
    last: int
    level: int


def _spanners(
    rules: Sequence[Rule],
    rows: Sequence[TextRow],
    borders: Sequence[float],
    columns: int,
    region: Rect,
    within: tuple[float, float],
) -> list[_Spanner]:
    """Short rules inside the header, each with the columns it covers and its level from the top."""
    top, low = within
    short = sorted(
        (
            rule
            for rule in rules
            if rule.is_horizontal
            and top < rule.y0 < low - 3
            and region.grown(4).holds((rule.x0 + rule.x1) / 2, rule.y0)
            and rule.x1 - rule.x0 < 0.95 * region.width
        ),
        key=lambda rule: (rule.y0, rule.x0),
    )
    edges = [region.x0 - 5, *borders, region.x1 + 5]
    found: list[_Spanner] = []
    for rule in _joined(short, rows):
        covered = [
            column
            for column in range(columns)
            if min(rule.x1, edges[column + 1]) - max(rule.x0, edges[column])
            > 0.4 * min(edges[column + 1] - edges[column], rule.x1 - rule.x0)
        ]
        if not covered:
            continue
        above = [
            other.level
            for other in found
            if other.y < rule.y0 - 3 and other.first <= covered[0] and other.last >= covered[-1]
        ]
        found.append(_Spanner(rule.y0, covered[0], covered[-1], max(above, default=0) + 1))
    return found


def _unruled_spanners(rows: Sequence[TextRow], columns: int) -> list[_Spanner]:
    """Labels that stand over the middle of several columns with labels, without a rule."""
    found: list[_Spanner] = []
    for place, top in enumerate(rows[:-1]):
        # Labels of two lines beside ones of three stand half a line off: they are neighbours too.
        level = [r for r in rows if abs(r.base - top.base) < 0.8 * top.size]
        others = [other for row in level for other in row.pieces]
        for piece in top.pieces:
            low = max((o.last + 1 for o in others if o.last < piece.first), default=0)
            high = min((o.first for o in others if o.first > piece.last), default=columns)
            best = _centred_range(piece, rows[place + 1 :], low, high)
            if best is not None:
                _add_spanner(found, piece, best)
    return found


def _together(
    ruled: Sequence[_Spanner], unruled: Sequence[_Spanner], rows: Sequence[TextRow]
) -> list[_Spanner]:
    """Labels with a rule under them, and those without where no rule says otherwise.

    A rule under several labels parts the levels of the head and spans nothing; one under a single
    column says less than a label that stands over the middle of several.
    """
    height = 1.3 * rows[0].size
    kept = []
    for spanner in ruled:
        conflicts = [u for u in unruled if _meet(u, spanner) and abs(u.y - spanner.y) < height]
        wider = spanner.first == spanner.last and any(u.last > u.first for u in conflicts)
        if not wider and (not conflicts or _labels_over(spanner, rows) < 2):
            kept.append(spanner)
    free = [u for u in unruled if not any(_meet(u, s) and abs(u.y - s.y) < height for s in kept)]
    levelled: list[_Spanner] = []
    for spanner in sorted([*kept, *free], key=lambda s: (s.y, s.first)):
        over = [
            other.level
            for other in levelled
            if other.y < spanner.y - 3
            and other.first <= spanner.first
            and spanner.last <= other.last
        ]
        level = max(over, default=0) + 1
        levelled.append(_Spanner(spanner.y, spanner.first, spanner.last, level))
    return levelled


def _meet(one: _Spanner, other: _Spanner) -> bool:
    return one.first <= other.last and other.first <= one.last


def _labels_over(spanner: _Spanner, rows: Sequence[TextRow]) -> int:
    """How many labels of the row above a rule stand over its columns."""
    above = [row for row in rows if row.base < spanner.y + 1]
    if not above:
        return 0
    return sum(spanner.first <= p.first and p.last <= spanner.last for p in above[-1].pieces)


def _add_spanner(found: list[_Spanner], piece: Piece, columns: tuple[int, int]) -> None:
    """Add a label over some columns; the second line of one only lowers its edge."""
    y = piece.line.base + 1
    for place, other in enumerate(found):
        if (other.first, other.last) == columns and y - other.y < 1.5 * piece.line.size:
            found[place] = _Spanner(y, *columns, other.level)
            return
    over = [s.level for s in found if s.first <= columns[0] and columns[1] <= s.last]
    found.append(_Spanner(y, *columns, max(over, default=0) + 1))


def _centred_range(
    piece: Piece, rows: Sequence[TextRow], low: int, high: int
) -> tuple[int, int] | None:
    """The widest run of columns around a piece whose middle is the piece's."""
    edges: dict[int, Rect] = {}
    for row in rows:
        for other in row.pieces:
            if other.first == other.last:
                rect = other.line.rect
                edges[other.first] = union([edges.get(other.first, rect), rect])
    middle = (piece.line.rect.x0 + piece.line.rect.x1) / 2
    best: tuple[int, int] | None = None
    for first in range(low, piece.first + 1):
        for last in range(piece.last, high):
            if first == last or any(column not in edges for column in range(first, last + 1)):
                continue
            off = abs((edges[first].x0 + edges[last].x1) / 2 - middle)
            if off < 9 and (best is None or last - first > best[1] - best[0]):
                best = (first, last)
    return best


def _joined(rules: Sequence[Rule], rows: Sequence[TextRow]) -> list[Rule]:
    """Pieces of one drawn line together, unless each of them underlines a label of its own."""
    groups: list[list[Rule]] = []
    for rule in rules:
        last = groups[-1][-1] if groups else None
        if last is not None and abs(last.y0 - rule.y0) < 1.5 and rule.x0 - last.x1 < 1.5:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    joined: list[Rule] = []
    for group in groups:
        whole = Rule(group[0].x0, group[0].y0, max(rule.x1 for rule in group), group[0].y1)
        labelled = [rule for rule in group if _has_label(rule, rows)]
        joined += labelled if len(labelled) > 1 else [whole]
    return [rule for rule in joined if rule.x1 - rule.x0 > 8]


def _has_label(rule: Rule, rows: Sequence[TextRow]) -> bool:
    """Whether a label lies over a rule and no further than it."""
    above = [row for row in rows if row.base < rule.y0 + 1]
    if not above:
        return False
    return any(
        rule.x0 - 4 <= piece.line.rect.x0 and piece.line.rect.x1 <= rule.x1 + 4
        for piece in above[-1].pieces
    )


def _depth(spanners: Sequence[_Spanner]) -> int:
    return max((spanner.level for spanner in spanners), default=0)


def _slot(piece: Piece, spanners: Sequence[_Spanner], levels: int) -> tuple[int, int, int, int]:
    """(row, column, rows, columns) of the header cell that a piece belongs to."""
    centre = piece.line.base - 0.3 * piece.line.size
    over = [
        spanner
        for spanner in spanners
        if spanner.first <= piece.first and piece.last <= spanner.last and spanner.y > centre
    ]
    if not over:
        # A label may start left of the rule under it: its middle decides.
        over = [s for s in spanners if s.y > centre and s.first <= _mid(piece) <= s.last]
    if over:
        nearest = min(over, key=lambda spanner: spanner.y)
        width = nearest.last - nearest.first + 1
        return nearest.level - 1, nearest.first, 1, width
    under = [s for s in spanners if s.first <= piece.first <= s.last and s.y <= centre]
    if under:
        level = max(spanner.level for spanner in under)
        return level, piece.first, levels - level, piece.last - piece.first + 1
    return 0, piece.first, levels, piece.last - piece.first + 1


def _mid(piece: Piece) -> float:
    return (piece.first + piece.last) / 2
