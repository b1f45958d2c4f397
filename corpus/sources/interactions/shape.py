"""The shape of an interaction table's rows, whatever its columns are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from corpus.sources.genenames import HUMAN, symbol_curie, undated


@dataclass(frozen=True, slots=True)
class Molecule:
    """One end of an interaction; `members` are the CURIEs of a complex's parts."""

    curie: str
    label: str
    kind: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interaction:
    """One row. `sign` is +1, -1 or 0; `other` keeps the columns that nothing else here holds."""

    row: int
    subject: Molecule
    predicate: str
    object: Molecule
    sign: int = 0
    record: str = ""
    pmids: tuple[str, ...] = ()
    sentence: str = ""
    other: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InteractionTable:
    """A whole file: its name, the name and title of its form, its rows in order."""

    name: str
    form: str
    title: str
    rows: tuple[Interaction, ...]
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Complexes:
    """A table of complexes and their parts: (row, complex, parts)."""

    name: str
    rows: tuple[tuple[int, Molecule], ...]


class BadRow(ValueError):
    """What is wrong with one row, as the end of a sentence."""


def gene(symbol: str, taxon: str = HUMAN) -> Molecule:
    """A gene by its symbol; a symbol that a spreadsheet made a date is a symbol again."""
    symbol = undated(symbol)
    return Molecule(symbol_curie(symbol, taxon), symbol, "gene")


def gene_or_complex(symbol: str, taxon: str = HUMAN) -> Molecule:
    """A gene, or a complex where OmniPath's way of joining symbols (A_B) says so."""
    parts = [part for part in symbol.split("_") if part]
    if len(parts) < 2:
        return gene(symbol, taxon)
    members = tuple(symbol_curie(part, taxon) for part in parts)
    return Molecule(f"complex:{symbol}", symbol, "complex", members)


def protein_or_complex(accession: str, label: str) -> Molecule:
    """A protein by accession, or "COMPLEX:A_B" with its parts."""
    plain = accession.removeprefix("COMPLEX:")
    label = label or plain
    if plain == accession and "_" not in plain:
        return Molecule(f"uniprot:{plain}", label, "protein")
    members = tuple(f"uniprot:{part}" for part in plain.split("_") if part)
    return Molecule(f"complex:{plain}", label, "complex", members)
