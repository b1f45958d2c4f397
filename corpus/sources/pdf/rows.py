"""Which text rows are one row of the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from corpus.sources.pdf.cells import TextRow
from corpus.sources.pdf.model import Rect, Rule
from corpus.sources.pdf.tablehead import WIDE

_LOOSE: Final = 1.22  # a step this much above the tight one opens a new row
_LETTERS = re.compile(r"[^\W\d_]")
_OPENS_LOW = re.compile(r"[a-z(\[]")


def stripe_edges(fills: Sequence[Rect], region: Rect) -> list[Rule]:
    """Upper and lower edges of the coloured stripes that lie behind rows, joined over cells."""
    heights: dict[int, list[Rect]] = {}
    for fill in fills:
        if region.grown(6).overlap(fill) > 0.9 * fill.area and fill.height < 0.6 * region.height:
            heights.setdefault(round(fill.y0), []).append(fill)
    edges: list[Rule] = []
    for cells in heights.values():
        left, right = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
        for y in (min(cell.y0 for cell in cells), max(cell.y1 for cell in cells)):
            edges.append(Rule(left, y, right, y))
    return edges


def group_rows(
    rows: Sequence[TextRow], rules: Sequence[Rule], region: Rect, columns: int
) -> list[list[TextRow]]:
    """Group the text rows of the body into rows of the table.

    A wide rule always parts. Where columns of short values stand, each of their lines opens a
    row; else a loose step parts where the table has tight ones as well, and what a row fills
    decides the rest.
    """
    wide = [r.y0 for r in rules if r.x1 - r.x0 >= WIDE * region.width]
    joined = _absorbed(rows)
    _mark_tall(joined)
    if _is_ruled(rows, wide) and not any(row.tall for row in joined):
        return _bands(rows, wide)
    rows = joined
    anchors = _anchor_columns(rows, columns)
    tight = _tight_step(rows)
    groups: list[list[TextRow]] = []
    for band in _bands(rows, wide):
        groups += _by_anchors(band, anchors) if anchors else _by_steps(band, tight, columns)
    return groups


def _mark_tall(rows: Sequence[TextRow]) -> None:
    """Mark labels set halfway between two rows that they both name."""
    for above, row, below in zip(rows, rows[1:], rows[2:], strict=False):
        close = row.base - above.base < 0.85 * row.size and below.base - row.base < 0.85 * row.size
        fewer = len(row.filled) < min(len(above.filled), len(below.filled))
        row.tall = close and fewer and not row.filled & (above.filled | below.filled)


def _absorbed(rows: Sequence[TextRow]) -> list[TextRow]:
    """Join the two lines of a cell that stand half a step above and below the rest of its row."""
    joined = list(rows)
    index = 1
    while index + 1 < len(joined):
        above, row, below = joined[index - 1 : index + 2]
        close = row.base - above.base < 0.85 * row.size and below.base - row.base < 0.85 * row.size
        around = above.filled == below.filled and len(above.filled) < len(row.filled)
        if close and around and not row.filled & above.filled:
            pieces = [*row.pieces, *above.pieces, *below.pieces]
            joined[index - 1 : index + 2] = [TextRow(row.base, row.size, pieces)]
        else:
            index += 1
    return joined


def _bands(rows: Sequence[TextRow], wide: Sequence[float]) -> list[list[TextRow]]:
    """Text rows between the wide rules; an overfull cell's last line may touch its rule."""
    bands: list[list[TextRow]] = []
    for row in rows:
        if bands and row.tall:
            bands[-1].append(row)
        elif not bands or any(_middle(bands[-1][-1]) < y < _middle(row) for y in wide):
            bands.append([row])
        else:
            bands[-1].append(row)
    return bands


def _middle(row: TextRow) -> float:
    return row.base - 0.3 * row.size


def _is_ruled(rows: Sequence[TextRow], wide: Sequence[float]) -> bool:
    """Whether rules stand between nearly all rows, so that they alone part them."""
    bands = len(_bands(rows, wide))
    if bands < 3:
        return False
    # Several rows in one band would each fill the first column.
    return sum(0 in row.filled for row in rows) <= 1.6 * bands


def _anchor_columns(rows: Sequence[TextRow], columns: int) -> set[int]:
    """Columns of short values, which never run over two lines."""
    anchors: set[int] = set()
    for column in range(columns):
        texts = [
            piece.line.text
            for row in rows
            for piece in row.pieces
            if piece.first == piece.last == column
        ]
        values = sum(map(is_value, texts))
        if len(texts) >= 3 and values >= 0.88 * len(texts):
            anchors.add(column)
    if len(anchors) == 1:
        # One column may name groups of rows: it counts if most rows have a value there.
        named = sum(0 in row.filled and len(row.filled) > 1 for row in rows)
        hits = sum(bool(row.filled & anchors) for row in rows)
        return anchors if hits >= 0.6 * named else set()
    return anchors


def is_value(text: str) -> bool:
    """Whether a text is a number, a mark or a short code, not a phrase."""
    if len(text) > 1 and text[-1] in "-\u2013\u2014/":
        return False  # goes on in the next line
    if len(text) <= 3:
        return not text[-1:].isalpha() or text.isupper()
    return len(text) <= 24 and any(map(str.isdigit, text)) and len(_LETTERS.findall(text)) <= 3


def _by_anchors(band: Sequence[TextRow], anchors: set[int]) -> list[list[TextRow]]:
    """Rows open where anchors are filled; a lone first cell opens one as well (a subheading)."""
    groups: list[list[TextRow]] = []
    centred = _is_centred(band, anchors)
    for row in band:
        hit = len(row.filled & anchors)
        opens = hit >= 2 or hit >= 0.34 * len(anchors)
        if groups and hit and not centred:
            # A column of values holds one to a row: a second value is the next row's.
            opens = opens or bool(row.filled & anchors & _filled(groups[-1]))
        if not groups:
            groups.append([row])
        elif row.tall:
            groups[-1].append(row)
        elif opens and centred:
            _open_centred(groups, row)
        elif opens or _is_subheading(row, groups[-1][-1]):
            groups.append([row])
        else:
            groups[-1].append(row)
    return groups


def _filled(group: Sequence[TextRow]) -> set[int]:
    return {column for row in group for column in row.filled}


def _is_centred(band: Sequence[TextRow], anchors: set[int]) -> bool:
    """Whether values stand halfway down their cells: then lines of text precede the first one."""
    hits = [len(row.filled & anchors) > 0 for row in band]
    if not any(hits) or hits[0] or len(band) < 3:
        return False
    before = hits.index(True)
    after = hits[::-1].index(True)
    return before > 0 and after > 0 and abs(before - after) <= 1


def _open_centred(groups: list[list[TextRow]], row: TextRow) -> None:
    """Open a row at the widest step between the last values and these."""
    last = groups[-1]
    if not any(is_value(piece.line.text) for member in last for piece in member.pieces):
        last.append(row)
        return
    steps = [
        (round(b.base - a.base, 1), place)
        for place, (a, b) in enumerate(pairwise([*last, row]), start=1)
    ]
    first_value = next(
        (place for place, member in enumerate(last) if any(map(_holds_value, member.pieces))), 0
    )
    later = [step for step in steps if step[1] > first_value]
    cut = max(later)[1] if later else len(last)
    moved = last[cut:]
    del last[cut:]
    groups.append([*moved, row])


def _holds_value(piece: object) -> bool:
    line = getattr(piece, "line", None)
    return line is not None and is_value(line.text)


def _is_subheading(row: TextRow, above: TextRow) -> bool:
    """A lone first cell that is no second line of the cell above it."""
    if row.filled != {0} and len(row.pieces) != 1:
        return False
    piece = row.pieces[0]
    if piece.first != 0:
        return False
    if _OPENS_LOW.match(piece.line.text):
        return False
    first_above = next((p for p in above.pieces if p.first == 0), None)
    if first_above is None:
        return row.base - above.base > 0.8 * row.size
    indented = piece.line.rect.x0 > first_above.line.rect.x0 + 4
    hanging = first_above.line.text[-1:] in ",-\u2013&/(" or first_above.line.rect.x1 > _edge(
        row, above
    )
    step = (row.base - above.base) / row.size
    return not indented and not hanging and (step > 1.05 or piece.line.share(bold=True) > 0.5)


def _edge(row: TextRow, above: TextRow) -> float:
    """Where the first column ends, judged by the second cell of the row above."""
    second = next((p for p in above.pieces if p.first > 0), None)
    if second is None:
        return float("inf")
    return second.line.rect.x0 - 0.2 * (second.line.rect.x0 - row.pieces[0].line.rect.x0)


def _tight_step(rows: Sequence[TextRow]) -> float | None:
    """The step between lines of one cell, None when all steps are alike (one line a row)."""
    steps = sorted((b.base - a.base) / max(a.size, b.size) for a, b in pairwise(rows))
    if len(steps) < 2:
        return None
    low = steps[len(steps) // 8]
    loose = [step for step in steps if step > _LOOSE * low]
    if low > 1.5 or len(loose) < max(2, 0.12 * len(steps)):
        return None
    return low


def _by_steps(band: Sequence[TextRow], tight: float | None, columns: int) -> list[list[TextRow]]:
    groups: list[list[TextRow]] = []
    for row in band:
        if groups and (row.tall or _continues(groups[-1], row, tight, columns)):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _continues(group: list[TextRow], row: TextRow, tight: float | None, columns: int) -> bool:
    last = group[-1]
    step = (row.base - last.base) / max(last.size, row.size)
    if tight is not None:
        return step <= _LOOSE * tight and not _full_of_values(row, columns)
    if step > 1.45:
        return False
    before = set().union(*(member.filled for member in group))
    return not _opens_row(row, before, columns)


def _full_of_values(row: TextRow, columns: int) -> bool:
    texts = [piece.line.text for piece in row.pieces]
    return len(texts) >= max(3, 0.6 * columns) and sum(map(is_value, texts)) >= 0.6 * len(texts)


def _opens_row(row: TextRow, before: set[int], columns: int) -> bool:
    """Whether a text row, judged by the cells it fills, opens a new row of the table."""
    filled = row.filled
    if 0 in filled and len(filled) > 1:
        return True
    if 0 in filled:
        return not _OPENS_LOW.match(row.pieces[0].line.text)
    return bool(filled - before) or len(filled) >= max(2, 0.6 * columns)
