"""The views of a document other than its pages: text, passages, figures, tables, provenance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, IntegerField, Value, When

from accounts.web.formats import day
from accounts.web.requests import SignedInRequest
from corpus.models import Chunk, Document, Figure, Table
from corpus.web import page_report
from corpus.web.cells import Place, cells
from corpus.web.document_page import cited_by, without_overlap
from corpus.web.kinds import kind_of, source_label
from corpus.web.links import asked_span, document_url, image_url, record_link, table_file_url
from corpus.web.marks import marked, record_fields

PASSAGES_A_PAGE = 50
SHOWN_ROWS = 60
BEFORE = 5  # rows of a long table above the one that is meant
SHOWN_TEXTS = 400  # passages of one document on one page: a book is read page by page


def context(request: SignedInRequest, document: Document, view: str) -> dict[str, Any]:
    """What the template of a view needs."""
    return BUILDERS[view](request, document)


def sections(request: SignedInRequest, document: Document) -> dict[str, Any]:
    """The whole text under its headings, in reading order."""
    found = Chunk.objects.visible_to(request.user).filter(
        document=document, content_type__in=["text", "record"], parent=None
    )
    out: list[dict[str, Any]] = []
    end = 0
    for chunk in found.order_by("char_start", "chunk_index")[:SHOWN_TEXTS]:
        title = chunk.section_title or "Text"
        if not out or out[-1]["title"] != title:
            out.append({"id": f"s-{len(out) + 1}", "title": title, "texts": []})
        text = without_overlap(chunk, end)
        end = max(end, chunk.char_end)
        if text:
            out[-1]["texts"].append(text)
    return {"sections": [section for section in out if section["texts"]]}


def passages(request: SignedInRequest, document: Document) -> dict[str, Any]:
    """Everything of the document that can be cited, 50 at a time."""
    asked, span = request.GET.get("passage", ""), request.GET.get("span", "")
    order = Case(
        *[When(content_type=name, then=Value(at)) for at, name in enumerate(["text", "record"])],
        default=Value(9),
        output_field=IntegerField(),
    )
    visible = Chunk.objects.visible_to(request.user).filter(document=document, parent=None)
    found = visible.order_by(order, "content_type", "chunk_index")
    pages = Paginator(found, PASSAGES_A_PAGE)
    number = request.GET.get("page") or _page_of(
        list(found.values_list("public_id", flat=True)), asked
    )
    page = pages.get_page(number)
    return {
        "page": page,
        "passages": [_passage(document, chunk, asked, span) for chunk in page.object_list],
    }


def _page_of(ids: list[Any], asked: str) -> int:
    """On which page of passages the one asked for stands."""
    at = next((at for at, found in enumerate(ids) if str(found) == asked), 0)
    return at // PASSAGES_A_PAGE + 1


def _passage(document: Document, chunk: Chunk, asked: str, given: str) -> dict[str, Any]:
    kind = kind_of(chunk.content_type, document.source, document.type, chunk.page_start)
    page_url = ""
    on = str(chunk.public_id) == asked
    start, end = asked_span(given, len(chunk.text)) if on else (0, 0)
    partly = 0 < end - start < len(chunk.text)
    quote = chunk.text[start:end] if partly else ""
    if chunk.page_start:
        page_url = document_url(document.public_id, page=chunk.page_start, passage=chunk.public_id)
    return {
        "id": f"p-{chunk.public_id}",
        "name": f"{kind.label}, passage {chunk.chunk_index + 1}",
        "kind": kind.label,
        "icon": kind.icon,
        "line": chunk.section_title,
        "text": marked(chunk.text, [(start, end)]) if partly else chunk.text,
        "fields": record_fields(chunk.fields, quote) if chunk.content_type == "record" else [],
        "page_url": page_url,
        "on": on,
    }


def figures(request: SignedInRequest, document: Document) -> dict[str, Any]:
    """Figures with their captions, the panels of each under it."""
    found = Figure.objects.visible_to(request.user).filter(document=document).order_by("position")
    panels: dict[int, list[dict[str, Any]]] = {}
    for figure in found:
        if figure.parent_id is not None:
            panels.setdefault(figure.parent_id, []).append(_figure(document, figure))
    return {
        "figures": [
            _figure(document, figure) | {"panels": panels.get(figure.pk, [])}
            for figure in found
            if figure.parent_id is None
        ]
    }


def _figure(document: Document, figure: Figure) -> dict[str, Any]:
    width, height = _size(figure.box)
    return {
        "id": f"f-{figure.public_id}",
        "label": figure.label or "Picture without a caption",
        "caption": figure.caption,
        "words": figure.words,
        "kind": "" if figure.kind == "general" else figure.get_kind_display(),
        "image_url": image_url(figure.image_sha256),
        "width": width,
        "height": height,
        "page_number": figure.page,
        "page_url": document_url(document.public_id, page=figure.page) if figure.page else "",
    }


def _size(box: list[float] | None) -> tuple[int, int]:
    """Width and height in points: the ratio keeps the page still while the image loads."""
    if not box:
        return 0, 0
    x0, y0, x1, y1 = box
    return round(x1 - x0), round(y1 - y0)


def tables(request: SignedInRequest, document: Document) -> dict[str, Any]:
    """Tables with their cells and as printed; one whose cells could not be read only as printed."""
    visible = Table.objects.visible_to(request.user).filter(document=document).defer("cells")
    return {"tables": [_table(document, table) for table in visible.order_by("position")]}


def _table(document: Document, table: Table) -> dict[str, Any]:
    name = table.label or f"Table {table.position + 1}"
    width, height = _size(table.box)
    return {
        "id": f"t-{table.public_id}",
        "name": name,
        "table": table_cells(table, name),
        "markdown_url": table_file_url(document.public_id, table.public_id, "md"),
        "csv_url": table_file_url(document.public_id, table.public_id, "csv"),
        "image_url": image_url(table.image_sha256),
        "width": width,
        "height": height,
        "page_number": table.page,
        "page_url": document_url(document.public_id, page=table.page) if table.page else "",
    }


def table_cells(
    table: Table, name: str, hits: frozenset[Place] = frozenset(), about: Iterable[int] = ()
) -> dict[str, Any]:
    """Head and rows of a table for partials/cells.html, the cells in `hits` marked.

    Of a long table the rows around the hits are shown, else those of the passage (`about`).
    """
    rows = shown_rows(len(table.rows), table.header_rows, [row for row, _ in hits] or about)
    hidden = len(table.rows) - table.header_rows - len(rows)
    more = f"{hidden} more rows are not shown." if hidden > 0 else ""
    found = cells(table.rows, table.header_rows, hits, rows, table.spans)
    return found | {"label": name, "caption": table.caption, "more": more}


def shown_rows(count: int, header_rows: int, about: Iterable[int]) -> range:
    """At most SHOWN_ROWS rows below the heads, such that the first of `about` is among them."""
    first = min((row for row in about if row >= header_rows), default=header_rows)
    start = first - BEFORE if first - header_rows > SHOWN_ROWS - BEFORE else header_rows
    start = max(min(start, count - SHOWN_ROWS), header_rows)
    return range(start, min(start + SHOWN_ROWS, count))


def about(request: SignedInRequest, document: Document) -> dict[str, Any]:
    """Where the document comes from, and what it is used in."""
    url, label = record_link(document)
    ids = document.identifiers or {}
    rows: list[dict[str, Any]] = [
        {"label": "Source", "value": source_label(document.source)},
        {"label": "Id at the source", "value": document.external_id, "id": True},
        {"label": "Record", "value": label, "url": url},
        *({"label": name.upper(), "value": value, "id": True} for name, value in ids.items()),
        {"label": "Authors", "value": ", ".join(document.authors or [])},
        {"label": "Journal", "value": document.journal},
        {"label": "Published", "value": document.published},
        {"label": "Licence", "value": document.licence},
        {"label": "Language", "value": document.language},
        {"label": "Tags", "value": ", ".join(document.tags or [])},
        {"label": "Corpus", "value": document.corpus.name},
        {"label": "Added", "value": day(document.created_at)},
        {"label": "Changed", "value": day(document.updated_at)},
        {"label": "File", "value": _short(document.file_sha256), "id": True},
    ]
    return {
        "about": [row for row in rows if row["value"]],
        "cited": cited_by(request, document),
        **page_report.context(document, request.user),
    }


def _short(sha256: str) -> str:
    return f"sha256 {sha256[:8]}…{sha256[-4:]}" if sha256 else ""


BUILDERS: dict[str, Callable[[SignedInRequest, Document], dict[str, Any]]] = {
    "sections": sections,
    "passages": passages,
    "figures": figures,
    "tables": tables,
    "about": about,
}
