"""Tables of labels as grids of equal width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from corpus.sources.markup import Element, tag

MAX_ROWS: Final = 5_000
MAX_SPAN: Final = 200
MAX_COLUMNS: Final = 500

Grid = tuple[tuple[str, ...], ...]
Span = tuple[int, int, int, int]


def read_grid(
    table: Element, text_of: Callable[[Element], str]
) -> tuple[Grid, int, tuple[Span, ...]]:
    """Return (rows, header rows, spans). A cell over several places has its text at the first."""
    headers = 0
    placed: list[dict[int, str]] = []
    spans: list[Span] = []
    taken: dict[int, int] = {}  # column -> rows below that a cell above still covers
    for row, heads in _rows(table):
        if len(placed) == MAX_ROWS:
            break
        headers += heads and headers == len(placed)
        line, taken = _place(row, len(placed), taken, spans, text_of)
        placed.append(line)
    width = max((max(line, default=-1) for line in placed), default=-1) + 1
    grid = tuple(tuple(line.get(column, "") for column in range(width)) for line in placed)
    return grid if any(any(row) for row in grid) else (), headers, tuple(spans)


def _rows(table: Element) -> Iterator[tuple[Element, bool]]:
    for element in table:
        name = tag(element)
        if name == "tr":
            yield element, False
        elif name in ("thead", "tbody", "tfoot"):
            for row in element:
                if tag(row) == "tr":
                    yield row, name == "thead"


def _place(
    row: Element,
    number: int,
    taken: dict[int, int],
    spans: list[Span],
    text_of: Callable[[Element], str],
) -> tuple[dict[int, str], dict[int, int]]:
    line: dict[int, str] = dict.fromkeys(taken, "")
    below = {column: left - 1 for column, left in taken.items() if left > 1}
    column = 0
    for cell in row:
        if tag(cell) not in ("td", "th"):
            continue
        while column in line:
            column += 1
        if column >= MAX_COLUMNS:
            break
        height, width = _span(cell, "rowspan"), _span(cell, "colspan")
        for part in cell.iter():  # words of neighbouring paragraphs must not run together
            if part is not cell and tag(part) in ("paragraph", "item", "list"):
                part.tail = f" {part.tail or ''}"
        for place in range(column, column + width):
            line.setdefault(place, "")
            if height > 1:
                below[place] = height - 1
        line[column] = text_of(cell)
        if height > 1 or width > 1:
            spans.append((number, column, height, width))
        column += width
    return line, below


def _span(cell: Element, name: str) -> int:
    text = (cell.get(name) or "1").strip()
    return min(max(int(text), 1), MAX_SPAN) if text.isdigit() and len(text) < 6 else 1
