"""Labels of a table's head that stand over several columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.sources.pdf.cells import Piece, TextRow
from corpus.sources.pdf.model import Rect, Rule, union


@dataclass(frozen=True, slots=True)
class Spanner:
    """A label over the columns first..last; what lies above `y` belongs to it. Levels from 1."""

    y: float
    first: int
    last: int
    level: int


def ruled_spanners(
    rules: Sequence[Rule],
    rows: Sequence[TextRow],
    borders: Sequence[float],
    columns: int,
    region: Rect,
    within: tuple[float, float],
) -> list[Spanner]:
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
    found: list[Spanner] = []
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
        found.append(Spanner(rule.y0, covered[0], covered[-1], max(above, default=0) + 1))
    return found


def unruled_spanners(rows: Sequence[TextRow], columns: int) -> list[Spanner]:
    """Labels that stand over the middle of several columns with labels, without a rule."""
    found: list[Spanner] = []
    for number, top in enumerate(rows[:-1]):
        # Labels of two lines beside ones of three stand half a line off: they are neighbours too.
        level = [r for r in rows if abs(r.base - top.base) < 0.8 * top.size]
        others = [other for row in level for other in row.pieces]
        for piece in top.pieces:
            low = max((o.last + 1 for o in others if o.last < piece.first), default=0)
            high = min((o.first for o in others if o.first > piece.last), default=columns)
            best = _centred_range(piece, rows[number + 1 :], low, high)
            if best is not None:
                _add_spanner(found, piece, best)
    return found


def together(
    ruled: Sequence[Spanner], unruled: Sequence[Spanner], rows: Sequence[TextRow]
) -> list[Spanner]:
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
    levelled: list[Spanner] = []
    for spanner in sorted([*kept, *free], key=lambda s: (s.y, s.first)):
        over = [
            other.level
            for other in levelled
            if other.y < spanner.y - 3
            and other.first <= spanner.first
            and spanner.last <= other.last
        ]
        level = max(over, default=0) + 1
        levelled.append(Spanner(spanner.y, spanner.first, spanner.last, level))
    return levelled


def _meet(one: Spanner, other: Spanner) -> bool:
    return one.first <= other.last and other.first <= one.last


def _labels_over(spanner: Spanner, rows: Sequence[TextRow]) -> int:
    """How many labels of the row above a rule stand over its columns."""
    above = [row for row in rows if row.base < spanner.y + 1]
    if not above:
        return 0
    return sum(spanner.first <= p.first and p.last <= spanner.last for p in above[-1].pieces)


def _add_spanner(found: list[Spanner], piece: Piece, columns: tuple[int, int]) -> None:
    """Add a label over some columns; the second line of one only lowers its edge."""
    y = piece.line.base + 1
    for place, other in enumerate(found):
        if (other.first, other.last) == columns and y - other.y < 1.5 * piece.line.size:
            found[place] = Spanner(y, *columns, other.level)
            return
    over = [s.level for s in found if s.first <= columns[0] and columns[1] <= s.last]
    found.append(Spanner(y, *columns, max(over, default=0) + 1))


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


def depth(spanners: Sequence[Spanner]) -> int:
    return max((spanner.level for spanner in spanners), default=0)


def slot(piece: Piece, spanners: Sequence[Spanner], levels: int) -> tuple[int, int, int, int]:
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
