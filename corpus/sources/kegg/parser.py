"""A file of KEGG, told by what it holds: names and suffixes of saved answers say little."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.kegg.entries import FlatEntry, read_entries
from corpus.sources.kegg.kgml import KgmlPathway, read_kgml
from corpus.sources.kegg.tables import KeggTable, read_table
from corpus.sources.markup import refuse_html

__all__ = ["FlatEntry", "KeggRecord", "KeggTable", "KgmlPathway", "parse"]

KeggRecord = FlatEntry | KgmlPathway | KeggTable
_ENTRY_LINE = re.compile(rb"^ENTRY(?:[ \t]|\r?$)", re.MULTILINE)


def parse(data: bytes, filename: str) -> Iterator[KeggRecord | Broken]:
    """Yield the flat entries of a file, or its one KGML map, or its one table.

    Tables are list and link answers, reaction lines (R00001:1.1.1.1: A <=> B) and wide compound
    sets. Raises NotThisSource for an empty answer and for anything else, ParseError for broken XML
    and for tables that are not UTF-8.
    """
    if not data.strip():
        raise NotThisSource(f"{filename} is empty: KEGG knows no such entry.")
    refuse_html(data, filename)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        yield read_kgml(data, filename)
    elif _ENTRY_LINE.search(data):
        yield from read_entries(data)
    else:
        yield read_table(_text(data, filename), filename)


def _text(data: bytes, filename: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{filename} is not UTF-8 (byte {error.start}): it is no answer of KEGG."
        ) from error
