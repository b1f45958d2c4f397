"""A file of WikiPathways, told by what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.markup import refuse_html
from corpus.sources.wikipathways.gpml import Gpml, read_gpml
from corpus.sources.wikipathways.sets import GeneSet, read_sets
from corpus.sources.wikipathways.side_tables import SideTable, read_side_table

__all__ = ["Gpml", "WikiPathwaysRecord", "parse"]

WikiPathwaysRecord = Gpml | GeneSet | SideTable


def parse(data: bytes, filename: str) -> Iterator[WikiPathwaysRecord | Broken]:
    """Yield the drawing of a GPML file, the sets of a GMT file, or a side table.

    Raises NotThisSource for anything else, and for -info.json: all it says stands in the drawing,
    and the same description twice would crowd out other passages. Raises ParseError for broken XML
    and for text that is not UTF-8.
    """
    if not data.strip():
        raise NotThisSource(f"{filename} is empty.")
    refuse_html(data, filename)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        yield read_gpml(data, filename)
    elif start.startswith((b"{", b"[")):
        raise _not_read(data, filename)
    elif b"%WikiPathways_" in data[:20_000] or filename.lower().endswith(".gmt"):
        yield from read_sets(data, filename)
    else:
        yield read_side_table(_text(data, filename), filename)


def _not_read(data: bytes, filename: str) -> NotThisSource | ParseError:
    try:
        value = json.loads(_text(data, filename))
    except (ValueError, RecursionError):
        return ParseError(f"{filename} is not JSON that can be read. Fetch it again.")
    if isinstance(value, dict) and "wpid" in value:
        return NotThisSource(
            f"{filename} repeats what the drawing of the pathway (.gpml) says: load that."
        )
    return NotThisSource(f"{filename} is JSON, but not of WikiPathways.")


def _text(data: bytes, filename: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(f"{filename} is not UTF-8 (byte {error.start}).") from error
