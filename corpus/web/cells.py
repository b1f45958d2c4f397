"""Cells of a table as a page shows them, those that are quoted marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rows = Sequence[Sequence[str]]
Place = tuple[int, int]
"""(row, column) of a cell, heads counted."""
Span = Sequence[int]
"""(row, column, rows, columns) of a cell over several."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell over `rows` and `columns` places; `hit` when it is one that is quoted, `leads` when it
    stands in the first column.
    """

    text: str
    hit: bool = False
    leads: bool = False
    rows: int = 1
    columns: int = 1


def quoted_cells(stated: Iterable[Sequence[int]], start: int, end: int) -> frozenset[Place]:
    """The cells whose statements the characters [start, end) of a passage touch.

    `stated` are [start, end, row, column]. A statement ends with its value: a quote that stops
    before, in the label or the head, means the cell all the same.
    """
    return frozenset((row, column) for a, b, row, column in stated if start < b and a < end)


def cells(
    rows: Rows,
    header_rows: int,
    hits: frozenset[Place] = frozenset(),
    shown: range | None = None,
    spans: Iterable[Span] = (),
) -> dict[str, Any]:
    """Head and body of a table, of the body the rows `shown`. The cells in `hits` are marked; a
    cell over several places is, when one of them is a hit.
    """
    covered = covered_by(rows, spans)
    body = shown if shown is not None else range(header_rows, len(rows))
    return {
        "head": _part(rows, range(min(header_rows, len(rows))), hits, covered),
        "rows": _part(rows, body, hits, covered),
    }


def covered_by(rows: Rows, spans: Iterable[Span]) -> dict[Place, Span]:
    """The span that holds each place. A span over a text that is not its own is none: no text of a
    source is ever hidden.
    """
    covered: dict[Place, Span] = {}
    for span in spans:
        places = _places(span)
        top, left, *_ = span
        free = all(
            row < len(rows)
            and column < len(rows[row])
            and (row, column) not in covered
            and ((row, column) == (top, left) or not rows[row][column])
            for row, column in places
        )
        if free:
            covered |= dict.fromkeys(places, span)
    return covered


def _places(span: Span) -> list[Place]:
    top, left, height, width = span
    return [
        (row, column) for row in range(top, top + height) for column in range(left, left + width)
    ]


def _part(
    rows: Rows, numbers: range, hits: frozenset[Place], covered: Mapping[Place, Span]
) -> list[list[Cell]]:
    """The rows of these numbers; what a span leaves above or below them is cut off."""
    return [
        [
            cell
            for column in range(len(rows[row]))
            if (cell := _cell(rows, (row, column), numbers, hits, covered)) is not None
        ]
        for row in numbers
    ]


def _cell(
    rows: Rows,
    place: Place,
    numbers: range,
    hits: frozenset[Place],
    covered: Mapping[Place, Span],
) -> Cell | None:
    """The cell that begins at a place; None where one goes on that was begun."""
    row, column = place
    span = covered.get(place)
    if span is None:
        return Cell(str(rows[row][column]), place in hits, not column)
    top, left, height, width = span
    if (row, column) != (max(top, numbers.start), left):
        return None
    hit = any(top <= r < top + height and left <= c < left + width for r, c in hits)
    below = min(top + height, numbers.stop)
    return Cell(str(rows[top][left]), hit, not column, below - row, width)
