"""One page of a document, as partials/document_pages.html shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse

from accounts.models import User
from accounts.web.formats import shortened
from accounts.web.requests import SignedInRequest
from corpus.models import Chunk, Document, Page
from corpus.web.contexts import context_of
from corpus.web.kinds import kind_of
from corpus.web.links import asked_span, document_url
from corpus.web.marks import Span, boxes
from corpus.web.sheets import sheet_of

THUMBS_AROUND = 12  # of a book's 600 pages, those near the open one
THUMB_WIDTH = 64
EXCERPT = 150
SHOWN_PASSAGES = 30


def context(request: SignedInRequest, document: Document, page: Page) -> dict[str, Any]:
    """The page, its neighbours and its passages; `?passage=` marks one, `?as=text` gives words."""
    reader = request.user
    passages = _on_page(document, page.number, reader)
    chosen = _chosen(passages, request.GET.get("passage", ""))
    span = asked_span(request.GET.get("span", ""), len(chosen.text)) if chosen else (0, 0)
    marks = boxes(chosen.lines, page.number, *span) if chosen else []
    sheet = sheet_of(page, marks, retracted=document.retracted, eager=True)
    as_text = request.GET.get("as") == "text" or sheet is None
    numbers = page_numbers(document, reader)
    at = numbers.index(page.number)
    here = document_url(document.public_id, page=page.number, passage=_id_of(chosen), span=span)
    return {
        "number": page.number,
        "count": numbers[-1],
        "sheet": sheet,
        "as_text": as_text,
        "missing": "" if sheet else "This page has no picture, so its text is shown.",
        "text": _text(passages, page.number) if as_text else [],
        "image_view_url": here,
        "text_view_url": here + ("&" if "?" in here else "?") + "as=text",
        "previous_url": _turn(document, numbers, at - 1),
        "next_url": _turn(document, numbers, at + 1),
        "go_url": document_url(document.public_id),
        "thumbs": _thumbs(document, numbers, at, reader),
        "toc": _toc(document, page.number, reader),
        "passages": [_row(document, chunk, page.number, chosen, span) for chunk in passages],
        "cited": cited_by(request, document),
    }


def page_numbers(document: Document, reader: User) -> list[int]:
    """Numbers of the pages that there are, ascending."""
    pages = Page.objects.visible_to(reader).filter(document=document)
    return list(pages.order_by("number").values_list("number", flat=True))


def _on_page(document: Document, number: int, reader: User) -> list[Chunk]:
    found = Chunk.objects.visible_to(reader).filter(
        document=document, page_start__lte=number, page_end__gte=number, parent=None
    )
    return list(found.order_by("char_start", "content_type", "chunk_index")[:SHOWN_PASSAGES])


def _chosen(passages: Sequence[Chunk], asked: str) -> Chunk | None:
    return next((chunk for chunk in passages if str(chunk.public_id) == asked), None)


def _id_of(chunk: Chunk | None) -> UUID | None:
    return chunk.public_id if chunk else None


def _turn(document: Document, numbers: Sequence[int], at: int) -> str:
    return document_url(document.public_id, page=numbers[at]) if 0 <= at < len(numbers) else ""


def _thumbs(
    document: Document, numbers: Sequence[int], at: int, reader: User
) -> list[dict[str, Any]]:
    first, last = max(0, at - THUMBS_AROUND), at + THUMBS_AROUND + 1
    pages = Page.objects.visible_to(reader).filter(document=document)
    near = pages.filter(number__in=numbers[first:last]).order_by("number")
    return [
        {
            "url": document_url(document.public_id, page=page.number),
            "number": page.number,
            "current": page.number == numbers[at],
            "image_url": _thumb_url(document, page),
            "height": round(THUMB_WIDTH * page.height / page.width) if page.width else THUMB_WIDTH,
        }
        for page in near
    ]


def _thumb_url(document: Document, page: Page) -> str:
    if not page.image_sha256:
        return ""
    return reverse("corpus:thumb", args=[document.public_id, page.number])


def _toc(document: Document, number: int, reader: User) -> list[dict[str, Any]]:
    """Top headings with the page each begins on; the one that holds this page is current."""
    rows = Chunk.objects.visible_to(reader).filter(
        document=document, section__isnull=False, page_start__isnull=False
    )
    starts: dict[str, int] = {}
    for path, page in rows.order_by("char_start").values_list("section_path", "page_start"):
        if path:
            starts.setdefault(path[0], page)
    before = [title for title, page in starts.items() if page <= number]
    return [
        {
            "label": title,
            "url": document_url(document.public_id, page=page),
            "current": bool(before) and title == before[-1],
        }
        for title, page in starts.items()
    ]


def _text(passages: Sequence[Chunk], number: int) -> list[dict[str, str]]:
    """The page's text in reading order, each sentence once: passages overlap by one."""
    out: list[dict[str, str]] = []
    heading, end = "", 0
    for chunk in passages:
        if chunk.content_type not in {"text", "record"}:
            continue
        text, end = without_overlap(chunk, end), max(end, chunk.char_end)
        if text:
            title = chunk.section_title
            out.append({"heading": title if title != heading else "", "text": text})
            heading = title
    return out


def without_overlap(chunk: Chunk, end: int) -> str:
    """What the passage adds to the document's text up to `end`."""
    whole = chunk.char_end - chunk.char_start == len(chunk.text)
    if not whole or chunk.char_start >= end:
        return str(chunk.text).strip()
    return str(chunk.text[end - chunk.char_start :]).strip()


def _row(
    document: Document, chunk: Chunk, number: int, chosen: Chunk | None, span: Span
) -> dict[str, Any]:
    current = chosen is not None and chosen.pk == chunk.pk
    kind = kind_of(chunk.content_type, document.source, document.type)
    here = chunk.page_start if chunk.page_start else number
    return {
        "url": document_url(document.public_id, page=here, passage=chunk.public_id),
        "text": _marked(chunk.text, span) if current else shortened(chunk.text, EXCERPT),
        "line": " · ".join(part for part in (kind.label, chunk.section_title) if part),
        "current": current,
    }


def _marked(text: str, span: Span) -> str:
    """The chosen passage's beginning, or the words of it that are meant, marked."""
    if span == (0, len(text)):
        text = shortened(text, EXCERPT)
        span = (0, len(text))
    return context_of(text, *span, around=60, whole=EXCERPT)


def cited_by(request: SignedInRequest, document: Document) -> list[dict[str, str]]:
    """Answers that cite the document and that the reader may see, the newest first.

    Citations stand above this app; they are reached through the document's own relation.
    """
    citations = document.citations.visible_to(request.user).select_related("answer__run")
    seen: dict[str, dict[str, str]] = {}
    for citation in citations.order_by("-id")[:50]:
        run = citation.answer.run
        url = reverse("agent:run", args=[run.public_id])
        seen.setdefault(url, {"url": url, "question": shortened(run.question, EXCERPT)})
    return list(seen.values())[:10]
