"""CRISPR screens as MAGeCK writes them: gene summaries (RRA, MLE) and guide summaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from corpus.sources.genenames import number
from corpus.sources.perturbations.shape import BadRow, Effects

Cells = Mapping[str, str]
RRA: Final = ("id", "neg|p-value", "neg|lfc", "pos|p-value")
GUIDES: Final = ("sgrna", "Gene", "LFC", "p.twosided")
_LOG_FOLD: Final = "log2 fold change"


def rra(name: str, taxon: str) -> tuple[list[Effects], Callable[[Cells], int]]:
    """Gene summary of a two-sided test. The log fold change stands in both halves; the p value is
    that of the half with the smaller one, enrichment or depletion.
    """
    screen = Effects(name, name, "screen", _LOG_FOLD, taxon=taxon)

    def add(cells: Cells) -> int:
        tested = [number(cells[f"{half}|p-value"]) for half in ("neg", "pos")]
        known = [p for p in tested if p is not None]
        screen.add(*_named(cells, "id", "neg|lfc"), min(known, default=None))
        return 0

    return [screen], add


def guides(name: str, taxon: str) -> tuple[list[Effects], Callable[[Cells], int]]:
    """Guide summary: one value a guide, named by its gene, so a gene comes several times."""
    screen = Effects(name, name, "screen", f"{_LOG_FOLD} of a guide", taxon=taxon)

    def add(cells: Cells) -> int:
        screen.add(*_named(cells, "Gene", "LFC"), number(cells["p.twosided"]))
        return 0

    return [screen], add


def mle_conditions(header: Sequence[str]) -> tuple[str, ...]:
    """The conditions of an MLE gene summary ("NAME|beta"), () for another table."""
    if not {"Gene", "sgRNA"} <= set(header):
        return ()
    return tuple(name.removesuffix("|beta") for name in header if name.endswith("|beta"))


def mle(
    name: str, taxon: str, conditions: Sequence[str]
) -> tuple[list[Effects], Callable[[Cells], int]]:
    """Gene summary of the maximum likelihood fit: a beta score and a p value a condition."""
    screens = {
        condition: Effects(condition, condition, "screen", "beta score", context=name, taxon=taxon)
        for condition in conditions
    }

    def add(cells: Cells) -> int:
        if not cells["Gene"]:
            raise BadRow("names no gene")
        gaps = 0
        for condition, screen in screens.items():
            value = number(cells[f"{condition}|beta"])
            if value is None:
                gaps += 1
            else:
                screen.add(cells["Gene"], value, number(cells.get(f"{condition}|p-value", "")))
        return gaps

    return list(screens.values()), add


def _named(cells: Cells, gene: str, column: str) -> tuple[str, float]:
    value = number(cells[column])
    if not cells[gene]:
        raise BadRow("names no gene")
    if value is None:
        raise BadRow(f"has no number in {column}")
    return cells[gene], value
