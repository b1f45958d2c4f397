"""Which of several entities of one name is meant."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal

from corpus.lexicon.loaders import CASED, FREE, GENE_KINDS, Name, bare
from corpus.types import Term

Group = Literal["gene", "chemical", "disease", "other"]
# Earlier vocabularies give the id where several know a thing.
_ORDER: Final = {
    name: place
    for place, name in enumerate(
        "fplx hgnc uniprot chebi mesh doid mondo drugbank chembl umls taxon".split()
    )
}
GROUPS: Final[dict[str, Group]] = {
    **{kind: "gene" for kind in GENE_KINDS},
    "chemical": "chemical",
    "drug": "chemical",
    "disease": "disease",
}
_Rank = tuple[bool, int, bool, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """A name's entity, its ids elsewhere, and what else it could be."""

    name: Name
    also: tuple[str, ...]
    alternatives: tuple[str, ...]


def choose(
    terms: Sequence[Term], names: Sequence[Name], surface: str, spoken: AbstractSet[int]
) -> Choice | None:
    """First what sort of thing: long names and approved symbols before aliases. Then which: an
    approved symbol, then what the text speaks of, then by vocabulary.

    None when it is an alias of several genes and nothing tells which.
    """
    if len(names) == 1:
        return Choice(names[0], (), ())
    group = min(names, key=lambda name: _sort(terms[name.term], name, spoken))
    wanted = group_of(terms[group.term])
    within = [name for name in names if group_of(terms[name.term]) == wanted]
    ranks = {name: _rank(terms[name.term], name, surface, spoken) for name in within}
    within.sort(key=lambda name: ranks[name])
    best = within[0]
    term = terms[best.term]
    rivals = [name for name in within if name.term != best.term and ranks[name] == ranks[best]]
    if rivals and wanted == "gene" and best.reason == "synonym":
        return None
    also = dict.fromkeys(
        terms[name.term].curie for name in within if prefix(terms[name.term]) != prefix(term)
    )
    others = dict.fromkeys(terms[name.term].curie for name in names if name.term != best.term)
    return Choice(best, tuple(also), tuple(curie for curie in others if curie not in also))


def _sort(term: Term, name: Name, spoken: AbstractSet[int]) -> tuple[bool, int]:
    plain = name.need == FREE or name.term in spoken or name.reason == "symbol"
    curated = prefix(term) == "fplx" and name.need == CASED
    return not (plain or curated), ("disease", "chemical", "gene", "other").index(group_of(term))


def _rank(term: Term, name: Name, surface: str, spoken: AbstractSet[int]) -> _Rank:
    order = _ORDER.get(prefix(term), len(_ORDER))
    doubted = name.need != FREE and name.reason == "synonym" and name.term not in spoken
    exact = 0 if surface == name.text else 1 if bare(surface) == bare(name.text) else 2
    return name.reason != "symbol", order, doubted, exact


def prefix(term: Term) -> str:
    """The vocabulary of a term."""
    return term.curie.partition(":")[0]


def group_of(term: Term) -> Group:
    """Kinds that are one sort of thing for a name."""
    return GROUPS.get(term.kind, "other")
