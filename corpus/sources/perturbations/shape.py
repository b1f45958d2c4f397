"""What a file of perturbations is read into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from corpus.types import PerturbationKind

GAP: Final = float("nan")


@dataclass(slots=True)
class Effects:
    """One perturbation with its values in the order of the rows; filled while a file is read.

    A gene that several probes measured comes several times: nothing of the table is lost.
    """

    name: str
    perturbation: str
    kind: PerturbationKind
    statistic: str
    label: str = ""
    context: str = ""
    taxon: str = ""
    genes: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    p_values: list[float] = field(default_factory=list)

    def add(self, gene: str, value: float, p_value: float | None = None) -> None:
        """Add one value; of an effect with p values every value has one (NaN for a gap)."""
        self.genes.append(gene)
        self.values.append(value)
        self.p_values.append(GAP if p_value is None else p_value)


@dataclass(frozen=True, slots=True)
class PerturbationTable:
    """A whole file. `rows` are the source rows read; each gives `per_row` values at most, and
    `gaps` of them are missing, so the genes of all effects are rows * per_row - gaps.
    """

    name: str
    form: str
    title: str
    rows: int
    effects: tuple[Effects, ...]
    per_row: int = 1
    gaps: int = 0


@dataclass(frozen=True, slots=True)
class ResponseCounts:
    """How many genes respond to each perturbagen: (row, perturbagen, column -> count)."""

    name: str
    kind: PerturbationKind
    rows: tuple[tuple[int, str, dict[str, str]], ...]


@dataclass(frozen=True, slots=True)
class MeasuredGenes:
    """The genes that a set of perturbations measures: (Entrez id, symbol, description)."""

    name: str
    rows: tuple[tuple[str, str, str], ...]


class BadRow(ValueError):
    """What is wrong with one row, as the end of a sentence."""
