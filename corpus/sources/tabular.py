"""A table of any common form as a header and rows of strings.

Read are CSV, TSV and semicolon-separated text, XLSX workbooks, JSON lists of objects and JSONL.
Everything is bounded; a row that does not fit the header is `Broken` and spares the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.delimited import delimited_rows
from corpus.sources.jsonrows import json_rows
from corpus.sources.workbook import ZIP_MAGIC, workbook_rows

# A row costs 1 to 2 KB until it is stored, a cell 60 bytes: a worker stays below its 1.5 GB.
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_TEXT_BYTES: Final = 128 * 1024 * 1024
MAX_ROWS: Final = 500_000
MAX_CELLS: Final = 6_000_000
MAX_COLUMNS: Final = 30_000
MAX_NAMED_BROKEN: Final = 100  # so many bad rows are named one by one, the rest are counted
ROW_NAME: Final = "row name"  # of a first column that has no heading of its own

_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number in the file (a line number, a record number in JSON) and its cells."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Header and rows of equal width. `broken` are rows that do not fit, named by number."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    broken: tuple[Broken, ...] = ()

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield (row number, column name -> cell)."""
        for row in self.rows:
            yield row.number, dict(zip(self.header, row.cells, strict=True))


Headerless = Callable[[Sequence[str]], "tuple[str, ...] | None"]


def read_table(data: bytes, filename: str, *, headerless: Headerless = lambda cells: None) -> Table:
    """Read a whole table.

    `headerless` sees the first row's cells and gives the columns' names when they are data already,
    None when they are a header.

    A header with one name fewer than the
    rows have cells leaves the first column to the row names. A name that comes twice gets " (2)".
    Raises ParseError for what is no table, is too large, or fits its header in few rows only;
    NotThisSource for an empty file.
    """
    rows = _rows(data, filename)
    broken: list[Broken] = []
    first = _first(rows, broken, filename)
    names = headerless(first[1])
    body = [] if names is None else [Row(first[0], _cells(first[1]))]
    header = _named(first[1]) if names is None else names
    header = _fill(rows, header, body, broken, filename)
    if len(broken) > max(len(body), 3):
        raise ParseError(
            f"{filename}: most rows do not fit the header ({broken[0].reason}) "
            "Check the delimiter and export the table again."
        )
    return Table(header, tuple(body), capped(broken))


def _rows(data: bytes, filename: str) -> Iterator[tuple[int, Sequence[str]] | Broken]:
    if len(data) > MAX_BYTES:
        raise ParseError(f"{filename} is larger than {MAX_BYTES >> 20} MB: split it.")
    if data.startswith(ZIP_MAGIC):
        return workbook_rows(data, filename)
    text = decode(data, filename)
    if not text.strip():
        raise NotThisSource(f"{filename} is empty.")
    if text.lstrip()[0] in "[{":
        return json_rows(text, filename)
    return delimited_rows(text, filename)


def decode(data: bytes, filename: str) -> str:
    """Decode text: a byte order mark decides, then UTF-8, then Windows-1252 as older Excel writes.

    NUL characters go. Raises ParseError for what is no text or larger than 128 MB.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise ParseError(f"{filename} is larger than {MAX_TEXT_BYTES >> 20} MB: split it.")
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16").replace("\0", "")
        return data.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError as error:
        if b"\0" in data[:4096]:
            raise ParseError(f"{filename} is not text: export it as CSV or TSV.") from error
    try:
        return data.decode("cp1252").replace("\0", "")
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{filename} is not UTF-8 (byte {error.start}): save it as UTF-8."
        ) from error


def tidy(cell: str) -> str:
    """Clean a cell onto one line; most cells are clean already, which is quick to see."""
    if cell.isascii() and cell.isprintable() and "  " not in cell:
        return cell.strip()
    return one_line(cell)


def plain_name(name: str) -> str:
    """A column's name as it is compared: lower case, words joined by underscores."""
    return _NOT_A_WORD.sub("_", name.lower()).strip("_")


def find_column(header: Sequence[str], names: Sequence[str]) -> str:
    """The first header entry that is one of `names` (plain, best first), '' without one."""
    plain: dict[str, str] = {}
    for entry in header:
        plain.setdefault(plain_name(entry), entry)
    return next((plain[name] for name in names if name in plain), "")


def listed(names: Sequence[str], limit: int = 12) -> str:
    """Column names for a sentence: quoted, joined, cut after `limit`."""
    shown = ", ".join(f"'{tidy(name)[:60]}'" for name in names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown


def _first(
    rows: Iterator[tuple[int, Sequence[str]] | Broken], broken: list[Broken], filename: str
) -> tuple[int, Sequence[str]]:
    for row in rows:
        if isinstance(row, Broken):
            broken.append(row)
        elif any(cell.strip() for cell in row[1]):
            if len(row[1]) > MAX_COLUMNS:
                raise ParseError(f"{filename} has more than {MAX_COLUMNS:,} columns: split it.")
            return row
    if broken:
        raise ParseError(f"{filename} holds no row that can be read. {broken[0].reason}")
    raise NotThisSource(f"{filename} holds no row.")


def _fill(
    rows: Iterator[tuple[int, Sequence[str]] | Broken],
    header: tuple[str, ...],
    body: list[Row],
    broken: list[Broken],
    filename: str,
) -> tuple[str, ...]:
    """Add the rows that fit to `body`, the others to `broken`; return the header as it turned out.

    Whether the first column lacks its heading is told by the first row of data.
    """
    for row in rows:
        if isinstance(row, Broken):
            broken.append(row)
            continue
        number, cells = row
        if not any(map(str.strip, cells)):
            continue
        if not body and not broken and len(cells) == len(header) + 1 and cells[-1].strip():
            header = (ROW_NAME, *header)
        fitted = _fitted(cells, len(header))
        if fitted is None:
            reason = f"Row {number} has {len(cells)} cells where the header has {len(header)}."
            broken.append(Broken(f"row {number}", reason))
            continue
        body.append(Row(number, fitted))
        if len(body) > MAX_ROWS or len(body) * len(header) > MAX_CELLS:
            raise ParseError(f"{filename} has more than {len(body) - 1:,} rows: split it.")
    return header


def _cells(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(tidy, cells))


def _fitted(cells: Sequence[str], width: int) -> tuple[str, ...] | None:
    """The cells at the header's width, None when they do not fit; empty ones too many are cut."""
    if len(cells) > width and not any(cell.strip() for cell in cells[width:]):
        cells = cells[:width]
    return _cells(cells) if len(cells) == width else None


def _named(cells: Sequence[str]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    copies: dict[str, int] = {}
    for number, cell in enumerate(cells, start=1):
        plain = tidy(cell)[:200] or (ROW_NAME if number == 1 else f"column {number}")
        name, copy = plain, copies.get(plain, 1)
        while name in names:
            copy += 1
            name = f"{plain} ({copy})"
        copies[plain] = copy
        names[name] = None
    return tuple(names)


def capped(broken: Sequence[Broken]) -> tuple[Broken, ...]:
    """The first hundred bad rows one by one, the rest as one that counts them."""
    if len(broken) <= MAX_NAMED_BROKEN:
        return tuple(broken)
    rest = len(broken) - MAX_NAMED_BROKEN
    more = Broken(f"{rest} more rows", f"{rest} more rows cannot be used either.")
    return (*broken[:MAX_NAMED_BROKEN], more)
