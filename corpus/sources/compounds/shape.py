"""What a file of compounds is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from corpus.types import Relation


@dataclass(frozen=True, slots=True)
class Compound:
    """One drug or chemical. `curie` names it; `xrefs` are CURIEs of the same compound elsewhere."""

    row: int
    curie: str
    name: str
    kind: str  # "drug" or "chemical"
    synonyms: tuple[str, ...] = ()
    smiles: str = ""
    inchi_key: str = ""
    type: str = ""  # as the source says: "Small molecule", "biotech"
    year: str = ""  # of first approval
    xrefs: tuple[str, ...] = ()
    other: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompoundTable:
    """A whole file: its compounds, and what it says of their targets or roles."""

    name: str
    form: str
    title: str
    records: int
    compounds: tuple[Compound, ...] = ()
    relations: tuple[Relation, ...] = ()


class BadRow(ValueError):
    """What is wrong with one row, as the end of a sentence."""
