"""A KGML map as a pathway document: members by kind, signed relations, reactions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final

from corpus.sources.kegg.flat_document import LICENCE
from corpus.sources.kegg.kgml import KgmlEntry, KgmlPathway, KgmlReaction, KgmlRelation
from corpus.sources.kegg.names import TAXA, classify
from corpus.sources.listing import record_blocks
from corpus.types import Block, NormalizedDocument, Relation

# An arrow between two nodes of many genes stands for every pair; no map of KEGG comes near this.
MAX_PAIRS: Final = 200_000
_SIGNS: Final = {"activation": 1, "expression": 1, "inhibition": -1, "repression": -1}
_PREDICATES: Final = (
    (("expression", "repression"), "regulates_expression"),
    (("activation", "inhibition"), "regulates_activity"),
    (("binding/association",), "binds"),
    (("dissociation",), "dissociates_from"),
    (("compound", "hidden compound"), "shares_compound_with"),
    (("phosphorylation",), "phosphorylates"),
    (("dephosphorylation",), "dephosphorylates"),
    (("glycosylation",), "glycosylates"),
    (("ubiquitination",), "ubiquitinates"),
    (("methylation",), "methylates"),
)
_VERBS: Final = {
    ("regulates_activity", 1): "activates", ("regulates_activity", -1): "inhibits",
    ("regulates_expression", 1): "induces the expression of",
    ("regulates_expression", -1): "represses the expression of",
}  # fmt: skip
_HEADINGS: Final = {
    "gene": "Genes", "ortholog": "Orthologs", "enzyme": "Enzymes", "compound": "Compounds",
    "drug": "Drugs", "reaction": "Reactions", "pathway": "Linked pathways", "disease": "Diseases",
}  # fmt: skip
_SHOWN_MEMBERS: Final = 12
_MAX_DEPTH: Final = 20
Member = tuple[str, str, str]  # CURIE, kind, label


def kgml_document(pathway: KgmlPathway) -> NormalizedDocument:
    """Turn a map into a document.

    Its id is 'kgml:hsa00010': the flat entry hsa00010 tells the same pathway in other words (its
    description, its literature), so that one must not replace the other.
    """
    nodes = _Nodes(pathway)
    relations = list(islice(_relations(pathway, nodes), MAX_PAIRS + 1))
    cut = len(relations) > MAX_PAIRS
    return NormalizedDocument(
        type="pathway",
        source="kegg",
        external_id=f"kgml:{pathway.name}"[:255],
        title=pathway.title,
        blocks=tuple(_blocks(pathway, nodes)),
        licence=LICENCE,
        language="en",
        tags=("KGML",),
        relations=tuple(relations[:MAX_PAIRS]),
        metadata=_metadata(pathway),
        note=_note(nodes, cut),
    )


class _Nodes:
    """The entries of a map by id, groups unfolded to their members."""

    def __init__(self, pathway: KgmlPathway) -> None:
        self._by_id = {entry.id: entry for entry in pathway.entries}
        self._unfolded: dict[str, tuple[Member, ...]] = {}
        self.loose = sum(
            relation.entry1 not in self._by_id or relation.entry2 not in self._by_id
            for relation in pathway.relations
        )

    def members(self, entry_id: str, depth: int = 0) -> tuple[Member, ...]:
        """What a node stands for; a group that names itself, or nests too deeply, ends there."""
        if entry_id not in self._unfolded:
            self._unfolded[entry_id] = ()  # what it is while it is being looked up
            self._unfolded[entry_id] = self._unfold(entry_id, depth)
        return self._unfolded[entry_id]

    def _unfold(self, entry_id: str, depth: int) -> tuple[Member, ...]:
        entry = self._by_id.get(entry_id)
        if entry is None or depth > _MAX_DEPTH:
            return ()
        inner = (member for part in entry.components for member in self.members(part, depth + 1))
        return members(entry) or tuple(dict.fromkeys(inner))

    def label(self, entry_id: str) -> str:
        """What the map prints for a node, of a group its members' labels."""
        entry = self._by_id.get(entry_id)
        if entry is None:
            return ""
        if entry.components and not entry.names:
            parts = [_short(self._by_id.get(part)) for part in entry.components[:_SHOWN_MEMBERS]]
            return "/".join(filter(None, parts))
        return _short(entry)


def _short(entry: KgmlEntry | None) -> str:
    """The first of a node's names: 'PPARG, CIMT1, GLM1…' prints its synonyms, too."""
    if entry is None:
        return ""
    first = entry.label.removeprefix("TITLE:").split(", ")[0].rstrip(".")
    return first or ", ".join(entry.names)


def members(entry: KgmlEntry) -> tuple[Member, ...]:
    """Every id of an entry; its label goes to all, since the map prints one for the node."""
    label = _short(entry)
    return tuple((*classify(name), label if number == 0 else "")
                 for number, name in enumerate(entry.names))  # fmt: skip


def _relations(pathway: KgmlPathway, nodes: _Nodes) -> Iterator[Relation]:
    yield from _contained(pathway)
    for number, relation in enumerate(pathway.relations, start=1):
        yield from _pairs(pathway, relation, nodes, number)
    catalysts: dict[str, list[Member]] = defaultdict(list)
    for entry in pathway.entries:
        for name in entry.reactions:
            catalysts[name] += members(entry)
    for reaction in pathway.reactions:
        yield from _reaction(pathway, reaction, catalysts)


def _contained(pathway: KgmlPathway) -> Iterator[Relation]:
    subject = classify(pathway.name)[0]
    found: dict[str, Member] = {}
    for entry in pathway.entries:
        for member in members(entry):
            if member[0] != subject:
                found.setdefault(member[0], member)
    for curie, kind, label in found.values():
        predicate = "related_to_pathway" if kind == "pathway" else "contains"
        yield Relation(
            subject, predicate, curie, 0, pathway.title, label, "pathway", kind, pathway.name
        )


def _pairs(
    pathway: KgmlPathway, relation: KgmlRelation, nodes: _Nodes, number: int
) -> Iterator[Relation]:
    predicate, sign = predicate_of(relation)
    fields = {
        "type": relation.type,
        "subtypes": [name for name, _ in relation.subtypes],
        "entries": f"{relation.entry1} {relation.entry2}",
    }
    for left, right in product(nodes.members(relation.entry1), nodes.members(relation.entry2)):
        yield Relation(
            left[0],
            predicate,
            right[0],
            sign,
            left[2],
            right[2],
            left[1],
            right[1],
            f"{pathway.name}/relation/{number}",
            fields=fields,
        )


def predicate_of(relation: KgmlRelation) -> tuple[str, int]:
    """(predicate, sign) of an arrow; the sign is 0 without one, and where subtypes contradict."""
    names = [name for name, _ in relation.subtypes]
    signs = {_SIGNS[name] for name in names if name in _SIGNS}
    sign = signs.pop() if len(signs) == 1 else 0
    for subtypes, predicate in _PREDICATES:
        if any(name in subtypes for name in names):
            return predicate, sign
    return ("affects" if names else "related_to"), sign


def _reaction(
    pathway: KgmlPathway, reaction: KgmlReaction, catalysts: Mapping[str, Sequence[Member]]
) -> Iterator[Relation]:
    fields = {"type": reaction.type}
    inputs = [(*classify(name), "") for name in reaction.substrates]
    outputs = [(*classify(name), "") for name in reaction.products]
    for name in reaction.names:
        lists = (
            ("has_input", inputs),
            ("has_output", outputs),
            ("catalyzed_by", catalysts.get(name, ())),
        )
        for predicate, things in lists:
            for curie, kind, label in dict.fromkeys(things):
                yield Relation(
                    classify(name)[0], predicate, curie, 0, name.removeprefix("rn:"), label,
                    "reaction", kind, f"{pathway.name}/reaction/{reaction.id}", fields=fields,
                )  # fmt: skip


def _blocks(pathway: KgmlPathway, nodes: _Nodes) -> Iterator[Block]:
    yield Block(_opening(pathway), ("Facts",), "record", fields=_facts(pathway))
    yield from _member_blocks(pathway)
    lines = [text for relation in pathway.relations if (text := _sentence(relation, nodes))]
    yield from _in_blocks("Relations", pathway.title, list(dict.fromkeys(lines)))
    reactions = list(dict.fromkeys(map(_reaction_line, pathway.reactions)))
    yield from _in_blocks("Reactions", pathway.title, reactions)


def _opening(pathway: KgmlPathway) -> str:
    counts = f"{len(pathway.entries)} entries, {len(pathway.relations)} relations"
    return (
        f"{pathway.title} is a pathway map of KEGG ({pathway.name}) with {counts} "
        f"and {len(pathway.reactions)} reactions."
    )


def _facts(pathway: KgmlPathway) -> dict[str, object]:
    return {"name": pathway.name, "organism": pathway.organism, "title": pathway.title}


def _member_blocks(pathway: KgmlPathway) -> Iterator[Block]:
    by_kind: dict[str, dict[str, str]] = defaultdict(dict)
    itself = classify(pathway.name)[0]
    for entry in pathway.entries:
        for curie, kind, label in members(entry):
            if curie != itself:
                known = by_kind[kind or entry.type]
                known[curie] = known.get(curie) or label
    for kind, found in by_kind.items():
        heading = _HEADINGS.get(kind, kind.capitalize() or "Others")
        yield from _members_of(pathway, heading, list(found.items()))


def _members_of(
    pathway: KgmlPathway, heading: str, found: Sequence[tuple[str, str]]
) -> Iterator[Block]:
    def told(item: tuple[str, str]) -> str:
        curie, label = item
        return f"{label} [{curie}]" if label else f"[{curie}]"

    def fields(some: Sequence[tuple[str, str]]) -> dict[str, object]:
        return {"items": [{"id": curie, "name": label} for curie, label in some]}

    opening = f"{heading} in the map of {pathway.title}:"
    yield from record_blocks(opening, found, told, fields, section=(heading,))


def _sentence(relation: KgmlRelation, nodes: _Nodes) -> str:
    left, right = nodes.label(relation.entry1), nodes.label(relation.entry2)
    if not (left and right):
        return ""
    predicate, sign = predicate_of(relation)
    verb = _VERBS.get((predicate, sign), predicate.replace("_", " "))
    others = [name for name, _ in relation.subtypes if name not in _SIGNS]
    how = f" ({', '.join(others)})" if others else ""
    return f"{left} {verb} {right}{how}."


def _reaction_line(reaction: KgmlReaction) -> str:
    left, right = " + ".join(reaction.substrates), " + ".join(reaction.products)
    arrow = "<=>" if reaction.type == "reversible" else "=>"
    names = " ".join(reaction.names).replace("rn:", "")
    return f"{names}: {left} {arrow} {right}.".replace("cpd:", "").replace("gl:", "")


def _in_blocks(heading: str, title: str, lines: Sequence[str]) -> Iterator[Block]:
    opening = f"{heading} in the map of {title}:"
    yield from record_blocks(
        opening, lines, str, lambda some: {"lines": list(some)},
        section=(heading,), joint=" ", close="",
    )  # fmt: skip


def _metadata(pathway: KgmlPathway) -> dict[str, object]:
    found: dict[str, object] = {
        "form": "kgml",
        "curie": classify(pathway.name)[0],
        "url": pathway.link,
        "taxon": TAXA.get(pathway.organism, ""),
        "entries": len(pathway.entries),
        "relations": len(pathway.relations),
        "reactions": len(pathway.reactions),
    }
    return {key: value for key, value in found.items() if value != ""}


def _note(nodes: _Nodes, cut: bool) -> str:
    sentences = []
    if nodes.loose:
        sentences.append(f"Relations left out since the map lacks their entries: {nodes.loose}.")
    if cut:
        sentences.append(f"Only the first {MAX_PAIRS} relations between single genes are kept.")
    return " ".join(sentences)
