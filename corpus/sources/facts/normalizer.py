"""A table of target facts as one document: a relation a row, a record a gene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from corpus.sources.cleaning import one_line
from corpus.sources.facts.shape import Fact, FactTable
from corpus.sources.genenames import number
from corpus.sources.recordblocks import Item, record_blocks
from corpus.types import Block, NormalizedDocument, Relation

# Kind of fact -> predicate, words, kind of what it is about.
_PREDICATES: Final = {
    "association": ("associated_with", "is associated with", "disease"),
    "tractability": ("tractable_by", "is tractable by", "modality"),
    "essentiality": ("essential_in", "was tested for essentiality in", "cell"),
    "expression": ("expressed_in", "is expressed in", "tissue"),
    "stopped_trial": ("trial_stopped", "had a trial stopped in", "disease"),
}


def normalize(table: FactTable) -> NormalizedDocument:
    """Turn a table into a document; the relations come in the order of the rows."""
    name = one_line(table.name)
    counts: dict[str, int] = {}
    for fact in table.facts:
        counts[fact.kind] = counts.get(fact.kind, 0) + 1
    return NormalizedDocument(
        type="dataset",
        source="facts",
        external_id=name[:255],
        title=f"Target facts ({name})",
        blocks=tuple(_blocks(table.facts)),
        relations=tuple(map(_relation, table.facts)),
        records=len(table.facts),
        metadata={"facts": counts},
    )


def _relation(fact: Fact) -> Relation:
    predicate, _, kind = _PREDICATES[fact.kind]
    return Relation(
        fact.gene,
        predicate,
        fact.about,
        subject_label=fact.gene_label,
        object_label=fact.about_label,
        subject_kind="gene",
        object_kind=kind,
        record=fact.record,
        pmids=fact.pmids,
        fields={"fact": fact.kind, **fact.fields},
    )


def _blocks(facts: tuple[Fact, ...]) -> Iterator[Block]:
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.gene, []).append(fact)
    order = list(_PREDICATES)
    for curie, held in groups.items():
        ordered = sorted(held, key=lambda fact: order.index(fact.kind))
        fields = {"subject": curie, "label": held[0].gene_label}
        yield from record_blocks(held[0].gene_label, map(_item, ordered), fields)


def _item(fact: Fact) -> Item:
    score = fact.fields.get("score", "")
    told = [f"score {score}" if number(score) is not None else score] if score else []
    told += [f"reason: {fact.fields['reason']}"] if "reason" in fact.fields else []
    told += [fact.fields[name] for name in ("source", "year") if name in fact.fields]
    if fact.kind == "stopped_trial" and not fact.record.startswith("row "):
        told.insert(0, fact.record)
    if fact.pmids:
        told.append(f"PMID {', '.join(fact.pmids[:3])}")
    text = f"{fact.about_label} ({'; '.join(told)})" if told else fact.about_label
    return Item(_PREDICATES[fact.kind][1], text, (fact.row,))
