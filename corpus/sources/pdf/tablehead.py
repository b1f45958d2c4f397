"""Which text rows of a table are its head."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.cells import TextRow
from corpus.sources.pdf.model import Rect, Rule

WIDE: Final = 0.75  # a rule over this share of the table's width parts rows
_MOST_NAME_LINES: Final = 4
# A measured value, "36.0 \u00b1 1.15b", and no name of a column, "C1" or "(95%CI)".
_MEASURED = re.compile(r"[\W_]*\d[\d\W]*[a-z]?\W?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d\D*$")


def split_header(rows: Sequence[TextRow], rules: Sequence[Rule], region: Rect) -> int:
    """How many text rows stand in the header; below a title over the whole table the names of the
    columns follow.
    """
    count = _header_rows(rows, rules, region)
    alone = count == 1 and len(rows[0].pieces) == 1
    return 2 if alone and len(rows) > 3 and len(rows[1].pieces) >= 3 else count


def _header_rows(rows: Sequence[TextRow], rules: Sequence[Rule], region: Rect) -> int:
    """Those above the first wide rule below the top one.

    Without such a rule the bold rows at the top are the header, else the first row alone. Rows
    that are full of measured values are no header: a table that goes on may have none.
    """
    wide = [r for r in rules if r.x1 - r.x0 >= WIDE * region.width]
    counts = [_above(rows, rule) for rule in wide]
    for number, (rule, count) in enumerate(zip(wide, counts, strict=True)):
        if not 0 < count <= max(1, 0.6 * len(rows)):
            continue
        if sum(map(_is_data, rows[:count])) >= 2:
            break
        if rule.x0 > region.x0 + 0.05 * region.width and number + 1 < len(wide):
            # A rule that leaves out the first column may only part the levels of the head.
            below, full = counts[number + 1], wide[number + 1]
            if full.x0 < rule.x0 - 0.03 * region.width:
                short = below - count <= 3 and not any(map(_is_data, rows[:below]))
                return below if short else count + _names(rows[count:], rule.x0 - 4)
        return count
    bold = 0
    for row in rows:
        if min(piece.line.share(bold=True) for piece in row.pieces) < 0.6:
            break
        bold += 1
    if 0 < bold < len(rows):
        return bold
    return 0 if _is_data(rows[0]) else min(1, len(rows) - 1)


def _names(rows: Sequence[TextRow], left: float) -> int:
    """How many text rows the names of columns right of `left` take up.

    Their lines stand close and hold no values; the name of the first column may end beside them.
    """
    count = 0
    for number, row in enumerate(rows[:_MOST_NAME_LINES]):
        loose = number and row.base - rows[number - 1].base > 1.4 * row.size
        beside = row.rect.x0 < left
        if loose or _is_data(row) or (beside and len(row.pieces) > 1):
            break
        count = count if beside else number + 1
    return count if count < len(rows) else 0


def _above(rows: Sequence[TextRow], rule: Rule) -> int:
    return sum(row.base < rule.y0 + 1.5 for row in rows)


def _is_data(row: TextRow) -> bool:
    """Whether a good part of a row are numbers that name no column, as years would."""
    texts = [piece.line.text for piece in row.pieces]
    values = [text for text in texts if _MEASURED.fullmatch(text) and not _YEAR.match(text)]
    return len(values) >= max(2, 0.3 * len(texts)) and len(values) < len(texts)
