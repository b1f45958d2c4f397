"""Vocabularies as plain tables: DrugBank's names, and any table with id, name and synonyms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast, get_args

from corpus.sources.curies import from_pair
from corpus.sources.tabular import find_column
from corpus.sources.vocabularies.shape import BadEntry, names_of
from corpus.types import Term, TermKind

PLAIN_IDS: Final = ("curie", "id", "identifier", "term_id", "code")
PLAIN_NAMES: Final = ("name", "label", "preferred_name", "preferred_label", "term", "title")
_SYNONYMS: Final = ("synonyms", "aliases", "names", "synonym", "alternative_names")
_KIND: Final = ("kind", "type", "category")
_DRUGBANK = re.compile(r"DB\d{5}")


def drugbank(cells: Mapping[str, str]) -> Term:
    """A name row of DrugBank's open vocabulary."""
    local, name = cells["DRUGBANK_ID"], cells["ID"]
    if not _DRUGBANK.fullmatch(local) or not name or cells["NAMESPACE"] != "NAME":
        raise BadEntry("is no name of a drug (DRUGBANK_ID, NAMESPACE NAME, ID)")
    return Term(f"drugbank:{local}", name, "drug", (name,))


def plain_reader(header: Sequence[str], own: str, name: str) -> Callable[[dict[str, str]], Term]:
    """How to read a row of a plain table: synonyms by ";" or "|", kind where a column tells it."""
    synonyms, kind = find_column(header, _SYNONYMS), find_column(header, _KIND)

    def read(cells: dict[str, str]) -> Term:
        if not (cells[own] and cells[name]):
            raise BadEntry("lacks the id or the name")
        others = re.split(r"[;|]", cells[synonyms]) if synonyms else []
        told = cells[kind].lower() if kind else ""
        known = cast(TermKind, told) if told in get_args(TermKind) else "other"
        curie = from_pair(cells[own]) or cells[own]
        return Term(curie, cells[name], known, names_of((cells[name],), others))

    return read
