"""Interaction tables to rows. A table's form is told by its columns; a bad row is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.genenames import taxon_of, undated
from corpus.sources.interactions import signor
from corpus.sources.interactions.forms import Form, known_form, trrust_header
from corpus.sources.interactions.generic import SIGNS, SOURCES, TARGETS, generic_form
from corpus.sources.interactions.shape import (
    BadRow,
    Complexes,
    Interaction,
    InteractionTable,
    Molecule,
)
from corpus.sources.tabular import Table, capped, listed, read_table

Record = InteractionTable | Complexes | Broken


def parse(data: bytes, filename: str) -> Iterator[Record]:
    """Yield the bad rows of a table, then the table with its good ones in order.

    Read are TRRUST (without header), CollecTRI, DoRothEA (curated, or with evidence), OmniPath
    (signed, sites, ligand–receptor, the web service's table), SIGNOR (interactions, complexes),
    DGIdb, and any table with columns for source, target and sign under common names.
    Raises ParseError for a layout that is not known, or when no row can be used.
    """
    table = read_table(data, filename, headerless=trrust_header)
    yield from table.broken
    if set(signor.COMPLEX_COLUMNS) <= set(table.header):
        yield from _complexes(table, filename)
        return
    form = known_form(table.header) or generic_form(table.header)
    if form is None:
        raise _unknown(table, filename)
    yield from _interactions(table, form, filename)


def _unknown(table: Table, filename: str) -> ParseError:
    return ParseError(
        f"{filename} has the columns {listed(table.header)}, which are no interaction table that "
        f"Flux knows. Name the columns source ({listed(SOURCES, 3)}), target "
        f"({listed(TARGETS, 3)}) and sign ({listed(SIGNS, 3)}); pmid may be added."
    )


def _interactions(table: Table, form: Form, filename: str) -> Iterator[Record]:
    taxon = _taxon(table, form)
    rows: list[Interaction] = []
    bad: list[Broken] = []
    kept = [name for name in table.header if name not in form.used]
    for number, cells in table.records():
        try:
            row = form.read(number, cells, taxon)
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
            continue
        other = {name: cells[name] for name in kept if cells[name]}
        # A symbol restored from a date is shown beside what the table says.
        other |= {
            end: cells[end]
            for end in form.ends
            if undated(cells.get(end, "")) != cells.get(end, "")
        }
        rows.append(replace(row, other={**other, **row.other}))
    yield from capped(bad)
    if not rows:
        raise _nothing(filename, bad)
    yield InteractionTable(filename, form.name, form.title, tuple(rows), table.header)


def _taxon(table: Table, form: Form) -> str:
    places = [table.header.index(column) for column in form.ends if column in table.header]
    return taxon_of(chain.from_iterable((row.cells[p] for p in places) for row in table.rows))


def _complexes(table: Table, filename: str) -> Iterator[Record]:
    rows: list[tuple[int, Molecule]] = []
    bad: list[Broken] = []
    for number, cells in table.records():
        try:
            rows.append((number, signor.parts_of(cells)))
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    if not rows:
        raise _nothing(filename, bad)
    yield Complexes(filename, tuple(rows))


def _nothing(filename: str, bad: list[Broken]) -> ParseError | NotThisSource:
    if not bad:
        return NotThisSource(f"{filename} has a header but no row.")
    return ParseError(f"{filename} holds no row that can be used. {bad[0].reason}")
