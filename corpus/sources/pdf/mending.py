"""Labels of a table brought to the rows that they name, and empty columns taken out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from corpus.sources.pdf.cellgrid import Cells, join_lines
from corpus.sources.pdf.model import union

_SECOND_LINE = re.compile(r"\((?:1[89]|20)\d\d|et al\b|and\s")


def drop_empty_columns(cells: Cells) -> None:
    """Take out columns without a text: a border was seen inside one label of the head."""
    width = len(cells.texts[0])
    empty = {column for column in range(width) if not any(row[column] for row in cells.texts)}
    if not empty:
        return
    kept = [column for column in range(width) if column not in empty]
    cells.texts = [[row[column] for column in kept] for row in cells.texts]
    cells.boxes = [[row[column] for column in kept] for row in cells.boxes]
    spans = []
    for row, column, height, columns in cells.spans:
        inside = [at for at, old in enumerate(kept) if column <= old < column + columns]
        if inside and (height > 1 or len(inside) > 1):
            spans.append((row, inside[0], height, len(inside)))
    cells.spans = spans


def raise_to_cycles(cells: Cells) -> bool:
    """Move each label of the first column to the first row of its cycle; whether there are any.

    Where the second column repeats the same values, -S9 and +S9 or 50, 100, 200 mg, and each
    repetition has one label beside it, the label names all of them, however it is set.
    """
    body = [n for n in range(cells.header_rows, len(cells.texts)) if any(cells.texts[n][1:])]
    marks = [cells.texts[row][1] for row in body]
    starts = [at for at, mark in enumerate(marks) if mark and mark == marks[0]]
    if len(starts) < 2 or starts[0] != 0:
        return False
    cycles = [body[a:b] for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]
    labelled = [[row for row in cycle if cells.texts[row][0]] for cycle in cycles]
    if any(len(cycle) < 2 or len(set(column_of(cells, cycle))) < len(cycle) for cycle in cycles):
        return False
    if any(len(rows) != 1 for rows in labelled):
        return False
    for cycle, (row,) in zip(cycles, labelled, strict=True):
        first, height = cycle[0], cycle[-1] - cycle[0] + 1
        if row != first:
            cells.texts[first][0], cells.texts[row][0] = cells.texts[row][0], ""
            cells.boxes[first][0], cells.boxes[row][0] = cells.boxes[row][0], None
        cells.spans = [s for s in cells.spans if s[1] or s[0] not in cycle]
        cells.spans.append((first, 0, height, 1))
    return True


def column_of(cells: Cells, rows: Sequence[int]) -> list[str]:
    """Texts of the second column in some rows."""
    return [cells.texts[row][1] for row in rows]


def raise_centred(cells: Cells) -> None:
    """Move labels that stand halfway down the rows they name to the first of these rows.

    In the first column blank rows before and after a label then balance; the label gets a span.
    Labels set between two rows have theirs already.
    """
    body = range(cells.header_rows, len(cells.texts))
    filled = [row for row in body if cells.texts[row][0]]
    if not filled or len(filled) == len(body) or len(cells.texts[0]) < 2:
        return
    if cells.texts[cells.header_rows][0]:
        return
    between = {row for row, column, height, _ in cells.spans if column == 0 and height == 2}
    start = cells.header_rows
    groups: list[tuple[int, int, int]] = []
    for row in filled:
        height = 2 if row in between and row == start else 2 * (row - start) + 1
        inside = [other for other in filled if start <= other < start + height]
        if start + height > len(cells.texts) or inside != [row]:
            return
        groups.append((start, row, height))
        start += height
    if start != len(cells.texts):
        return
    for first, row, height in groups:
        if row != first:
            cells.texts[first][0], cells.texts[row][0] = cells.texts[row][0], ""
            cells.boxes[first][0], cells.boxes[row][0] = cells.boxes[row][0], None
        if height > 1 and (first, 0, height, 1) not in cells.spans:
            cells.spans.append((first, 0, height, 1))


def join_upwards(cells: Cells, words: Counter[str]) -> None:
    """Give the second line of a first cell, caught in the next row, back to the row above."""
    number = cells.header_rows + 1
    while number < len(cells.texts):
        row, above = cells.texts[number], cells.texts[number - 1]
        text = row[0]
        if above[0] and any(row[1:]) and _SECOND_LINE.match(text):
            above[0] = join_lines([above[0], text], words)
            row[0] = ""
            boxes = [box for box in (cells.boxes[number - 1][0], cells.boxes[number][0]) if box]
            cells.boxes[number - 1][0], cells.boxes[number][0] = union(boxes), None
            cells.spans.append((number - 1, 0, 2, 1))
        number += 1
