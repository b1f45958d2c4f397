"""Tables as text in which every number can be quoted beside its row and column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from corpus.types import TableDraft

Rows = Sequence[Sequence[str]]


def titled(label: str, caption: str) -> str:
    """Label and caption as one sentence start: 'Table 1. Doses of both arms'."""
    plain = label.strip().rstrip(".:|")
    if not plain:
        return caption
    if not caption or caption.lower().startswith(plain.lower()):
        return caption or plain
    return f"{plain}. {caption}"


def table_lines(table: TableDraft) -> list[tuple[int, str]]:
    """Return (row number, text) of every row below the headers.

    A cell is 'header: value'; cells are joined by semicolons, empty ones left out. Values and
    headers over several rows or columns count for each. A row whose one cell spans the table (a
    subheading) is that text alone. Without body rows the header rows are given.
    """
    filled = _filled(table)
    if not filled:
        return []
    heads = min(max(table.header_rows, 0), len(filled))
    if heads == len(filled):
        heads = 0
    names = _headers(filled[:heads], max(map(len, filled)))
    lines = ((number, _row(row, names)) for number, row in enumerate(filled) if number >= heads)
    return [(number, text) for number, text in lines if text]


def table_text(table: TableDraft) -> str:
    """Caption first (where there is one), then one line a row."""
    head = titled(table.label, table.caption)
    lines = [text for _, text in table_lines(table)]
    return "\n".join([head, *lines] if head else lines)


def _filled(table: TableDraft) -> list[list[str]]:
    """The rows, with the text of a spanning cell at each place it covers."""
    rows = [list(row) for row in table.rows]
    for top, left, height, width in table.spans:
        if not (top < len(rows) and left < len(rows[top])):
            continue
        text = rows[top][left]
        for row in rows[top : top + height]:
            for column in range(left, min(left + width, len(row))):
                row[column] = row[column] or text
    return rows


def _headers(rows: Rows, width: int) -> list[str]:
    names: list[str] = []
    for column in range(width):
        parts = [row[column] for row in rows if column < len(row) and row[column]]
        names.append(" / ".join(dict.fromkeys(parts)))
    return names


def _row(row: Sequence[str], names: Sequence[str]) -> str:
    texts = [text for text in row if text]
    if len(row) > 1 and len(texts) > 1 and all(a == b for a, b in pairwise(row)):
        return row[0]
    if len(row) > 1 and len(texts) == 1 and row[0]:
        return row[0]
    cells = []
    for text, name in zip(row, names, strict=False):
        if text:
            cells.append(f"{name.rstrip(':')}: {text}" if name and name != text else text)
    return "; ".join(cells)
