"""An interaction table as one document: a relation a row, records by regulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.interactions.shape import (
    Complexes,
    Interaction,
    InteractionTable,
    Molecule,
)
from corpus.sources.recordblocks import Item, record_blocks
from corpus.types import Block, NormalizedDocument, Relation

_SHOWN_PMIDS: Final = 3
_VERBS: Final = {
    "regulates_expression": (
        "regulates expression of (direction unknown)",
        "activates expression of",
        "represses expression of",
    ),
    "regulates_activity": ("acts on (direction unknown)", "activates", "inhibits"),
    "regulates_amount": ("changes the amount of", "raises the amount of", "lowers the amount of"),
    "regulates_phosphorylation": (
        "changes phosphorylation at",
        "raises phosphorylation at",
        "lowers phosphorylation at",
    ),
    "regulates": ("regulates (direction unknown)", "activates", "inhibits"),
    "binds": ("binds", "binds", "binds"),
    "interacts_with": ("interacts with", "interacts with", "interacts with"),
}


def normalize(record: InteractionTable | Complexes) -> NormalizedDocument:
    """Turn a table into a document: its relations in the order of the rows."""
    if isinstance(record, Complexes):
        return _complexes(record)
    name = one_line(record.name)
    return NormalizedDocument(
        type="dataset",
        source="interactions",
        external_id=name[:255],
        title=f"{record.title} ({name})",
        blocks=tuple(_blocks(record)),
        relations=tuple(_relation(row) for row in record.rows),
        records=len(record.rows),
        metadata={"form": record.form, "columns": [one_line(c) for c in record.columns][:100]},
    )


def verb(predicate: str, sign: int) -> str:
    """The words for a predicate and a sign."""
    return _VERBS[predicate][sign]


def _relation(row: Interaction) -> Relation:
    fields: dict[str, Any] = dict(row.other)
    if row.sentence:
        fields["sentence"] = row.sentence
    for side, end in (("subject", row.subject), ("object", row.object)):
        if end.members:
            fields[f"{side}_members"] = list(end.members)
    return Relation(
        subject=row.subject.curie,
        predicate=row.predicate,
        object=row.object.curie,
        sign=row.sign,
        subject_label=row.subject.label,
        object_label=row.object.label,
        subject_kind=row.subject.kind,
        object_kind=row.object.kind,
        record=row.record or f"row {row.row}",
        pmids=row.pmids,
        fields=fields,
    )


def _blocks(table: InteractionTable) -> Iterator[Block]:
    groups: dict[str, list[Interaction]] = {}
    for row in table.rows:
        groups.setdefault(row.subject.curie, []).append(row)
    for curie, rows in groups.items():
        subject = rows[0].subject
        fields = {"subject": curie, "label": subject.label}
        yield from record_blocks(subject.label, _items(rows), fields)


def _items(rows: list[Interaction]) -> list[Item]:
    """One item an object and verb, activated ones first; rows that say the same are joined."""
    joined: dict[tuple[int, str, str], list[Interaction]] = {}
    for row in rows:
        key = (-row.sign if row.sign else 2, verb(row.predicate, row.sign), row.object.curie)
        key = (*key[:2], f"{key[2]} {row.object.label}")
        joined.setdefault(key, []).append(row)
    ordered = sorted(joined, key=lambda key: key[:2])
    return [_item(key[1], joined[key]) for key in ordered]


def _item(words: str, rows: list[Interaction]) -> Item:
    papers = list(dict.fromkeys(pmid for row in rows for pmid in row.pmids))
    text = rows[0].object.label
    if papers:
        more = len(papers) - _SHOWN_PMIDS
        shown = ", ".join(papers[:_SHOWN_PMIDS])
        text += f" (PMID {shown}{f' and {more} more' if more > 0 else ''})"
    for sentence in dict.fromkeys(row.sentence for row in rows if row.sentence):
        text += f" – “{sentence}”"
    return Item(words, text, tuple(row.row for row in rows))


def _complexes(record: Complexes) -> NormalizedDocument:
    name = one_line(record.name)
    return NormalizedDocument(
        type="dataset",
        source="interactions",
        external_id=name[:255],
        title=f"SIGNOR complexes ({name})",
        blocks=tuple(_complex_block(row, whole) for row, whole in record.rows),
        relations=tuple(_has_parts(whole) for _, whole in record.rows),
        records=len(record.rows),
        metadata={"form": "signor_complexes"},
    )


def _complex_block(row: int, whole: Molecule) -> Block:
    fields: Mapping[str, Any] = {"subject": whole.curie, "label": whole.label, "rows": [row]}
    text = f"{whole.label} is a complex of {', '.join(whole.members)}."
    return Block(text, kind="record", fields=fields)


def _has_parts(whole: Molecule) -> Relation:
    """One relation a row, like everywhere: to the first part, with all of them in the fields."""
    return Relation(
        subject=whole.curie,
        predicate="has_component",
        object=whole.members[0],
        subject_label=whole.label,
        subject_kind="complex",
        object_kind="protein",
        record=whole.curie.partition(":")[2],
        fields={"members": list(whole.members)},
    )
