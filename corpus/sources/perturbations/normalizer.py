"""A file of perturbations as one document: signatures, and a record of the strongest genes each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.perturbations.shape import (
    Effects,
    MeasuredGenes,
    PerturbationTable,
    ResponseCounts,
)
from corpus.sources.recordblocks import Item, record_blocks
from corpus.types import Block, NormalizedDocument, Signature, Term

_STRONGEST: Final = 15
_VERBS: Final = {
    "knockout": "Knock-out of",
    "knockdown": "Knock-down of",
    "overexpression": "Overexpression of",
    "treatment": "Treatment with",
    "screen": "Screen",
    "perturbation": "Perturbation",
}


def normalize(record: PerturbationTable | ResponseCounts | MeasuredGenes) -> NormalizedDocument:
    """Turn a file into a document.

    Its metadata hold "rows", "values_per_row" and "gaps"; where a row gives a fixed number of
    values, the genes of all signatures are rows * values_per_row - gaps ("values"). Gene sets have
    values_per_row 0: each record gives as many as it lists.
    """
    if isinstance(record, ResponseCounts):
        return _counts(record)
    if isinstance(record, MeasuredGenes):
        return _measured(record)
    name = one_line(record.name)
    names = _unique_names(record.effects)
    signatures = tuple(map(_signature, record.effects, names))
    return NormalizedDocument(
        type="dataset",
        source="perturbations",
        external_id=name[:255],
        title=f"{record.title} ({name})",
        blocks=tuple(map(_block, signatures)),
        signatures=signatures,
        records=record.rows,
        metadata={
            "form": record.form,
            "rows": record.rows,
            "values_per_row": record.per_row,
            "gaps": record.gaps,
            "values": sum(len(signature.genes) for signature in signatures),
        },
    )


def _unique_names(effects: Sequence[Effects]) -> list[str]:
    counts: dict[str, int] = {}
    names = []
    for effect in effects:
        counts[effect.name] = counts.get(effect.name, 0) + 1
        copy = counts[effect.name]
        names.append(effect.name if copy == 1 else f"{effect.name} ({copy})")
    return names


def _signature(effect: Effects, name: str) -> Signature:
    known = any(not math.isnan(p) for p in effect.p_values)
    return Signature(
        name=name,
        perturbation=effect.perturbation,
        kind=effect.kind,
        statistic=effect.statistic,
        genes=tuple(effect.genes),
        values=tuple(effect.values),
        p_values=tuple(effect.p_values) if known else (),
        perturbation_label=effect.label,
        context=effect.context,
        taxon=effect.taxon,
    )


def _block(signature: Signature) -> Block:
    """What was done and which genes answered most, each gene once by its strongest value."""
    target = signature.perturbation_label or signature.perturbation
    where = f" in {signature.context}" if signature.context else ""
    count = len(signature.genes)
    up, down = _strongest(signature, 1), _strongest(signature, -1)
    words = ("enriched", "depleted") if signature.kind == "screen" else ("raised", "lowered")
    parts = [
        f"{_VERBS[signature.kind]} {target}{where}: {signature.statistic} of {count:,} values."
    ]
    for word, genes in zip(words, (up, down), strict=True):
        if genes:
            told = ", ".join(f"{gene} ({value:.3g})" for gene, value in genes)
            parts.append(f"Most {word}: {told}.")
    fields: dict[str, Any] = {
        "signature": signature.name,
        "perturbation": signature.perturbation,
        "kind": signature.kind,
        "statistic": signature.statistic,
        "values": count,
        "up": [gene for gene, _ in up],
        "down": [gene for gene, _ in down],
    }
    return Block(" ".join(parts), kind="record", fields=fields)


def _strongest(signature: Signature, sign: int) -> list[tuple[str, float]]:
    best: dict[str, float] = {}
    for gene, value in zip(signature.genes, signature.values, strict=True):
        if value * sign > 0 and value * sign > best.get(gene, 0.0) * sign:
            best[gene] = value
    ordered = sorted(best.items(), key=lambda entry: (-entry[1] * sign, entry[0]))
    return [(gene[:60], value) for gene, value in ordered[:_STRONGEST]]


def _counts(record: ResponseCounts) -> NormalizedDocument:
    name = one_line(record.name)
    items = (Item("", _counted(who, cells), (row,)) for row, who, cells in record.rows)
    head = f"Genes that respond to {record.kind} (LINCS consensus):"
    return NormalizedDocument(
        type="dataset",
        source="perturbations",
        external_id=name[:255],
        title=f"LINCS response counts ({name})",
        blocks=tuple(record_blocks(head, items, {"kind": record.kind})),
        records=len(record.rows),
        metadata={"form": "lincs_counts", "rows": len(record.rows)},
        note="This table counts responding genes; it holds no signature.",
    )


def _counted(who: str, cells: dict[str, str]) -> str:
    return f"{who} – {', '.join(f'{name} {count}' for name, count in cells.items())};"


def _measured(record: MeasuredGenes) -> NormalizedDocument:
    name = one_line(record.name)
    return NormalizedDocument(
        type="vocabulary",
        source="perturbations",
        external_id=name[:255],
        title=f"Genes measured by LINCS ({name})",
        terms=tuple(_terms(record)),
        records=len(record.rows),
        metadata={"form": "lincs_genes", "rows": len(record.rows)},
        note="This list names genes; it has no text to search.",
    )


def _terms(record: MeasuredGenes) -> Iterator[Term]:
    for entrez, symbol, description in record.rows:
        names = tuple(filter(None, (symbol, description)))
        yield Term(
            curie=f"ncbigene:{entrez}",
            label=symbol or description,
            kind="gene",
            names=names,
            symbols=(symbol,) if symbol else (),
            taxon="9606",
        )
