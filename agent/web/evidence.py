"""The evidence panel: each source with its passage in its place.

Everything here starts from passages that the reader may read; what they may not is not built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from accounts.web.formats import counted, shortened
from corpus.models import Chunk, Figure, Page, Table
from corpus.quoting.verbatim import locate
from corpus.web.cells import quoted_cells
from corpus.web.contexts import AROUND, context_of
from corpus.web.document_parts import table_cells
from corpus.web.documents import authors, venue
from corpus.web.kinds import kind_of
from corpus.web.links import document_url, image_url, record_link, shown_id
from corpus.web.marks import boxes, marked, page_of, record_fields
from corpus.web.sheets import sheet_of


@dataclass(frozen=True, slots=True)
class Quoted:
    """A source to show: its number, the passage, and which of its words are meant."""

    number: int
    chunk_id: UUID
    quote: str = ""
    claims: int = 0
    why: Mapping[str, Any] | None = None
    title: str = ""  # kept for when the passage is gone
    source: str = ""
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The rows behind a panel, read in a handful of queries however many sources it has."""

    chunks: Mapping[UUID, Chunk]
    pages: Mapping[tuple[int, int], Page]
    page_counts: Mapping[int, int]
    figures: Mapping[int, Figure]
    tables: Mapping[tuple[int, int], Table] = field(default_factory=dict)


def shelf(chunk_ids: Iterable[UUID], reader: User) -> Shelf:
    """Passages that the reader may read, with their documents, pages, figures and tables."""
    visible = Chunk.objects.visible_to(reader).filter(public_id__in=list(chunk_ids))
    chunks = list(visible.select_related("document__corpus"))
    documents = {chunk.document_id for chunk in chunks if chunk.page_start}
    pages = Page.objects.visible_to(reader).filter(document__in=documents)
    wanted = {(chunk.document_id, number) for chunk in chunks for number in _pages_of(chunk)}
    all_pages = list(pages.order_by("number"))
    ids = [chunk.pk for chunk in chunks]
    figures = Figure.objects.visible_to(reader).filter(chunk__in=ids)
    with_tables = {chunk.document_id for chunk in chunks if chunk.content_type == "table"}
    tables = Table.objects.visible_to(reader).filter(document__in=with_tables).defer("cells")
    return Shelf(
        chunks={chunk.public_id: chunk for chunk in chunks},
        pages={
            (page.document_id, page.number): page
            for page in all_pages
            if (page.document_id, page.number) in wanted
        },
        page_counts={page.document_id: page.number for page in all_pages},
        figures={figure.chunk_id: figure for figure in figures if figure.chunk_id},
        tables={(table.document_id, table.position): table for table in tables},
    )


def _pages_of(chunk: Chunk) -> range:
    first = chunk.page_start or 0
    return range(first, (chunk.page_end or first) + 1)


def items(sources: Sequence[Quoted], reader: User, *, open_first: bool) -> list[dict[str, Any]]:
    """The rows of the panel in their order."""
    rows = shelf([source.chunk_id for source in sources], reader)
    found = [_item(source, rows) for source in sources]
    if open_first and found:
        found[0]["open"] = True
    return found


def _item(source: Quoted, rows: Shelf) -> dict[str, Any]:
    chunk = rows.chunks.get(source.chunk_id)
    if chunk is None:
        return _gone(source)
    document = chunk.document
    kind = kind_of(chunk.content_type, document.source, document.type, chunk.page_start)
    url, label = record_link(document)
    span = span_of(source, chunk.text)
    base = {
        "number": source.number,
        "title": document.title or document.external_id,
        "icon": kind.icon,
        "kind_label": kind.label,
        "facts": [venue(document) if document.journal or document.year else document.corpus.name],
        "ident": shown_id(document),
        "retracted": document.retracted,
        "concern": document.concern,
        "corrected": document.corrected,
        "supports": f"Supports {counted(source.claims, 'claim')}" if source.claims else "",
        "claim_anchor": f"c-{source.number}" if source.claims else "",
        "quote": source.quote,
        "section": chunk.section_title,
        "lang": document.language if document.language not in {"", "en"} else "",
        "why": source.why,
        "document_url": document_url(document.public_id, passage=chunk.public_id, span=span),
        "source_url": url,
        "source_label": label,
        "reference": reference(chunk, source.quote),
    }
    return base | _page_line(chunk, rows, span) | _body(source, chunk, rows, span)


def _page_line(chunk: Chunk, rows: Shelf, span: tuple[int, int]) -> dict[str, Any]:
    """Where the quote begins; of a passage over two pages that may be the second."""
    page = page_of(chunk.lines, span[0]) or chunk.page_start
    if not page:
        return {}
    document = chunk.document.public_id
    url = document_url(document, page=page, passage=chunk.public_id, span=span)
    count = rows.page_counts.get(chunk.document_id, page)
    return {"page_url": url, "page_line": f"{page} of {count}"}


def _body(source: Quoted, chunk: Chunk, rows: Shelf, span: tuple[int, int]) -> dict[str, Any]:
    """How the passage is shown: as record, table, figure, page or text."""
    start, end = span
    if chunk.content_type == "record" and chunk.fields:
        label = kind_of("record", chunk.document.source, chunk.document.type).label
        fields = record_fields(chunk.fields, source.quote)
        return {"kind": "record", "record_label": label, "fields": fields}
    table = rows.tables.get((chunk.document_id, chunk.fields.get("table", -1)))
    if chunk.content_type == "table" and table is not None and table.rows:
        return {"kind": "table", "table": _table(table, chunk, start, end)}
    figure = rows.figures.get(chunk.pk)
    if figure is not None and figure.image_sha256:
        return {
            "kind": "figure",
            "image_url": image_url(figure.image_sha256),
            "figure_label": figure.label or "Figure",
            "context": context_of(chunk.text, start, end),
        }
    return _on_page(source, chunk, rows, start, end) or {
        "kind": "text",
        "context": context_of(chunk.text, start, end),
    }


def _table(table: Table, chunk: Chunk, start: int, end: int) -> dict[str, Any]:
    """The table with the quoted cells marked; its caption with the quoted words of it."""
    stated = chunk.fields.get("cells", [])
    hits = quoted_cells(stated, start, end)
    found = table_cells(table, table.label or "Table", hits, [row for _, _, row, _ in stated])
    head = chunk.text[: stated[0][0]].rstrip() if stated else ""
    if head and start < min(end, len(head)):
        found["caption"] = marked(head, [(start, min(end, len(head)))])
    return found


def _on_page(
    source: Quoted, chunk: Chunk, rows: Shelf, start: int, end: int
) -> dict[str, Any] | None:
    """The page, or the two, with the quoted lines marked; None when there is no picture."""
    if start >= end:  # no quote yet: the passage itself is meant
        start, end = 0, len(chunk.text)
    sheets = []
    for number in _pages_of(chunk):
        page = rows.pages.get((chunk.document_id, number))
        marks = boxes(chunk.lines, number, start, end)
        if page and (marks or number == chunk.page_start):
            sheets.append(sheet_of(page, marks, retracted=chunk.document.retracted))
    shown = [sheet for sheet in sheets if sheet and sheet.boxes] or [s for s in sheets if s]
    if not shown:
        return None
    quote = source.quote or shortened(chunk.text, AROUND)
    return {"kind": "page", "sheets": shown, "quote": quote}


def span_of(source: Quoted, text: str) -> tuple[int, int]:
    """Where the quote stands in the passage; an empty span when there is none in it."""
    return (locate(text, source.quote) if source.quote else None) or (0, 0)


def reference(chunk: Chunk, quote: str) -> str:
    """A citation to paste: who, what, where, which words."""
    document = chunk.document
    page = f"page {chunk.page_start}" if chunk.page_start else ""
    parts = [authors(document), document.title, venue(document), shown_id(document), page]
    line = ". ".join(part for part in parts if part)
    return f"{line}. “{quote}”" if quote else f"{line}."


def _gone(source: Quoted) -> dict[str, Any]:
    """A source whose passage was changed or deleted since: the quote stays, and says so."""
    return {
        "number": source.number,
        "title": source.title or source.external_id,
        "icon": "quote",
        "kind_label": "No longer stored",
        "facts": [],
        "ident": source.external_id,
        "supports": f"Supports {counted(source.claims, 'claim')}" if source.claims else "",
        "claim_anchor": f"c-{source.number}" if source.claims else "",
        "kind": "text",
        "section": "The passage was changed or deleted since; the quote was kept.",
        "context": marked(source.quote, [(0, len(source.quote))]),
        "reference": f"{source.title}. {source.external_id}. “{source.quote}”",
    }
