"""The tables beside a drawing: its data nodes with ids of other databases, its bibliography."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import one_line

_WPID = re.compile(r"WP\d{1,6}")
_HEADS = {"datanodes": ("Label", "Type", "Identifier"), "bibliography": ("ID", "Database")}
MAX_ROWS = 200_000


@dataclass(frozen=True, slots=True)
class SideTable:
    """Rows by column name, cells clean; `wpid` comes from the file's name, '' where it is none."""

    form: Literal["datanodes", "bibliography"]
    wpid: str
    name: str
    rows: tuple[Mapping[str, str], ...]


def read_side_table(text: str, filename: str) -> SideTable:
    """Read a table. Raises NotThisSource for another table or one without rows."""
    name = one_line(filename.rsplit("/", 1)[-1])
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    except csv.Error as error:
        raise ParseError(f"{filename} is not tab-separated text ({error}).") from error
    header = [one_line(cell) for cell in rows[0]] if rows else []
    form: Literal["datanodes", "bibliography"]
    if tuple(header[:3]) == _HEADS["datanodes"]:
        form = "datanodes"
    elif tuple(header[:2]) == _HEADS["bibliography"]:
        form = "bibliography"
    else:
        raise NotThisSource(f"{filename} is no table of WikiPathways.")
    kept = [
        {head: text for head, cell in zip(header, row, strict=False) if (text := one_line(cell))}
        for row in rows[1 : MAX_ROWS + 1]
        if any(cell.strip() for cell in row)
    ]
    if not kept:
        what = "reference" if form == "bibliography" else "data node"
        raise NotThisSource(f"{filename} lists no {what}.")
    found = _WPID.match(name)
    return SideTable(form, found.group() if found else "", name, tuple(kept))
