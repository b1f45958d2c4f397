"""Files of compounds: tables with SMILES, HMS LINCS JSON, tables of roles, DrugBank XML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.compounds.drugbank import drugbank
from corpus.sources.compounds.shape import BadRow, Compound, CompoundTable
from corpus.sources.compounds.tables import (
    NAMES,
    ROLES,
    SMILES,
    columns_of,
    compound_of,
    lincs_compound,
    role_of,
)
from corpus.sources.jsonrows import is_json_lines, load_json
from corpus.sources.tabular import Table, capped, decode, listed, read_table
from corpus.types import Relation

_LINCS_ID = "HMS LINCS ID"


def parse(data: bytes, filename: str) -> Iterator[CompoundTable | Broken]:
    """Yield the bad rows of a file, then its compounds as one table.

    A table needs a column of SMILES and one of ids or names; a table of roles needs chembl_id,
    role_id and role_name. Drug–gene tables are left to the interactions (NotThisSource).
    Raises ParseError for a layout that is not known.
    """
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if head == b"<":
        yield from drugbank(data, filename)
        return
    if head == b"{" and not is_json_lines(text := decode(data, filename)):
        yield from _lincs(load_json(text, filename), filename)
        return
    table = read_table(data, filename)
    yield from table.broken
    if set(table.header) >= ROLES:
        yield from _roles(table, filename)
    else:
        yield from _compounds(table, filename)


def _compounds(table: Table, filename: str) -> Iterator[CompoundTable | Broken]:
    columns = columns_of(table.header)
    if columns is None:
        if {"gene_claim_name", "interaction_type"} <= set(table.header):
            raise NotThisSource(f"{filename} holds interactions: read it as interactions.")
        raise ParseError(
            f"{filename} has the columns {listed(table.header)}, which are no table of compounds. "
            f"Name the columns smiles ({listed(SMILES)}) and name ({listed(NAMES, 3)}) or id."
        )
    found: list[Compound] = []
    bad: list[Broken] = []
    for number, cells in table.records():
        try:
            found.append(compound_of(number, cells, columns))
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    _refuse_empty(found, bad, filename)
    yield CompoundTable(filename, "table", "Compounds", len(found), tuple(found))


def _roles(table: Table, filename: str) -> Iterator[CompoundTable | Broken]:
    found: list[Relation] = []
    bad: list[Broken] = []
    for number, cells in table.records():
        try:
            found.append(role_of(number, cells))
        except BadRow as fault:
            bad.append(Broken(f"row {number}", f"Row {number} {fault}."))
    yield from capped(bad)
    _refuse_empty(found, bad, filename)
    yield CompoundTable(filename, "roles", "Roles of compounds", len(found), relations=tuple(found))


def _lincs(whole: Any, filename: str) -> Iterator[CompoundTable | Broken]:
    entries = list(whole.values()) if isinstance(whole, dict) else []
    if not any(isinstance(entry, dict) and _LINCS_ID in entry for entry in entries[:20]):
        raise ParseError(f"{filename} is JSON, but holds no compounds in a form that Flux knows.")
    found: list[Compound] = []
    bad: list[Broken] = []
    for number, entry in enumerate(entries, start=1):
        try:
            if not isinstance(entry, dict):
                raise BadRow("is not a JSON object")
            found.append(lincs_compound(number, entry))
        except BadRow as fault:
            bad.append(Broken(f"record {number}", f"Record {number} {fault}."))
    yield from capped(bad)
    _refuse_empty(found, bad, filename)
    yield CompoundTable(filename, "lincs", "HMS LINCS small molecules", len(found), tuple(found))


def _refuse_empty(found: list[Compound] | list[Relation], bad: list[Broken], filename: str) -> None:
    if not found:
        reason = bad[0].reason if bad else "It has a header but no row."
        raise ParseError(f"{filename} holds no row that can be used. {reason}")
