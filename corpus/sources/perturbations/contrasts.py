"""Differential expression: gene columns and one or more contrasts, each with log fold change and
p value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.sources.genenames import number, undated
from corpus.sources.perturbations.shape import BadRow, Effects
from corpus.sources.tabular import ROW_NAME, find_column, plain_name
from corpus.types import PerturbationKind

Cells = Mapping[str, str]
GENE: Final = (
    "genesymbol", "gene_symbol", "symbol", "gene_name", "gene", "genes", "hgnc_symbol", "id",
    "gene_id", "geneid", "ensembl_gene_id", "ensembl", "ensg", plain_name(ROW_NAME),
)  # fmt: skip
CHANGE: Final = (
    "logfc", "log2foldchange", "log2fc", "log2_fold_change", "log_fc", "lfc", "log2_fc",
    "avg_log2fc", "avg_logfc", "z_score", "zscore", "z", "score", "beta", "effect",
)  # fmt: skip
P_VALUE: Final = ("p_value", "pvalue", "p", "pval", "p_val", "p_values")
GROUP: Final = (
    "perturbation", "perturbagen", "contrast", "condition", "comparison", "treatment", "cytokine",
    "knockout", "signature", "experiment",
)  # fmt: skip
CONTEXT: Final = ("cell_line", "cell_type", "celltype", "tissue", "cell", "context")
_FALLBACKS: Final = ("geneid", "entrez", "entrez_gene_id", "ensg", "ensembl")
_PAIR = re.compile(r"(.+?)[_.|](?:logFC|log2FoldChange|lfc)", re.IGNORECASE)
_NAMED = re.compile(r"(ko|si|sh|kd|oe|cas9|crispr)[-_]?(?=[A-Z])([A-Za-z0-9-]+?)(_?\d)?")
_KINDS: Final[Mapping[str, PerturbationKind]] = {
    "ko": "knockout",
    "cas9": "knockout",
    "crispr": "knockout",
    "si": "knockdown",
    "sh": "knockdown",
    "kd": "knockdown",
    "oe": "overexpression",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """The columns of one contrast: its name, log fold change and p value ('' without)."""

    name: str
    change: str
    p_value: str


def pairs_of(header: Sequence[str]) -> tuple[Pair, ...]:
    """Contrasts that are named before their columns: koATF3_logFC, koATF3_pValue."""
    plain = {plain_name(name): name for name in header}
    found = []
    for name in header:
        if match := _PAIR.fullmatch(name):
            stem = plain_name(match.group(1))
            p_value = next((plain[f"{stem}_{p}"] for p in P_VALUE if f"{stem}_{p}" in plain), "")
            found.append(Pair(match.group(1), name, p_value))
    return tuple(found)


def named_perturbation(name: str) -> tuple[str, PerturbationKind]:
    """What a contrast's name says was done: koATF3 is a knock-out of ATF3, siTAZ2 the second
    silencing of TAZ. A name without such a prefix is a perturbation as it stands.
    """
    match = _NAMED.fullmatch(name)
    if not match:
        return name, "perturbation"
    kind = _KINDS[match.group(1)]
    target = match.group(2)
    # Two guides or siRNAs of one target are numbered; a symbol's own digit (ATF3) is not one.
    if kind != "knockdown" and match.group(3):
        target += match.group(3)
    return target, kind


def gene_columns(header: Sequence[str]) -> tuple[str, ...]:
    """Columns that name a row's gene, best first; the first column stands in for a probe id."""
    best = find_column(header, GENE)
    rest = [find_column(header, (name,)) for name in _FALLBACKS]
    return tuple(dict.fromkeys(filter(None, (best, *rest, header[0] if best else ""))))


def gene_of(cells: Cells, columns: Sequence[str]) -> str:
    """The row's gene by the first column that names one; an id of another column as a CURIE."""
    for place, column in enumerate(columns):
        text = cells[column]
        if text and text.upper() not in ("NA", "---"):
            return undated(text) if place == 0 else _as_curie(column, text)
    raise BadRow("names no gene")


def _as_curie(column: str, text: str) -> str:
    first = text.split(";")[0].strip()
    if first.startswith("ENS"):
        return f"ensembl:{first}"
    if first.isdigit() and plain_name(column) in ("geneid", "entrez", "entrez_gene_id"):
        return f"ncbigene:{first}"
    return first


def paired(
    name: str, taxon: str, header: Sequence[str], pairs: Sequence[Pair]
) -> tuple[list[Effects], Callable[[Cells], int]]:
    """A table with one contrast a pair of columns; the cell line is read from the file's name."""
    columns = gene_columns(header)
    context = _context(name)
    effects = []
    for pair in pairs:
        target, kind = named_perturbation(pair.name)
        effects.append(Effects(pair.name, target, kind, "log2 fold change", target, context, taxon))

    def add(cells: Cells) -> int:
        gene, gaps = gene_of(cells, columns), 0
        for pair, effect in zip(pairs, effects, strict=True):
            value = number(cells[pair.change])
            if value is None:
                gaps += 1
            else:
                effect.add(gene, value, number(cells[pair.p_value]) if pair.p_value else None)
        return gaps

    return effects, add


def _context(name: str) -> str:
    """The middle of names like koATF3_HCT116_diffexDT.tsv, '' of others."""
    parts = name.partition(".")[0].split("_")
    return parts[1] if len(parts) == 3 and parts[2].lower().startswith("diffex") else ""


def single(
    name: str, taxon: str, header: Sequence[str]
) -> tuple[list[Effects], Callable[[Cells], int]] | None:
    """Any table with a gene, a change and perhaps a p value; with a column of perturbations one
    effect each, else one named by the file. None when gene or change is missing.
    """
    columns = gene_columns(header)
    change, p_value, group, context = (
        find_column(header, names) for names in (CHANGE, P_VALUE, GROUP, CONTEXT)
    )
    if not (columns and change):
        return None
    stem = name.rpartition(".")[0] or name
    found: dict[tuple[str, str], Effects] = {}
    effects: list[Effects] = []

    def add(cells: Cells) -> int:
        value = number(cells[change])
        if value is None:
            raise BadRow(f"has no number in {change}")
        gene = gene_of(cells, columns)
        label = cells[group] if group else stem
        place = cells[context] if context else ""
        key = (label or stem, place)
        if key not in found:
            target, kind = named_perturbation(key[0])
            title = f"{key[0]} in {place}" if place else key[0]
            found[key] = Effects(title, target, kind, change, target, place, taxon)
            effects.append(found[key])
        found[key].add(gene, value, number(cells[p_value]) if p_value else None)
        return 0

    return effects, add
