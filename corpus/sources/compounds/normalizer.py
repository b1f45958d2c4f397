"""A file of compounds as one document: terms with their names, a readable record each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from corpus.sources.cleaning import one_line
from corpus.sources.compounds.shape import Compound, CompoundTable
from corpus.sources.recordblocks import Item, record_blocks
from corpus.types import Block, NormalizedDocument, Relation, Term, TermKind

_TOLD: Final = (
    ("description", ""),
    ("indication", "Indication: "),
    ("mechanism", "Mechanism: "),
)
_MAX_SHOWN_NAMES: Final = 8


def normalize(table: CompoundTable) -> NormalizedDocument:
    """Turn a table into a document: a term and a record block a compound, relations as they come.

    Relations without compounds in the same file (a table of roles) are told by compound.
    """
    name = one_line(table.name)
    told = [_block(compound) for compound in table.compounds]
    return NormalizedDocument(
        type="dataset",
        source="compounds",
        external_id=name[:255],
        title=f"{table.title} ({name})",
        blocks=(*told, *_relation_blocks(table.relations)),
        relations=table.relations,
        terms=tuple(map(_term, table.compounds)),
        records=table.records,
        metadata={"form": table.form, "compounds": len(table.compounds)},
    )


def _term(compound: Compound) -> Term:
    names = dict.fromkeys((compound.name, *compound.synonyms))
    key = (f"inchikey:{compound.inchi_key}",) if compound.inchi_key else ()
    return Term(
        curie=compound.curie,
        label=compound.name,
        kind=cast(TermKind, compound.kind),
        names=tuple(names),
        xrefs=(*compound.xrefs, *key),
    )


def _block(compound: Compound) -> Block:
    local = compound.curie.partition(":")[2] or compound.curie
    what = (compound.type or "compound").lower()
    what += " drug" if what == "biotech" else ""
    text = f"{compound.name} ({local}) is a {what}"
    text += f" first approved in {compound.year}" if compound.year else ""
    if compound.synonyms:
        text += f"; also called {', '.join(compound.synonyms[:_MAX_SHOWN_NAMES])}"
    parts = compound.smiles.count(".") + 1
    if compound.smiles:
        text += f"; SMILES {compound.smiles}"
        text += f" (a salt or mixture of {parts} parts)" if parts > 1 else ""
    text += "."
    for key, lead in _TOLD:
        if held := compound.other.get(key):
            text += f" {lead}{held}"
    fields: dict[str, Any] = {
        "id": compound.curie,
        "name": compound.name,
        "smiles": compound.smiles,
        "type": compound.type,
        "year": compound.year,
        "xrefs": list(compound.xrefs),
        "inchi_key": compound.inchi_key,
        "row": compound.row,
    }
    return Block(text, kind="record", fields={k: v for k, v in fields.items() if v})


_VERBS: Final = {
    ("has_role", 0): "has the roles",
    ("regulates_activity", 1): "activates",
    ("regulates_activity", -1): "inhibits",
    ("interacts_with", 0): "interacts with",
}


def _relation_blocks(relations: tuple[Relation, ...]) -> Iterator[Block]:
    groups: dict[str, list[tuple[int, Relation]]] = {}
    for number, relation in enumerate(relations, start=1):
        groups.setdefault(relation.subject, []).append((number, relation))
    for curie, held in groups.items():
        label = held[0][1].subject_label
        ordered = sorted(held, key=lambda pair: (pair[1].predicate, -pair[1].sign))
        items = (_item(number, relation) for number, relation in ordered)
        yield from record_blocks(label, items, {"id": curie, "name": label})


def _item(number: int, relation: Relation) -> Item:
    papers = f" (PMID {', '.join(relation.pmids[:3])})" if relation.pmids else ""
    verb = _VERBS[(relation.predicate, relation.sign)]
    _, found, row = relation.record.partition("row ")  # a table's rows are numbered as in the file
    return Item(verb, f"{relation.object_label}{papers}", (int(row) if found else number,))
