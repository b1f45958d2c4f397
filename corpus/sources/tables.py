"""Tables as text in which every cell can be quoted beside its row and its column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from corpus.types import Block, TableDraft

Rows = Sequence[Sequence[str]]
Span = tuple[int, int, int, int]
"""(row, column, rows, columns) of a cell over several."""
CellSpan = tuple[int, int, int, int]
"""(start, end, row, column): the characters of a text that state a cell."""

LONGEST_LABEL: Final = 60  # characters; a longer one is cut where it is said again
MOST_LABELS: Final = 3  # columns that name a row together
BETWEEN: Final = " \u2014 "


@dataclass(frozen=True, slots=True)
class RowText:
    """One row as text; `cells` are (start, end, column) of the statements in it."""

    number: int
    text: str
    cells: tuple[tuple[int, int, int], ...]


def titled(label: str, caption: str) -> str:
    """Label and caption as one sentence start: 'Table 1. Doses of both arms'."""
    plain = label.strip().rstrip(".:|")
    if not plain:
        return caption
    if not caption or caption.lower().startswith(plain.lower()):
        return caption or plain
    return f"{plain}. {caption}"


def table_rows(table: TableDraft) -> list[RowText]:
    """The rows below the heads as statements 'Row label — Column head: value'.

    A row opens with its label under the label's own head; each further cell is a statement of its
    own that says the label again, so that a quote of it stands alone. Empty cells are left out;
    values and heads over several rows or columns count for each. A row whose one cell spans the
    table (a subheading) is that text alone. Without body rows the heads are given.
    """
    rows = filled(table.rows, table.spans)
    if not rows:
        return []
    heads = min(max(table.header_rows, 0), len(rows))
    if heads == len(rows):
        heads = 0
    # A head that is one text alone, from the first column on, names the table, not its columns.
    telling = [n for n in range(heads) if not _is_subheading(table.rows[n])]
    names = header_paths([rows[n] for n in telling], max(map(len, rows)))
    labels = _labels(rows, heads)
    texts = (
        _row_text(number, row, names, labels.get(number, ""))
        for number, row in enumerate(rows)
        if number >= heads
    )
    return [text for text in texts if text.text]


def table_block(table: TableDraft, index: int, section: tuple[str, ...]) -> Block:
    """The table at `index` of its document as a block: caption first, then one line a row."""
    head = titled(table.label, table.caption)
    text, cells = lines_of(head, table_rows(table))
    fields = {"table": index, "captioned": bool(head), "cells": list(map(list, cells))}
    return Block(text, section, "table" if table.rows else "caption", fields=fields)


def lines_of(head: str, rows: Sequence[RowText]) -> tuple[str, list[CellSpan]]:
    """Rows below a head, a line each; where each cell is stated in the whole."""
    parts, cells = ([head] if head else []), []
    length = len(head)
    for row in rows:
        start = length + 1 if parts else 0
        cells += [(start + a, start + b, row.number, column) for a, b, column in row.cells]
        parts.append(row.text)
        length = start + len(row.text)
    return "\n".join(parts), cells


def header_paths(rows: Rows, width: int) -> list[str]:
    """For each column the texts of its heads from the top, 'Dose / mg'."""
    names: list[str] = []
    for column in range(width):
        parts = [row[column] for row in rows if column < len(row) and row[column]]
        names.append(" / ".join(dict.fromkeys(parts)))
    return names


def filled(rows: Rows, spans: Sequence[Span]) -> list[list[str]]:
    """The rows, with the text of a spanning cell at each place it covers."""
    out = [list(row) for row in rows]
    for top, left, height, width in spans:
        if not (top < len(out) and left < len(out[top])):
            continue
        text = out[top][left]
        for row in out[top : top + height]:
            for column in range(left, min(left + width, len(row))):
                row[column] = row[column] or text
    return out


def _is_subheading(row: Sequence[str]) -> bool:
    texts = [text for text in row if text]
    if len(row) > 1 and len(texts) > 1 and all(a == b for a, b in pairwise(row)):
        return True
    return len(row) > 1 and len(texts) == 1 and bool(row[0])


def _labels(rows: Rows, heads: int) -> dict[int, str]:
    """What names each row: the fewest first columns, with the subheading above if need be, that
    tell all rows apart; the first column where nothing does.
    """
    above = ""
    named: dict[int, tuple[str, Sequence[str]]] = {}
    first = ""
    for number, row in enumerate(rows):
        if number < heads or not any(row):
            continue
        if _is_subheading(row):
            above, first = row[0], ""
            continue
        first = row[0] or first  # an empty first cell goes on under the label above it
        named[number] = (above, [first, *row[1:]])
    for columns, under in ((1, False), (1, True), (2, False), (2, True), (MOST_LABELS, False)):
        labels = {
            number: _label(sub if under else "", row[:columns])
            for number, (sub, row) in named.items()
        }
        told = list(labels.values())
        if len(set(told)) == len(told) and _are_words(told) and _may_join(named, columns, told):
            return labels
    plain = {number: _label("", row[:1]) for number, (_, row) in named.items()}
    if _are_words(list(plain.values())):
        return plain
    return {number: _label("", row[:2]) for number, (_, row) in named.items()}


def _may_join(
    named: dict[int, tuple[str, Sequence[str]]], columns: int, labels: Sequence[str]
) -> bool:
    """Whether further columns may name rows: they hold words, and the labels stay short."""
    if columns == 1:
        return True
    short = sum(len(label) <= LONGEST_LABEL for label in labels) >= 0.8 * len(labels)
    added = [
        [row[column] for _, row in named.values() if column < len(row) and row[column]]
        for column in range(1, columns)
    ]
    return short and all(map(_are_words, added))


def _label(above: str, texts: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(text for text in (above, *texts) if text))


def _are_words(labels: Sequence[str]) -> bool:
    """Whether most labels hold letters: running numbers name nothing."""
    return 2 * sum(any(map(str.isalpha, label)) for label in labels) > len(labels)


def _row_text(number: int, row: Sequence[str], names: Sequence[str], label: str) -> RowText:
    if _is_subheading(row):
        return RowText(number, row[0], ((0, len(row[0]), 0),))
    parts: list[str] = []
    cells: list[tuple[int, int, int]] = []
    length = 0
    for column, text in _statements(row, names, label):
        start = length + 2 if parts else 0
        parts.append(text)
        length = start + len(text)
        cells.append((start, length, column))
    return RowText(number, "; ".join(parts), tuple(cells))


def _statements(row: Sequence[str], names: Sequence[str], label: str) -> Iterator[tuple[int, str]]:
    short = _short(label)
    for column, (text, name) in enumerate(zip(row, names, strict=False)):
        if not text:
            continue
        stated = f"{name.rstrip(':')}: {text}" if name and name != text else text
        if column == 0:
            yield column, stated
        else:
            yield column, f"{short}{BETWEEN}{stated}" if short else stated


def _short(label: str) -> str:
    if len(label) <= LONGEST_LABEL:
        return label
    return label[:LONGEST_LABEL].rsplit(" ", 1)[0] + "\u2026"
