"""What a passage is, in words and as an icon."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.sources.registry import SOURCES

SOURCE_LABELS = {
    "pubmed": "PubMed",
    "jats": "Full text",
    "pdf": "PDF",
    "jsonl": "Records",
    "reactome": "Reactome",
    "wikipathways": "WikiPathways",
    "kegg": "KEGG",
    "openalex": "OpenAlex",
    "unknown": "Unknown kind",
    "propositions": "Statements",
}
CONTENT_LABELS = {
    "text": "Text",
    "image": "Figure",
    "table": "Table",
    "record": "Record",
    "proposition": "Statement",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Name and icon of a kind of passage."""

    label: str
    icon: str


def source_label(source: str) -> str:
    """A source's name for readers."""
    known = SOURCES.get(source)
    return SOURCE_LABELS.get(source) or (known.label if known else source)


def kind_of(content_type: str, source: str, type: str = "", page: int | None = None) -> Kind:
    """What the passage is: a figure, a table, a record, or text of a page, abstract or article."""
    if content_type == "image":
        return Kind(f"Figure, page {page}" if page else "Figure", "image")
    if content_type == "table":
        return Kind(f"Table, page {page}" if page else "Table", "table")
    if content_type == "record":
        return Kind(
            {"pathway": "Pathway record", "reaction": "Reaction record"}.get(type, "Record"),
            "route",
        )
    if page:
        return Kind(f"{source_label(source)}, page {page}", "report")
    if source == "pubmed":
        return Kind("Abstract", "quote")
    if type in {"pathway", "reaction"}:
        return Kind(f"{type.capitalize()} text", "route")
    return Kind("Full text" if source == "jats" else "Text", "quote")
