"""KEGG's answers in rows: lists, links, reaction lines, compound sets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.kegg.names import classify

TableForm = Literal["list", "link", "reactions", "sets"]
MAX_ROWS: Final = 2_000_000

_REACTION_LINE = re.compile(r"(?P<id>R\d{5}):\s*(?P<ec>[\d.n-]+)?\s*:\s*(?P<equation>.+)")
_SET_LINE = re.compile(r"[a-z]{2,4}\d{5},")
_ID = re.compile(r"(?:[A-Za-z]{2,8}:)?[A-Za-z0-9_.-]{1,60}")


@dataclass(frozen=True, slots=True)
class KeggTable:
    """A table as rows of clean cells: (id, name, …), (id, id), (reaction, EC, equation) or
    (pathway, title, compound, …).
    """

    form: TableForm
    name: str
    rows: tuple[tuple[str, ...], ...]
    skipped: int = 0


def form_of(text: str) -> TableForm | None:
    """Which table a text begins as, None for no table of KEGG."""
    first, *rest = (line for line in text.lstrip()[:20_000].splitlines() if line.strip())
    if _REACTION_LINE.match(first):
        return "reactions"
    if "\t" in first:
        cells = first.split("\t")
        if not (_is_id(cells[0]) and cells[1].strip()):
            return None
        return "link" if len(cells) == 2 and _is_id(cells[1]) else "list"
    second = rest[0] if rest else ""
    if _SET_LINE.match(first) or (first.startswith(",") and _SET_LINE.match(second)):
        return "sets"
    return None


def read_table(text: str, filename: str) -> KeggTable:
    """Read a table whole. Raises NotThisSource for what is none, ParseError when no row can be
    read or there are too many.
    """
    form = form_of(text) if text.strip() else None
    if form is None:
        raise NotThisSource(f"{filename} holds no entry, map or table of KEGG.")
    reader = {"list": _listed, "link": _linked, "reactions": _reactions, "sets": _sets}[form]
    rows: list[tuple[str, ...]] = []
    skipped = 0
    for row in reader(text):
        if row is None:
            skipped += 1
        else:
            rows.append(row)
        if len(rows) > MAX_ROWS:
            raise ParseError(f"{filename} has more than {MAX_ROWS} rows: split it.")
    if not rows:
        raise ParseError(f"{filename} looks like a KEGG {form} but no row can be read.")
    return KeggTable(form, one_line(filename.rsplit("/", 1)[-1]), tuple(rows), skipped)


def _is_id(cell: str) -> bool:
    """Whether a cell is an id that says so itself: a known shape, or a database before a colon."""
    text = cell.strip()
    if not _ID.fullmatch(text):
        return False
    return bool(classify(text)[1]) or ":" in text


def _lines(text: str) -> Iterator[str]:
    return (line for line in io.StringIO(text) if line.strip())


def _listed(text: str) -> Iterator[tuple[str, ...] | None]:
    for line in _lines(text):
        cells = tuple(one_line(cell) for cell in line.split("\t"))
        yield cells if len(cells) > 1 and _is_id(cells[0]) else None


def _linked(text: str) -> Iterator[tuple[str, ...] | None]:
    for row in _listed(text):
        yield row[:2] if row and _is_id(row[1]) else None


def _reactions(text: str) -> Iterator[tuple[str, ...] | None]:
    for line in _lines(text):
        found = _REACTION_LINE.match(clean_text(line).strip())
        yield (found["id"], found["ec"] or "", one_line(found["equation"])) if found else None


def _sets(text: str) -> Iterator[tuple[str, ...] | None]:
    for number, line in enumerate(_lines(text)):
        row = _csv_row(line)
        if number == 0 and not (row and classify(row[0])[1]):
            continue  # the header: empty, 'Pathway_name', 0, 1, …
        good = len(row) > 1 and classify(row[0])[1] == "pathway"
        yield (row[0], row[1], *filter(None, row[2:])) if good else None


def _csv_row(line: str) -> list[str]:
    try:
        return [one_line(cell) for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return []
