"""Signatures kept as JSON objects: genes up and genes down of one perturbation each (CREEDS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.genenames import number
from corpus.sources.perturbations.shape import BadRow, Effects
from corpus.types import PerturbationKind

_KINDS: Final[Mapping[str, PerturbationKind]] = {
    "oe": "overexpression",
    "overexpression": "overexpression",
    "ko": "knockout",
    "knockout": "knockout",
    "deletion": "knockout",
    "mutation": "knockout",
    "kd": "knockdown",
    "knockdown": "knockdown",
    "shrna": "knockdown",
    "sirna": "knockdown",
    "treatment": "treatment",
    "drug": "treatment",
}
_TAXA: Final = {"human": "9606", "mouse": "10090", "rat": "10116"}
_LISTS: Final = (("up_genes", "down_genes"), ("up", "down"))


def is_gene_sets(value: Any) -> bool:
    """Whether a JSON object holds two lists of genes."""
    return isinstance(value, dict) and any(
        isinstance(value.get(up), list) and isinstance(value.get(down), list) for up, down in _LISTS
    )


def effects_of(value: Mapping[str, Any]) -> Effects:
    """Read one object. The list, not the stored sign, tells the direction: coefficients are taken
    as magnitudes. Genes without a coefficient count 1. Raises BadRow without genes or name.
    """
    up, down = next(pair for pair in _LISTS if isinstance(value.get(pair[0]), list))
    name = _text(value, "id", "name")
    target = _text(
        value, "hs_gene_symbol", "mm_gene_symbol", "drug_name", "disease_name", "perturbation"
    )
    if not (name or target):
        raise BadRow("has neither an id nor the name of what was perturbed")
    kind = _kind(value)
    context = ", ".join(filter(None, (_text(value, "cell_type"), _text(value, "geo_id"))))
    statistic = "characteristic direction" if up == "up_genes" else "direction"
    effects = Effects(name or target, target or name, kind, statistic, target, context)
    effects.taxon = _TAXA.get(_text(value, "organism").lower(), "")
    for key, sign in ((up, 1), (down, -1)):
        for entry in value.get(key) or ():
            _add(effects, entry, sign)
    if not effects.genes:
        raise BadRow("names no gene")
    return effects


def _kind(value: Mapping[str, Any]) -> PerturbationKind:
    if value.get("drug_name"):
        return "treatment"
    return _KINDS.get(_text(value, "pert_type").lower(), "perturbation")


def _add(effects: Effects, entry: Any, sign: int) -> None:
    gene, size = (entry[0], entry[1]) if isinstance(entry, list) and len(entry) == 2 else (entry, 1)
    found = number(str(size)) if isinstance(size, (int, float)) else None
    symbol = one_line(gene) if isinstance(gene, str) else ""
    if symbol:
        effects.add(symbol, sign * abs(1.0 if found is None else found))


def _text(value: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, (str, int)) and not isinstance(found, bool):
            return one_line(str(found))[:200]
    return ""
