"""What a vocabulary's file is read into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corpus.sources.cleaning import one_line
from corpus.types import Relation, Term

MAX_NAME = 500  # longer names are damage
MAX_NAMES = 500  # of one term


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A whole file: its terms. `records` are its entries, `counts` what was left out and why."""

    name: str
    form: str
    title: str
    records: int
    terms: tuple[Term, ...] = ()
    relations: tuple[Relation, ...] = ()
    definitions: tuple[tuple[str, str, str], ...] = ()  # (CURIE, label, text)
    counts: Mapping[str, Any] = field(default_factory=dict)


class BadEntry(ValueError):
    """What is wrong with one entry, as the end of a sentence."""


def joined(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms with those of one CURIE made one: the first, with the names, symbols and ids of
    all (HGNC's tables repeat some withdrawn entries).
    """
    found: dict[str, Term] = {}
    for term in terms:
        first = found.get(term.curie)
        if first is None:
            found[term.curie] = term
        elif first != term:
            found[term.curie] = replace(
                first,
                names=names_of(first.names, term.names),
                symbols=names_of(first.symbols, term.symbols),
                xrefs=tuple(dict.fromkeys((*first.xrefs, *term.xrefs))),
            )
    return tuple(found.values())


def names_of(*groups: Sequence[str]) -> tuple[str, ...]:
    """All names once, in order, clean; giant ones and those past the first 500 are left out."""
    found: dict[str, None] = {}
    for name in (name for group in groups for name in group):
        plain = one_line(name)
        if plain and len(plain) <= MAX_NAME and len(found) < MAX_NAMES:
            found.setdefault(plain)
    return tuple(found)
