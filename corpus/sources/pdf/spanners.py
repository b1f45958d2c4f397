"""Labels of a table's head that stand over several columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.sources.pdf.cells import Piece, TextRow
from corpus.sources.pdf.model import Rect, Rule, union
from corpus.sources.pdf.underlines import joined_lines


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
    for rule in joined_lines(short, rows):
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

    A rule under several labels parts its columns among them; one under a single column says less
    than a label that stands over the middle of several.
    """
    height = 1.3 * rows[0].size
    kept = []
    for spanner in ruled:
        shared = _shared(spanner, rows)
        if shared:
            kept += shared
            continue
        conflicts = [u for u in unruled if _meet(u, spanner) and abs(u.y - spanner.y) < height]
        wider = spanner.first == spanner.last and any(u.last > u.first for u in conflicts)
        if not wider and (not conflicts or len(_labels_over(spanner, rows)) < 2):
            kept.append(spanner)
    free = [
        u
        for u in unruled
        if not any(_meet(u, s) and -height < s.y - u.y < 2 * height for s in kept)
    ]
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


def _labels_over(spanner: Spanner, rows: Sequence[TextRow]) -> list[Piece]:
    """The labels right above a rule that stand over its columns, from left to right.

    Labels of one line beside ones of two may stand half a line higher.
    """
    above = [row for row in rows if row.base < spanner.y + 1]
    labels: list[Piece] = []
    for row in reversed(above):
        if row is not above[-1] and spanner.y - row.base > 1.6 * row.size:
            break
        labels += [
            piece
            for piece in row.pieces
            if spanner.first <= piece.first
            and piece.last <= spanner.last
            and not any(_share_x(piece.line.rect, other.line.rect) for other in labels)
        ]
    return sorted(labels, key=lambda piece: piece.line.rect.x0)


def _share_x(one: Rect, other: Rect) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def _shared(spanner: Spanner, rows: Sequence[TextRow]) -> list[Spanner]:
    """One rule under several labels as one for each label, over the columns next to it.

    Labels stand over the middle of their columns or begin with the first of them, whichever fits
    better. Empty where columns have no names below the rule, or each label has its own column.
    """
    labels = [piece.line.rect for piece in _labels_over(spanner, rows)]
    areas = _areas([row for row in rows if row.base > spanner.y + 1])
    columns = [c for c in range(spanner.first, spanner.last + 1) if c in areas]
    if not 2 <= len(labels) < len(columns) or spanner.last - spanner.first > len(columns):
        return []
    named = [areas[column] for column in columns]
    _, ends = min(_parted(labels, named, _off_middle), _parted(labels, named, _off_start))
    firsts = [spanner.first, *(columns[end + 1] for end in ends[:-1]), spanner.last + 1]
    return [
        Spanner(spanner.y, first, following - 1, spanner.level)
        for first, following in pairwise(firsts)
    ]


def _off_middle(label: Rect, area: Rect) -> float:
    return abs(_middle(label) - _middle(area))


def _off_start(label: Rect, area: Rect) -> float:
    return abs(label.x0 - area.x0)


def _parted(
    labels: Sequence[Rect], areas: Sequence[Rect], off: Callable[[Rect, Rect], float]
) -> tuple[float, tuple[int, ...]]:
    """(misfit, last column of each label) of the best way to part all columns among labels."""
    best: dict[int, tuple[float, tuple[int, ...]]] = {-1: (0.0, ())}
    for number, label in enumerate(labels, start=1):
        left = len(labels) - number  # each label to come takes a column at least
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for end in range(number - 1, len(areas) - left):
            longer[end] = min(
                (misfit + off(label, union([areas[before + 1], areas[end]])), (*ends, end))
                for before, (misfit, ends) in best.items()
                if before < end
            )
        best = longer
    return best[len(areas) - 1]


def _middle(rect: Rect) -> float:
    return (rect.x0 + rect.x1) / 2


def _areas(rows: Sequence[TextRow]) -> dict[int, Rect]:
    """Where the names of single columns stand."""
    areas: dict[int, Rect] = {}
    for row in rows:
        for piece in row.pieces:
            if piece.first == piece.last:
                rect = piece.line.rect
                areas[piece.first] = union([areas.get(piece.first, rect), rect])
    return areas


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
    edges = _areas(rows)
    middle = _middle(piece.line.rect)
    best: tuple[int, int] | None = None
    for first in range(low, piece.first + 1):
        for last in range(piece.last, high):
            if first == last or any(column not in edges for column in range(first, last + 1)):
                continue
            off = abs((edges[first].x0 + edges[last].x1) / 2 - middle)
            if off < 9 and (best is None or last - first > best[1] - best[0]):
                best = (first, last)
    return best


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
