"""FamPlex's tables: entities, who belongs to what, the same thing elsewhere, names, definitions.

None of them has a header; each is told by its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from corpus.sources.base import Broken, ParseError
from corpus.sources.curies import curie
from corpus.sources.genenames import symbol_curie
from corpus.sources.tabular import Table, capped
from corpus.sources.vocabularies.shape import Vocabulary, names_of
from corpus.types import Relation, Term, TermKind

ENTITIES: Final = ("entity",)
RELATIONS: Final = ("part db", "part", "relation", "whole db", "whole")
EQUIVALENCES: Final = ("db", "id", "entity")
NAMES: Final = ("text", "db", "id", "db 2", "id 2", "db 3", "id 3")
DEFINITIONS: Final = ("entity", "from", "definition")
_PREDICATES: Final = {"isa": "is_a", "partof": "part_of"}
_ENTITY = re.compile(r"[A-Za-z0-9_]+")
_SOURCE = re.compile(r"[a-z]+:\S+|")
_KINDS: Final[dict[str, TermKind]] = {
    "fplx": "family",
    "uniprot": "protein",
    "hgnc.symbol": "gene",
    "pubchem.compound": "chemical",
    "chebi": "chemical",
    "chembl.compound": "chemical",
    "hmdb": "chemical",
    "go": "process",
}


def famplex_header(cells: Sequence[str], filename: str) -> tuple[str, ...] | None:
    """The columns of the FamPlex table that a first row belongs to, None for another table.

    A list of one column is FamPlex's entities only by its file's name: its rows tell nothing.
    """
    texts = [cell.strip() for cell in cells]
    if len(texts) == 5 and texts[2] in _PREDICATES:
        return RELATIONS
    if len(texts) == 7 and not any(texts[5:]) and re.fullmatch(r"[A-Z-]*", texts[1]):
        return NAMES
    if len(texts) == 3 and _ENTITY.fullmatch(texts[2]) and re.fullmatch(r"[A-Z_]+", texts[0]):
        return EQUIVALENCES
    if len(texts) == 3 and _ENTITY.fullmatch(texts[0]) and _SOURCE.fullmatch(texts[1]):
        return DEFINITIONS
    if len(texts) == 1 and "entities" in filename.lower() and _ENTITY.fullmatch(texts[0]):
        return ENTITIES
    return None


def famplex(table: Table, filename: str) -> Iterator[Vocabulary | Broken] | None:
    """Read the table by its columns, None when they are not FamPlex's. Rows with a gap are Broken
    (the grounding map pads its rows, definitions may lack their origin).
    """
    readers = {
        ENTITIES: _entities,
        RELATIONS: _relations,
        EQUIVALENCES: _equivalences,
        NAMES: _names,
        DEFINITIONS: _definitions,
    }
    reader = readers.get(table.header)
    return _read(table, filename, reader) if reader else None


def _read(
    table: Table, filename: str, reader: Callable[[Table, str], Vocabulary]
) -> Iterator[Vocabulary | Broken]:
    may_be_empty = {NAMES: (1, 2, 3, 4, 5, 6), DEFINITIONS: (1,)}.get(table.header, ())
    needed = [place for place in range(len(table.header)) if place not in may_be_empty]
    whole = tuple(row for row in table.rows if all(row.cells[place] for place in needed))
    kept = {row.number for row in whole}
    gaps = (row.number for row in table.rows if row.number not in kept)
    yield from capped([Broken(f"row {n}", f"Row {n} has an empty cell.") for n in gaps])
    if not whole:
        raise ParseError(f"{filename} holds no row that can be used.")
    yield reader(replace(table, rows=whole), filename)


def _label(local: str) -> str:
    return local.replace("_", " ")


def _term(own: str, label: str, names: Iterable[str], xrefs: Sequence[str] = ()) -> Term:
    kind = _KINDS.get(own.partition(":")[0], "other")
    return Term(own, label, kind, names_of(tuple(names)), xrefs=tuple(xrefs))


def _entities(table: Table, filename: str) -> Vocabulary:
    locals_ = [row.cells[0] for row in table.rows]
    terms = tuple(_term(f"fplx:{local}", local, (local, _label(local))) for local in locals_)
    return Vocabulary(filename, "famplex_entities", "FamPlex entities", len(terms), terms)


def member(db: str, local: str) -> str:
    """CURIE of a family's member: HGNC's members are symbols."""
    return symbol_curie(local) if db == "HGNC" else curie(db, local)


def _relations(table: Table, filename: str) -> Vocabulary:
    relations = []
    for row in table.rows:
        part_db, part, relation, whole_db, whole = row.cells
        relations.append(
            Relation(
                member(part_db, part),
                _PREDICATES.get(relation, relation),
                member(whole_db, whole),
                subject_label=part,
                object_label=whole,
                subject_kind="gene" if part_db == "HGNC" else "family",
                object_kind="family",
                record=f"row {row.number}",
            )
        )
    return Vocabulary(
        filename,
        "famplex_relations",
        "FamPlex families and complexes",
        len(relations),
        relations=tuple(relations),
    )


def _equivalences(table: Table, filename: str) -> Vocabulary:
    same: dict[str, list[str]] = {}
    for row in table.rows:
        db, local, entity = row.cells
        same.setdefault(entity, []).append(curie(db, local))
    terms = tuple(
        _term(f"fplx:{entity}", entity, (entity, _label(entity)), xrefs)
        for entity, xrefs in same.items()
    )
    return Vocabulary(
        filename, "famplex_equivalences", "FamPlex equivalences", len(table.rows), terms
    )


def _names(table: Table, filename: str) -> Vocabulary:
    """Texts by what they name; a text that names several ids at once is a name of the first, the
    others are the same thing elsewhere. Texts with no id are known not to name anything.
    """
    texts: dict[str, list[str]] = {}
    xrefs: dict[str, list[str]] = {}
    ungrounded = 0
    for row in table.rows:
        text, *pairs = row.cells
        ids = [member(db, local) for db, local in zip(pairs[::2], pairs[1::2], strict=True) if db]
        if not ids:
            ungrounded += 1
            continue
        texts.setdefault(ids[0], []).append(text)
        xrefs.setdefault(ids[0], []).extend(ids[1:])
    terms = tuple(
        _term(own, names[0], names, tuple(dict.fromkeys(xrefs[own])))
        for own, names in texts.items()
    )
    return Vocabulary(
        filename,
        "famplex_names",
        "FamPlex grounding map",
        len(table.rows),
        terms,
        counts={"ungrounded": ungrounded},
    )


def _definitions(table: Table, filename: str) -> Vocabulary:
    told = tuple((f"fplx:{row.cells[0]}", _label(row.cells[0]), row.cells[2]) for row in table.rows)
    return Vocabulary(
        filename, "famplex_definitions", "FamPlex definitions", len(told), definitions=told
    )
