"""Terms of several vocabularies that are one thing: it has one id however it is spelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from corpus.lexicon.choosing import group_of, order, prefix
from corpus.lexicon.loaders import Name
from corpus.types import Term

SHARED_NAMES = 2  # genes and families of two vocabularies are one when they share as many


def links(terms: Sequence[Term], names: Mapping[str, tuple[Name, ...]]) -> dict[int, int]:
    """Place of a term → place of the term that gives the id: of diseases by the one reference to
    an earlier vocabulary, of genes and families by shared names.
    """
    places = {term.curie: place for place, term in enumerate(terms) if not term.withdrawn}
    linked = {
        place: target
        for place, term in enumerate(terms)
        if group_of(term) == "disease" and (target := _referred(terms, term, places)) is not None
    }
    shared = Counter(pair for found in names.values() for pair in _pairs(terms, found))
    first = sorted(shared.items(), key=lambda item: (order(terms[item[0][1]]), -item[1], item[0]))
    for (place, target), number in first:
        if number >= SHARED_NAMES:
            linked.setdefault(place, target)
    return {place: target for place, target in linked.items() if target not in linked}


def _referred(terms: Sequence[Term], term: Term, places: Mapping[str, int]) -> int | None:
    targets = {
        places[xref]
        for xref in term.xrefs
        if xref in places
        and order(terms[places[xref]]) < order(term)
        and group_of(terms[places[xref]]) == "disease"
    }
    best = min((order(terms[target]) for target in targets), default=None)
    first = [target for target in targets if order(terms[target]) == best]
    return first[0] if len(first) == 1 else None


def _pairs(terms: Sequence[Term], names: Sequence[Name]) -> set[tuple[int, int]]:
    """(later, earlier vocabulary) among genes and families that share a name."""
    if len(names) < 2:
        return set()
    genes = {name.term for name in names if group_of(terms[name.term]) == "gene"}
    return {
        (a, b)
        for a, b in permutations(genes, 2)
        if order(terms[b]) < order(terms[a]) and prefix(terms[a]) not in ("hgnc", "fplx")
    }
