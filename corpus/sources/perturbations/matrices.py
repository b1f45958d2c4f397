"""Response matrices (a row a gene, a column a perturbation) and the tables of LINCS consensi."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from corpus.sources.genenames import number
from corpus.sources.perturbations.shape import BadRow, Effects
from corpus.sources.tabular import ROW_NAME, Table
from corpus.types import PerturbationKind

Cells = Mapping[str, str]
DYSREGULATED: Final = ("perturbagen", "entrez_gene_id", "z_score", "symbol", "direction")
COUNTS: Final = ("perturbagen", "down-imputed", "down-measured", "up-imputed", "up-measured")
MEASURED: Final = ("entrez_gene_id", "status", "symbol", "type_of_gene", "description")
_SAMPLE: Final = 20


def is_matrix(table: Table) -> bool:
    """Whether every column but a first one of names holds numbers, by the first rows."""
    if len(table.header) < 3 or table.header[0] not in (ROW_NAME, "Gene", "gene", "symbol", "GENE"):
        return False
    cells = [cell for row in table.rows[:_SAMPLE] for cell in row.cells[1:] if cell]
    return bool(cells) and all(number(cell) is not None or cell == "NA" for cell in cells)


def matrix(
    name: str, taxon: str, header: Sequence[str], *, cytokines: bool
) -> tuple[list[Effects], Callable[[Cells], int]]:
    """One effect a column. Of CytoSig the columns are cytokines given to cells, the values the
    centroids of log2 fold changes.
    """
    kind: PerturbationKind = "treatment" if cytokines else "perturbation"
    statistic = "log2 fold change (centroid)" if cytokines else "value"
    effects = [
        Effects(column, column, kind, statistic, column, taxon=taxon) for column in header[1:]
    ]

    def add(cells: Cells) -> int:
        gene, gaps = cells[header[0]], 0
        if not gene:
            raise BadRow("names no gene")
        for effect in effects:
            value = number(cells[effect.name])
            if value is None:
                gaps += 1
            else:
                effect.add(gene, value)
        return gaps

    return effects, add


def perturbagen_kind(filename: str) -> PerturbationKind:
    """What was done to the genes of a LINCS table, as its file name tells."""
    name = filename.lower()
    if "overexpression" in name:
        return "overexpression"
    if "knockdown" in name:
        return "knockdown"
    return "treatment" if "drug" in name else "perturbation"


def perturbagen(text: str) -> str:
    """CURIE of a perturbagen: genes by Entrez id, compounds by their own id."""
    return f"ncbigene:{text}" if text.isdigit() else text


def dysregulated(name: str, table: Table) -> tuple[list[Effects], Callable[[Cells], int]]:
    """LINCS consensus responses: one effect a perturbagen, z scores, Bonferroni-corrected p.

    A perturbagen that is itself among the responding genes gets its symbol from there.
    """
    kind = perturbagen_kind(name)
    ids, symbols = table.header.index("entrez_gene_id"), table.header.index("symbol")
    known = {row.cells[ids]: row.cells[symbols] for row in table.rows if row.cells[symbols]}
    found: dict[str, Effects] = {}
    effects: list[Effects] = []

    def add(cells: Cells) -> int:
        who, value = cells["perturbagen"], number(cells["z_score"])
        gene = cells["symbol"] or perturbagen(cells["entrez_gene_id"])
        if not (who and gene):
            raise BadRow("lacks the perturbagen or the gene")
        if value is None:
            raise BadRow("has no number in z_score")
        if who not in found:
            curie = perturbagen(who)
            label = known.get(who, curie)
            found[who] = Effects(f"{kind} of {curie}", curie, kind, "z", label, taxon="9606")
            effects.append(found[who])
        exponent = number(cells.get("nlog10_bonferroni_pval", ""))
        found[who].add(gene, value, None if exponent is None else 10.0 ** -min(exponent, 300))
        return 0

    return effects, add
