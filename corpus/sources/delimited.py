"""Comma-, tab- and semicolon-separated text as rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from corpus.sources.base import Broken, ParseError

MAX_UNCLOSED: Final = 20  # after so many quotes left open the file is to blame, not its rows

_QUOTED = re.compile(r'"[^"]*"?')


def delimited_rows(text: str, filename: str) -> Iterator[tuple[int, list[str]] | Broken]:
    """Yield (line number, cells); the header tells the delimiter. Leading comments are left out.

    Fields in quotes may hold delimiters and line ends. A bare carriage return inside a file of
    newlines is part of its field. A quote that is never closed breaks its own row only. Raises
    ParseError when there are many such.
    """
    lines = _one_line_end(text).split("\n")
    start = _header_line(lines)
    if start == len(lines):
        return
    lines[start] = lines[start].removeprefix("#")
    yield from _read(lines, start, delimiter_of(lines[start]), filename)


def delimiter_of(line: str) -> str:
    """The delimiter of a header: a tab if there is one, else the commoner of comma and semicolon
    outside quotes.
    """
    bare = _QUOTED.sub("", line)
    if "\t" in bare:
        return "\t"
    return ";" if bare.count(";") > bare.count(",") else ","


def _one_line_end(text: str) -> str:
    if "\r" not in text:
        return text
    if "\n" not in text:
        return text.replace("\r", "\n")
    return text.replace("\r\n", "\n").replace("\r", " ")


def _header_line(lines: Sequence[str]) -> int:
    """Index of the first line that is neither blank nor a comment.

    A last comment line with as many tabs as the line below it is a header with a '#' before it.
    """
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        below = lines[index + 1] if index + 1 < len(lines) else ""
        heads = "\t" in line and line.count("\t") == below.count("\t")
        if not line.startswith("#") or (heads and not below.startswith("#")):
            return index
    return len(lines)


def _reader(lines: Sequence[str], start: int, delimiter: str) -> Any:
    return csv.reader((f"{line}\n" for line in islice(lines, start, None)), delimiter=delimiter)


def _read(
    lines: Sequence[str], start: int, delimiter: str, filename: str
) -> Iterator[tuple[int, list[str]] | Broken]:
    width = unclosed = 0
    reader = _reader(lines, start, delimiter)
    while True:
        line = start + reader.line_num
        cells = _next(reader)
        if cells is None:
            return
        end = start + reader.line_num
        several = end - line > 1
        misfit = width and several and len(cells) not in (width, width + 1)
        if not cells or misfit or (several and _left_open(lines, line, end)):
            if not cells and not several and not lines[line].strip():
                continue
            unclosed += 1
            if unclosed > MAX_UNCLOSED:
                raise ParseError(
                    f"{filename} has many quotes that are not closed: export it again."
                )
            yield Broken(f"row {line + 1}", f"Row {line + 1} has a quote that is never closed.")
            start = line + 1
            reader = _reader(lines, start, delimiter)
            continue
        width = width or len(cells)
        yield line + 1, cells


def _left_open(lines: Sequence[str], start: int, end: int) -> bool:
    """Whether a field swallowed the rest of the file: its quote is the odd one out."""
    return end >= len(lines) and sum(line.count('"') for line in lines[start:]) % 2 == 1


def _next(reader: Any) -> list[str] | None:
    """The next row's cells, [] when they cannot be read (a field without end), None at the end."""
    try:
        return next(reader, None)
    except csv.Error:
        return []
