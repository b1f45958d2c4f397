"""The columns and text rows of a table, from where its words stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from corpus.sources.pdf.lines import split_wide
from corpus.sources.pdf.model import Line, Rect, Rule, make_line, union

PIECE_GAP: Final = 0.55  # ems: words of one cell stand closer
_MIN_GAP: Final = 0.22  # ems: a column border needs at least this much free space
_TOLERATED: Final = 0.06  # share of rows that may cross a column border
_RAGGED: Final = 0.2  # and one between columns whose texts run over now and then


@dataclass(slots=True, eq=False)
class Piece:
    """A run of words of one cell on one baseline; it covers the columns first..last."""

    line: Line
    first: int = 0
    last: int = 0


@dataclass(slots=True, eq=False)
class TextRow:
    """All pieces on one baseline; `tall` ones stand halfway between two rows and belong to both."""

    base: float
    size: float
    pieces: list[Piece] = field(default_factory=list)
    tall: bool = False

    @property
    def filled(self) -> set[int]:
        return {column for p in self.pieces for column in range(p.first, p.last + 1)}

    @property
    def rect(self) -> Rect:
        return union(piece.line.rect for piece in self.pieces)


def text_rows(lines: Sequence[Line]) -> list[TextRow]:
    """Pieces grouped by baseline; small raised pieces join the row they belong to."""
    pieces = [piece for line in lines for piece in split_wide(line, PIECE_GAP * line.size)]
    rows: list[TextRow] = []
    for line in sorted(pieces, key=lambda item: (item.base, item.rect.x0)):
        row = next((r for r in reversed(rows[-3:]) if _same_row(r, line)), None)
        if row is None:
            rows.append(TextRow(line.base, line.size, [Piece(line)]))
        else:
            row.pieces.append(Piece(line))
    for row in rows:
        row.pieces.sort(key=lambda piece: piece.line.rect.x0)
    return rows


def _same_row(row: TextRow, line: Line) -> bool:
    if abs(row.base - line.base) <= 0.32 * max(row.size, line.size):
        return True
    small = line.size < 0.8 * row.size and line.letters <= 6
    return small and abs(row.base - line.base) <= 0.55 * row.size


def find_borders(
    rows: Sequence[TextRow], body: Sequence[TextRow], verticals: Sequence[Rule], region: Rect
) -> list[float]:
    """The x of the borders between columns: drawn ones, and strips that hardly a row crosses."""
    borders = _from_text(body if len(body) >= 2 else rows)
    if len(body) >= 2:
        borders = _refined(borders, rows, body)
    for x in _drawn(verticals, region):
        inside = region.x0 + 3 < x < region.x1 - 3
        if inside and all(abs(x - other) > 6 for other in borders):
            borders.append(x)
    return sorted(borders)


def _from_text(rows: Sequence[TextRow]) -> list[float]:
    """Strips that few rows cross; where a few more cross one that is not wide, it parts as well.

    Cells set ragged run over now and then. A strip that holds a clear border, or a column with
    only a few texts, is known by its clear ones.
    """
    told = [row for row in rows if len(row.pieces) > 1] or list(rows)
    if not told:
        return []
    clear = [x for x, _, _ in _strips(told, _TOLERATED)]
    ragged = [
        x
        for x, start, end in _strips(told, _RAGGED)
        if not any(start - 1 <= other <= end + 1 for other in clear)
    ]
    return sorted(x for x in (*clear, *ragged) if _parts_text(x, told))


def _strips(rows: Sequence[TextRow], tolerated: float) -> list[tuple[float, float, float]]:
    """(border, start, end) of the strips that at most this share of the rows cross."""
    area = union(row.rect for row in rows)
    size = sorted(row.size for row in rows)[len(rows) // 2]
    width = int(area.width) * 2 + 4
    covered = [0] * (width + 1)
    for row in rows:
        for piece in row.pieces:
            covered[int((piece.line.rect.x0 - area.x0) * 2) + 1] += 1
            covered[min(int((piece.line.rect.x1 - area.x0) * 2) + 1, width)] -= 1
    allowed = round(tolerated * len(rows))
    strips: list[tuple[float, float, float]] = []
    counts: list[int] = []
    start, count = 0, 0
    for index in range(width):
        count += covered[index]
        counts.append(count)
        if count <= allowed:
            continue
        if start and index - start >= 2 * _MIN_GAP * size:
            first, last = _emptiest(counts, start, index)
            border = area.x0 + (first + last - 2) / 4
            strips.append((border, area.x0 + start / 2, area.x0 + index / 2))
        start = index + 1
    return strips


def _emptiest(counts: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The longest part [first, last) of a strip that the fewest rows cross."""
    least = min(counts[start:end])
    best, first = (start, start), None
    for index in range(start, end + 1):
        if index < end and counts[index] == least:
            first = index if first is None else first
        elif first is not None:
            best = max(best, (first, index), key=lambda part: part[1] - part[0])
            first = None
    return best


def _parts_text(x: float, rows: Sequence[TextRow]) -> bool:
    """A border has text on both sides in one row at least."""
    for row in rows:
        sides = {piece.line.centre[0] < x for piece in row.pieces}
        if len(sides) == 2:
            return True
    return False


def _refined(borders: list[float], rows: Sequence[TextRow], body: Sequence[TextRow]) -> list[float]:
    """Borders that the header shows where the body's cells are empty or run together."""
    head = [row for row in rows if row not in body]
    extra = _from_text(head)
    for x in extra:
        crossing = sum(_crosses(piece, x) for row in body for piece in row.pieces)
        if crossing <= _TOLERATED * len(body) and all(abs(x - other) > 8 for other in borders):
            left = max((b for b in borders if b < x), default=float("-inf"))
            right = min((b for b in borders if b > x), default=float("inf"))
            if _has_text(body, left, x) and _has_text(body, x, right):
                borders.append(x)
    return sorted(borders)


def _crosses(piece: Piece, x: float) -> bool:
    return piece.line.rect.x0 + 1 < x < piece.line.rect.x1 - 1


def _has_text(rows: Sequence[TextRow], left: float, right: float) -> bool:
    return any(left < piece.line.centre[0] < right for row in rows for piece in row.pieces)


def _drawn(verticals: Sequence[Rule], region: Rect) -> list[float]:
    """x of vertical rules that run through at least a third of the region, pieces added up."""
    heights: dict[int, float] = {}
    for rule in verticals:
        if rule.is_horizontal or not region.grown(3).holds(rule.x0, (rule.y0 + rule.y1) / 2):
            continue
        key = round(rule.x0 / 2)
        heights[key] = heights.get(key, 0.0) + rule.y1 - rule.y0
    found = sorted(key * 2.0 for key, height in heights.items() if height > region.height / 3)
    return [x for index, x in enumerate(found) if index == 0 or x - found[index - 1] > 5]


def place(rows: Sequence[TextRow], borders: Sequence[float]) -> None:
    """Give every piece the columns it stands in; pieces that bridge a border by a space are cut."""
    for row in rows:
        placed: list[Piece] = []
        for piece in row.pieces:
            for line in _cut(piece.line, borders):
                first, last = _columns(line.rect, borders)
                if placed and placed[-1].last >= first and first == last == placed[-1].first:
                    words = [*placed[-1].line.words, *line.words]
                    placed[-1] = Piece(make_line(words, line.page), first, last)
                else:
                    placed.append(Piece(line, first, last))
        row.pieces = placed


def _cut(line: Line, borders: Sequence[float]) -> list[Line]:
    crossed = [x for x in borders if line.rect.x0 < x < line.rect.x1]
    if not crossed:
        return [line]
    groups = [[line.words[0]]]
    for left, right in pairwise(line.words):
        at_border = any(left.rect.x1 - 2 <= x <= right.rect.x0 + 2 for x in crossed)
        if at_border and right.rect.x0 - left.rect.x1 > 0.33 * line.size:
            groups.append([right])
        else:
            groups[-1].append(right)
    return [make_line(group, line.page) for group in groups]


def _columns(rect: Rect, borders: Sequence[float]) -> tuple[int, int]:
    """First and last column that a rectangle covers; a slight overhang does not count."""
    edges = [float("-inf"), *borders, float("inf")]
    slack = min(4.0, 0.25 * rect.width)
    first = last = -1
    best = (0.0, 0)
    for column, (left, right) in enumerate(pairwise(edges)):
        inside = min(rect.x1, right) - max(rect.x0, left)
        if inside > best[0]:
            best = (inside, column)
        if inside > slack:
            first = column if first < 0 else first
            last = column
    return (best[1], best[1]) if first < 0 else (first, last)


def recentre(head: Sequence[TextRow], body: Sequence[TextRow]) -> None:
    """Give a header label that is wider than its column to the column it stands over.

    It is the one whose values alone stand below it; else its middle, not its width, tells which:
    columns of short values are narrower than their names.
    """
    areas: dict[int, Rect] = {}
    for row in body:
        for piece in row.pieces:
            if piece.first == piece.last:
                rect = piece.line.rect
                areas[piece.first] = union([areas.get(piece.first, rect), rect])
    for row in head:
        for piece in row.pieces:
            if piece.first != piece.last:
                under = [c for c, area in areas.items() if _overlap(piece, area) > 1]
                if len(under) == 1 and piece.first <= under[0] <= piece.last:
                    piece.first = piece.last = under[0]
                continue
            if piece.first not in areas:
                continue
            near = (c for c in (piece.first - 1, piece.first, piece.first + 1) if c in areas)
            best = min((_distance(piece, areas[column]), column) for column in near)[1]
            here, there = _distance(piece, areas[piece.first]), _distance(piece, areas[best])
            if there < 0.35 * here and here > 6:
                piece.first = piece.last = best


def _overlap(piece: Piece, area: Rect) -> float:
    return min(piece.line.rect.x1, area.x1) - max(piece.line.rect.x0, area.x0)


def _distance(piece: Piece, area: Rect) -> float:
    return abs((area.x0 + area.x1) / 2 - piece.line.centre[0])
