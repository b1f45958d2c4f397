"""HTML and CALS tables as grids; cells over several rows or columns keep their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from corpus.sources.markup import Element, tag

MAX_ROWS = 20_000
MAX_COLUMNS = 500
MAX_CELLS = 1_000_000  # beyond these, a cell over many places keeps only its first

Span = tuple[int, int, int, int]
Grid = tuple[tuple[tuple[str, ...], ...], int, tuple[Span, ...]]
Text = Callable[[Element], str]


def read_table(table: Element, text_of: Text) -> Grid:
    """Return (rows, number of header rows, spans) of a table element; `text_of` reads a cell.

    Rows have equal width. The text of a cell over several rows or columns stands at its first
    place; the span says (row, column, rows, columns). Header rows are those of thead, or else
    leading rows of th alone.
    """
    rows = list(_rows(table))[:MAX_ROWS]
    grid, spans = place([list(_cells(row, text_of)) for row in rows])
    return grid, _header_rows(rows), spans


def place(
    rows: list[list[tuple[str, int, int]]],
) -> tuple[tuple[tuple[str, ...], ...], tuple[Span, ...]]:
    """Put rows of cells (text, rows, columns) on a grid of equal width; return it and its spans."""
    placed, spans = _place(rows)
    width = max((max(line, default=-1) for line in placed), default=-1) + 1
    grid = tuple(tuple(line.get(column, "") for column in range(width)) for line in placed)
    return grid, tuple(spans)


def _rows(table: Element) -> Iterator[Element]:
    """The table's own rows: those of a table inside a cell are that cell's text."""
    for child in table:
        name = tag(child)
        if name in ("tr", "row"):
            yield child
        elif name in ("thead", "tbody", "tfoot", "tgroup"):
            yield from _rows(child)


def _cells(row: Element, text_of: Text) -> Iterator[tuple[str, int, int]]:
    """(text, rows, columns) of each cell."""
    for cell in row:
        name = tag(cell)
        if name in ("td", "th"):
            yield text_of(cell), _number(cell.get("rowspan")), _number(cell.get("colspan"))
        elif name == "entry":
            first, last = _digits(cell.get("namest")), _digits(cell.get("nameend"))
            width = last - first + 1 if 0 < first <= last else 1
            yield text_of(cell), _number(cell.get("morerows"), 0) + 1, min(width, MAX_COLUMNS)


def _place(rows: list[list[tuple[str, int, int]]]) -> tuple[list[dict[int, str]], list[Span]]:
    placed: list[dict[int, str]] = [{} for _ in rows]
    spans: list[Span] = []
    covered = 0
    for number, cells in enumerate(rows):
        column = 0
        for text, height, width in cells:
            while column in placed[number]:
                column += 1
            if column >= MAX_COLUMNS:
                break
            height = min(height, len(rows) - number)
            width = min(width, MAX_COLUMNS - column)
            covered += height * width
            if covered > MAX_CELLS:
                height = width = 1
            for row in range(number, number + height):
                for place in range(column, column + width):
                    placed[row].setdefault(place, "")
            placed[number][column] = text
            if height > 1 or width > 1:
                spans.append((number, column, height, width))
            column += width
    return placed, spans


def _header_rows(rows: list[Element]) -> int:
    in_head = sum(_is_in_head(row) for row in rows)
    if in_head:
        return in_head
    count = 0
    for row in rows:
        if not len(row) or any(tag(cell) != "th" for cell in row):
            break
        count += 1
    return count


def _is_in_head(row: Element) -> bool:
    parent = row.getparent()
    return parent is not None and tag(parent) == "thead"


def _number(value: str | None, default: int = 1) -> int:
    text = (value or "").strip()
    return min(max(int(text), default), MAX_ROWS) if text.isdecimal() and len(text) < 7 else default


def _digits(value: str | None) -> int:
    digits = "".join(char for char in value or "" if char.isdecimal())
    return int(digits) if digits and len(digits) < 5 else 0
