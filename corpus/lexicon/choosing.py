"""Which of several entities of one name is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal

from corpus.lexicon.loaders import CASED, FREE, GENE_KINDS, Name, approved, bare
from corpus.types import Term

Group = Literal["gene", "chemical", "disease", "other"]
# Earlier vocabularies give the id where several know a thing.
_VOCABULARIES: Final = (
    *("fplx", "hgnc", "uniprot", "chebi", "mesh", "doid", "mondo"),
    *("drugbank", "chembl", "umls", "taxon"),
)
_ORDER: Final = {name: place for place, name in enumerate(_VOCABULARIES)}
GROUPS: Final[dict[str, Group]] = {
    **{kind: "gene" for kind in GENE_KINDS},
    "chemical": "chemical",
    "drug": "chemical",
    "disease": "disease",
}
_Rank = tuple[bool, int, bool, bool, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """A name's entity, its ids elsewhere, and what else it could be."""

    name: Name
    term: Term  # which gives the id
    also: tuple[str, ...]
    alternatives: tuple[str, ...]


def choose(
    terms: Sequence[Term],
    names: Sequence[Name],
    surface: str,
    spoken: AbstractSet[int],
    links: Mapping[int, int],
) -> Choice | None:
    """First what sort of thing: long names and approved symbols before aliases. Then which: an
    approved symbol, then by vocabulary, then what the text speaks of.

    `links` lead to the term that gives the id, `spoken` are such terms. None when it is an alias of
    several genes and nothing tells which.
    """
    if len(names) == 1:
        return _choice(terms, names[0], (), (), links)
    first = min(names, key=lambda name: _sort(terms[name.term], name, spoken, links))
    wanted = group_of(terms[first.term])
    within = [name for name in names if group_of(terms[name.term]) == wanted]
    ranks = {
        name: _rank(terms[name.term], name, surface, links.get(name.term, name.term) in spoken)
        for name in within
    }
    within.sort(key=lambda name: ranks[name])
    best = within[0]
    rivals = [name for name in within if name.term != best.term and ranks[name] == ranks[best]]
    if rivals and wanted == "gene" and best.reason == "synonym":
        return None
    return _choice(terms, best, within, names, links)


def _choice(
    terms: Sequence[Term],
    best: Name,
    within: Sequence[Name],
    names: Sequence[Name],
    links: Mapping[int, int],
) -> Choice:
    place = links.get(best.term, best.term)
    term = terms[place]
    same = dict.fromkeys([terms[best.term].curie])
    same |= dict.fromkeys(
        terms[name.term].curie
        for name in within
        if links.get(name.term) == place or prefix(terms[name.term]) != prefix(term)
    )
    same.pop(term.curie, None)
    others = dict.fromkeys(terms[name.term].curie for name in names if name.term != place)
    return Choice(best, term, tuple(same), tuple(curie for curie in others if curie not in same))


def _sort(
    term: Term, name: Name, spoken: AbstractSet[int], links: Mapping[int, int]
) -> tuple[bool, int]:
    plain = name.need == FREE or name.reason == "symbol"
    known = plain or links.get(name.term, name.term) in spoken
    curated = prefix(term) == "fplx" and name.need == CASED
    return not (known or curated), ("disease", "chemical", "gene", "other").index(group_of(term))


def _rank(term: Term, name: Name, surface: str, spoken: bool) -> _Rank:
    doubted = name.need != FREE and name.reason == "synonym" and not spoken
    exact = 0 if surface == name.text else 1 if bare(surface) == bare(name.text) else 2
    return name.reason != "symbol", order(term), doubted, not _akin(name.text, term), exact


def _akin(alias: str, term: Term) -> bool:
    """Whether an alias is an older form of the approved symbol: SEPT2 of SEPTIN2."""
    letters = alias.rstrip("0123456789")
    symbol = approved(term)
    return symbol.startswith(letters) and symbol.endswith(alias[len(letters) :])


def order(term: Term) -> int:
    """Its vocabulary's place among those that give ids, 0 first."""
    return _ORDER.get(prefix(term), len(_ORDER))


def prefix(term: Term) -> str:
    """The vocabulary of a term."""
    return term.curie.partition(":")[0]


def group_of(term: Term) -> Group:
    """Kinds that are one sort of thing for a name."""
    return GROUPS.get(term.kind, "other")
