"""UMLS's MRCONSO.RRF: 18 fields with a bar after each, a row a name, grouped by concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.base import Broken
from corpus.sources.curies import curie
from corpus.sources.vocabularies.shape import names_of
from corpus.types import Term, TermKind

FIELDS: Final = 18
_CUI, _LAT, _TS, _STT, _ISPREF, _SAB, _CODE, _STR, _SUPPRESS = 0, 1, 2, 4, 6, 11, 13, 14, 16
# Vocabularies of one kind of thing; the first that a concept has decides.
_KINDS: Final[Mapping[str, TermKind]] = {
    "HGNC": "gene",
    "DOID": "disease",
    "MONDO": "disease",
    "OMIM": "disease",
    "ICD10CM": "disease",
    "RXNORM": "drug",
    "DRUGBANK": "drug",
    "CHEBI": "chemical",
    "GO": "process",
    "UBERON": "anatomy",
    "FMA": "anatomy",
    "NCBI": "organism",
}


@dataclass(slots=True)
class _Concept:
    label: str = ""
    names: list[str] = field(default_factory=list)
    xrefs: list[str] = field(default_factory=list)
    kind: TermKind = "other"


def is_rrf(text: str) -> bool:
    """Whether a first line has MRCONSO's fields."""
    first = text.lstrip().partition("\n")[0].rstrip("\r")
    return first.count("|") == FIELDS and first.endswith("|") and first.startswith("C")


def concepts(text: str, counts: dict[str, int]) -> Iterator[Term | Broken]:
    """Yield bad rows, then a term a concept. Names in other languages than English and suppressed
    ones are left out; `counts` gains "rows", "other_language" and "suppressed".
    """
    found: dict[str, _Concept] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("|")
        if len(cells) != FIELDS + 1 or not (cells[_CUI] and cells[_STR]):
            yield Broken(f"row {number}", f"Row {number} has not the {FIELDS} fields of MRCONSO.")
            continue
        counts["rows"] += 1
        _add(found, cells, counts)
    for cui, concept in found.items():
        if concept.names:
            yield _term(cui, concept)


def _add(found: dict[str, _Concept], cells: list[str], counts: dict[str, int]) -> None:
    if cells[_LAT] != "ENG":
        counts["other_language"] += 1
        return
    if cells[_SUPPRESS] not in ("N", ""):
        counts["suppressed"] += 1
        return
    concept = found.setdefault(cells[_CUI], _Concept())
    concept.names.append(cells[_STR])
    preferred = (cells[_TS], cells[_STT], cells[_ISPREF]) == ("P", "PF", "Y")
    if preferred and not concept.label:
        concept.label = cells[_STR]
    if cells[_CODE] not in ("", "NOCODE"):
        concept.xrefs.append(curie(cells[_SAB], cells[_CODE]))
    if concept.kind == "other":
        concept.kind = _KINDS.get(cells[_SAB], "other")


def _term(cui: str, concept: _Concept) -> Term:
    label = concept.label or concept.names[0]
    return Term(
        curie=f"umls:{cui}",
        label=label,
        kind=concept.kind,
        names=names_of((label,), concept.names),
        xrefs=tuple(dict.fromkeys(filter(None, concept.xrefs))),
    )
