"""A drawing as a pathway document: description, participants by kind, signed interactions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from corpus.sources.cleaning import one_line, paragraphs
from corpus.sources.ids import doi as plain_doi
from corpus.sources.ids import pmid as plain_pmid
from corpus.sources.listing import record_blocks
from corpus.sources.wikipathways.gpml import Gpml, Node, Publication
from corpus.sources.wikipathways.lines import MAX_PAIRS, Drawing, End, Statement
from corpus.sources.wikipathways.names import curie, kind
from corpus.types import Block, NormalizedDocument, Relation

LICENCE: Final = "CC0 1.0"
_LINK = re.compile(r"\[(?P<text>[^\]\[]{1,500})\]\((?P<url>[^()\s]{1,1000})\)")
_WIKI_LINK = re.compile(r"\[(?:https?://\S{1,1000}) (?P<text>[^\]\[]{1,500})\]")
_QUOTES = re.compile(r"'{2,5}")
_HEADINGS: Final = {
    "gene": "Genes", "protein": "Proteins", "rna": "RNA", "dna": "DNA", "compound": "Metabolites",
    "pathway": "Linked pathways", "complex": "Complexes", "disease": "Diseases",
    "phenotype": "Phenotypes", "event": "Events", "entity": "Other participants",
}  # fmt: skip
_VERBS: Final = {
    ("regulates_activity", 1): "stimulates", ("regulates_activity", -1): "inhibits",
    ("regulates_amount", 1): "stimulates", ("regulates_amount", -1): "inhibits",
    ("catalyzes_formation_of", 0): "catalyzes", ("converted_to", 0): "is converted to",
    ("translocated_to", 0): "is translocated to", ("associated_with", 0): "is associated with",
}  # fmt: skip
_SHOWN_MEMBERS: Final = 12


def gpml_document(gpml: Gpml) -> NormalizedDocument:
    """Turn a drawing into a document.

    Every DataNode is in the fields of a record block; lines whose ends touch no participant are
    left out and counted in the note.
    """
    drawing = Drawing(gpml)
    statements = list(drawing.statements())
    relations = list(islice(_relations(gpml, statements), MAX_PAIRS + 1))
    description = [
        Block(text, ("Description",)) for text in paragraphs(_plain(gpml.description)) if text
    ]
    loose = len(gpml.lines) - len({statement.number for statement in statements})
    return NormalizedDocument(
        type="pathway",
        source="wikipathways",
        external_id=gpml.wpid[:255],
        title=gpml.title,
        blocks=(*description, *_records(gpml, drawing, statements)),
        published=gpml.revised,  # a drawing has no date but that of its last change
        licence=LICENCE,
        language="en",
        tags=tuple(dict.fromkeys(filter(None, (gpml.organism, *(name for _, name in gpml.terms))))),
        relations=tuple(relations[:MAX_PAIRS]),
        metadata=_metadata(gpml, loose),
        note=_note(gpml, loose, has_text=bool(description), cut=len(relations) > MAX_PAIRS),
    )


def node_curie(node: Node) -> str:
    """The CURIE of a node, its label where it has no Xref."""
    return curie(node.database, node.xref) or node.label


def _plain(text: str) -> str:
    """Links as their text, wiki quotes taken out."""
    return _QUOTES.sub("", _WIKI_LINK.sub(r"\g<text>", _LINK.sub(r"\g<text>", text)))


def _relations(gpml: Gpml, statements: Sequence[Statement]) -> Iterator[Relation]:
    subject = f"wikipathways:{gpml.wpid}"
    yield from _members(gpml, subject)
    papers = {publication.ref: work_curie(publication) for publication in gpml.publications}
    for statement in statements:
        yield from _pairs(gpml, statement, papers)
    for term, name in dict.fromkeys(gpml.terms):
        if term:
            yield Relation(
                subject, "annotated_with", term, 0, gpml.title, name, "pathway", "term", gpml.wpid
            )
    for work in dict.fromkeys(filter(None, papers.values())):
        yield Relation(subject, "cites", work, 0, gpml.title, "", "pathway", "work", gpml.wpid)


def work_curie(publication: Publication) -> str:
    """pmid:… or doi:… of a cited work, '' for books and web pages."""
    database = publication.database.lower()
    if database in ("pubmed", "pmid") and (number := plain_pmid(publication.id)):
        return f"pmid:{number}"
    if database == "doi" and (name := plain_doi(publication.id)):
        return f"doi:{name}"
    return ""


def _members(gpml: Gpml, subject: str) -> Iterator[Relation]:
    found: dict[str, Node] = {}
    for node in gpml.nodes:
        found.setdefault(node_curie(node), node)
    for identifier, node in found.items():
        if identifier and identifier != subject:
            linked = kind(node.type) == "pathway"
            yield Relation(
                subject, "related_to_pathway" if linked else "contains", identifier, 0,
                gpml.title, node.label, "pathway", kind(node.type), gpml.wpid,
                fields={"type": node.type},
            )  # fmt: skip


def _pairs(gpml: Gpml, statement: Statement, papers: dict[str, str]) -> Iterator[Relation]:
    cited = (papers.get(ref, "") for ref in statement.line.citations)
    pmids = tuple(dict.fromkeys(c.removeprefix("pmid:") for c in cited if c.startswith("pmid:")))
    fields = _fields(statement)
    record = f"{gpml.wpid}/{statement.line.id or statement.number}"
    for left, right in product(statement.sources.nodes, statement.targets.nodes):
        if node_curie(left) and node_curie(right):
            yield Relation(
                node_curie(left), statement.predicate, node_curie(right), statement.sign,
                left.label, right.label, kind(left.type), kind(right.type), record, pmids,
                fields=fields,
            )  # fmt: skip


def _fields(statement: Statement) -> dict[str, object]:
    fields: dict[str, object] = {"arrow": statement.head or "line"}
    for name, end in (("from", statement.sources), ("to", statement.targets)):
        if end.how == "group":
            fields[name] = "group"
        elif end.line is not None:
            fields[name] = f"interaction {end.line.id or 'without id'}"
            fields["sign_on_interaction"] = statement.own_sign
    return fields


def _records(gpml: Gpml, drawing: Drawing, statements: Sequence[Statement]) -> Iterator[Block]:
    yield Block(_opening(gpml), ("Facts",), "record", fields=_facts(gpml))
    by_kind: dict[str, list[Node]] = defaultdict(list)
    for node in gpml.nodes:
        by_kind[kind(node.type)].append(node)
    for name, nodes in by_kind.items():
        yield from _node_blocks(gpml, _HEADINGS.get(name, "Other participants"), nodes)
    yield from _complexes(gpml, drawing)
    yield from _interactions(gpml, statements)


def _opening(gpml: Gpml) -> str:
    species = f" of {gpml.organism}" if gpml.organism else ""
    terms = "; ".join(dict.fromkeys(name for _, name in gpml.terms if name))
    text = (
        f"{gpml.title} is a pathway{species} in WikiPathways ({gpml.wpid}) with "
        f"{len(gpml.nodes)} data nodes and {len(gpml.lines)} interactions."
    )
    return f"{text} It is filed under: {terms}." if terms else text


def _facts(gpml: Gpml) -> dict[str, object]:
    return {
        "id": gpml.wpid,
        "organism": gpml.organism,
        "terms": [{"id": term, "name": name} for term, name in gpml.terms],
    }


def _node_blocks(gpml: Gpml, heading: str, nodes: Sequence[Node]) -> Iterator[Block]:
    yield from record_blocks(
        f"{heading} of {gpml.title}:", nodes, _node_text,
        lambda some: {"nodes": [_node_fields(node) for node in some]}, section=(heading,),
    )  # fmt: skip


def _node_text(node: Node) -> str:
    identifier = curie(node.database, node.xref)
    marks = f" ({', '.join(node.states)})" if node.states else ""
    return f"{node.label}{marks}{f' [{identifier}]' if identifier else ''}"


def _node_fields(node: Node) -> dict[str, object]:
    found: dict[str, object] = {
        "graph_id": node.id,
        "label": node.label,
        "type": node.type,
        "database": node.database,
        "id": node.xref,
        "curie": curie(node.database, node.xref),
        "group": node.group,
        "states": list(node.states),
    }
    return {key: value for key, value in found.items() if value}


def _complexes(gpml: Gpml, drawing: Drawing) -> Iterator[Block]:
    """Complexes only: other groups are mere neighbours in the drawing."""
    found = []
    for group in gpml.groups:
        labels = [node.label for node in drawing.members(group.id) if node.label]
        if "complex" in group.style.lower() and len(labels) > 1:
            found.append({"group": group.id, "members": labels})
    if found:
        texts = dict.fromkeys("/".join(map(str, item["members"])) for item in found)
        text = f"Complexes of {gpml.title}: {'; '.join(texts)}."
        yield Block(text, ("Complexes",), "record", fields={"complexes": found})


def _interactions(gpml: Gpml, statements: Sequence[Statement]) -> Iterator[Block]:
    lines = list(dict.fromkeys(map(_sentence, statements)))
    yield from record_blocks(
        f"Interactions in {gpml.title}:", lines, str, lambda some: {"lines": list(some)},
        section=("Interactions",), joint=" ", close="",
    )  # fmt: skip


def _sentence(statement: Statement) -> str:
    verb = _VERBS.get((statement.predicate, statement.own_sign))
    verb = verb or statement.predicate.replace("_", " ")
    target = _named(statement.targets)
    if statement.targets.line is not None:
        target = f"the interaction that gives {target}"
    return f"{_named(statement.sources)} {verb} {target}."


def _named(end: End) -> str:
    shown = dict.fromkeys(node.label for node in end.nodes[:_SHOWN_MEMBERS] if node.label)
    more = len(end.nodes) - _SHOWN_MEMBERS
    return "/".join(shown) + (f" and {more} more" if more > 0 else "")


def _metadata(gpml: Gpml, loose: int) -> dict[str, object]:
    found: dict[str, object] = {
        "form": "gpml",
        "curie": f"wikipathways:{gpml.wpid}",
        "url": f"https://www.wikipathways.org/pathways/{gpml.wpid}.html"
        if re.fullmatch(r"WP\d+", gpml.wpid)
        else "",
        "organism": gpml.organism,
        "version": gpml.version,
        "revised": gpml.revised,
        "curators": list(gpml.authors),
        "data_nodes": len(gpml.nodes),
        "interactions": len(gpml.lines),
        "unresolved_interactions": loose,
        "groups": dict(Counter(group.style for group in gpml.groups)),
        "labels": gpml.labels,
        "references": [
            {"id": item.id, "database": item.database, "title": one_line(item.title),
             "source": item.source, "year": item.year}
            for item in gpml.publications
        ],
    }  # fmt: skip
    return {key: value for key, value in found.items() if value not in ("", [], {})}


def _note(gpml: Gpml, loose: int, *, has_text: bool, cut: bool) -> str:
    sentences = []
    if not has_text:
        sentences.append("WikiPathways gives no description here.")
    if loose:
        sentences.append(
            "Interactions left out since they do not join two participants in the drawing: "
            f"{loose} of {len(gpml.lines)}."
        )
    if cut:
        sentences.append(f"Only the first {MAX_PAIRS} relations are kept.")
    return " ".join(sentences)
