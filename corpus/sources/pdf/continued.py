"""Tables that go on over pages as one: a head that is said again is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpus.types import TableDraft


def join_tables(
    tables: Sequence[TableDraft], goes_on: Sequence[bool]
) -> tuple[list[TableDraft], list[int]]:
    """Join each part that goes on to the table of its label before it.

    Args:
        tables: in the order of the document, each with boxes on its own page.
        goes_on: for each whether it continues an earlier one.
    Returns: the joined tables, and for each given one its place among them. A part whose table is
        unknown, or whose columns are others, stays a table of its own.
    """
    joined: list[TableDraft] = []
    places: list[int] = []
    for table, continues in zip(tables, goes_on, strict=True):
        parent = _parent(joined, table) if continues else None
        if parent is None:
            places.append(len(joined))
            joined.append(table)
        else:
            places.append(parent)
            joined[parent] = _joined(joined[parent], table)
    return joined, places


def _parent(tables: Sequence[TableDraft], part: TableDraft) -> int | None:
    for place in range(len(tables) - 1, -1, -1):
        other = tables[place]
        if other.label == part.label:
            width = max(map(len, other.rows), default=0)
            return place if width == max(map(len, part.rows), default=width) else None
    return None


def _joined(table: TableDraft, part: TableDraft) -> TableDraft:
    """The rows of a part below those of its table, its head taken off where it is the same."""
    again = _repeated(table, part)
    start = len(table.rows) - again
    spans = [(r + start, c, height, width) for r, c, height, width in part.spans if r >= again]
    return replace(
        table,
        rows=(*table.rows, *part.rows[again:]),
        spans=(*table.spans, *spans),
        cells=(*table.cells, *part.cells[again:]),
        header_rows=table.header_rows or (part.header_rows if not table.rows else 0),
    )


def _repeated(table: TableDraft, part: TableDraft) -> int:
    """How many first rows of a part say the head of its table again."""
    count = 0
    heads = table.rows[: table.header_rows]
    for head, row in zip(heads, part.rows, strict=False):
        if _plain(head) != _plain(row):
            break
        count += 1
    return count


def _plain(row: Sequence[str]) -> list[str]:
    return ["".join(char for char in cell.lower() if char.isalnum()) for cell in row]
