"""The first filled sheet of an XLSX workbook as rows."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final

import openpyxl  # type: ignore[import-untyped]

from corpus.sources.base import ParseError

ZIP_MAGIC: Final = b"PK\x03\x04"
MAX_UNPACKED_BYTES: Final = 256 * 1024 * 1024
MAX_MEMBERS: Final = 2_000
MAX_COLUMNS: Final = 16_384  # of the format itself
MAX_CELLS: Final = 20_000_000  # gone through, empty ones too: a row is as wide as its last cell


def workbook_rows(data: bytes, filename: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) of the first sheet that has any; formulas give their saved value.

    Raises ParseError for an archive that is no workbook, is damaged, or unpacks too large.
    """
    _refuse_hostile(data, filename)
    try:
        yield from _first_filled(data)
    except ParseError:
        raise
    except Exception as error:  # openpyxl lets whatever a damaged part causes pass through
        raise ParseError(
            f"{filename} cannot be read as a workbook: save it again as XLSX or CSV.",
            reason=type(error).__name__,
        ) from error


def _first_filled(data: bytes) -> Iterator[tuple[int, list[str]]]:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # the stated size may be wrong, or a lie
            width = seen = 0
            for number, values in enumerate(
                sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS), start=1
            ):
                seen += len(values)
                if seen > MAX_CELLS:
                    raise ParseError(
                        f"The sheet {sheet.title} is wider than what it holds: delete the empty "
                        "columns at its right, or save it as CSV."
                    )
                cells = [_text(value) for value in values]
                while cells and not cells[-1]:
                    cells.pop()
                if cells:
                    width = width or len(cells)
                    yield number, cells + [""] * (width - len(cells))
            if width:
                return
    finally:
        book.close()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else str(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _refuse_hostile(data: bytes, filename: str) -> None:
    """Raise ParseError for a bomb (by the sizes it states) and for parts that declare entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if "xl/workbook.xml" not in archive.namelist():
                raise ParseError(f"{filename} is an archive but no XLSX workbook.")
            size = sum(member.file_size for member in members)
            if size > MAX_UNPACKED_BYTES or len(members) > MAX_MEMBERS:
                raise ParseError(
                    f"{filename} unpacks to more than {MAX_UNPACKED_BYTES >> 20} MB: split it."
                )
            for member in members:
                _refuse_entities(archive, member, filename)
    except ParseError:
        raise
    except Exception as error:  # zipfile raises a dozen kinds for damaged archives
        raise ParseError(f"{filename} is a damaged workbook: save it again.") from error


def _refuse_entities(archive: zipfile.ZipFile, member: zipfile.ZipInfo, filename: str) -> None:
    if not member.filename.endswith((".xml", ".rels")):
        return
    with archive.open(member) as part:
        head = part.read(4096)
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise ParseError(f"{filename} declares XML entities, which are not read for safety.")
