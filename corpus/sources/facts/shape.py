"""What a table of target facts is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: a gene, the kind of fact, and what it is about (disease, modality, tissue, cells).

    `pmids` and `record` are the source's; `fields` keep every other column under its own name,
    and score, source, year and reason under these.
    """

    row: int
    kind: str
    gene: str  # CURIE
    gene_label: str
    about: str  # CURIE or name
    about_label: str
    record: str = ""
    pmids: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactTable:
    """A whole file."""

    name: str
    facts: tuple[Fact, ...]


class BadRow(ValueError):
    """What is wrong with one row, as the end of a sentence."""
