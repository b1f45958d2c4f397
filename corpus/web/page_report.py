"""How the pages of a document were read, for those who fill its corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accounts.models import User
from corpus.models import Document, Page
from corpus.web.links import document_url
from corpus.web.rows import may_fill

SHOWN = 100  # pages; of a book, those with something to say come first
_METHODS = {"text": "Text", "ocr": "Recognised", "empty": "No text"}


def context(document: Document, reader: User) -> dict[str, Any]:
    """Rows for partials/page_report.html; nothing for those who only read."""
    if not may_fill(reader, document.corpus):
        return {}
    pages = list(Page.objects.visible_to(reader).filter(document=document).order_by("number"))
    told = sorted(pages, key=lambda page: not list(_remarks(page)))[:SHOWN]
    shown = sorted(told, key=lambda page: page.number)
    left = len(pages) - len(shown)
    return {
        "page_rows": [_row(document, page) for page in shown],
        "page_rest": f"{left} more pages were read without remarks." if left else "",
    }


def _row(document: Document, page: Page) -> dict[str, Any]:
    sure = page.report.get("confidence")
    return {
        "number": page.number,
        "url": document_url(document.public_id, page=page.number),
        "method": _METHODS.get(page.method, page.method),
        "columns": page.report.get("columns", ""),
        "confidence": f"{sure} %" if sure is not None else "",
        "remarks": " ".join(_remarks(page)),
        "furniture": " · ".join(page.report.get("furniture", ())),
    }


def _remarks(page: Page) -> Iterator[str]:
    """What a curator may want to look at."""
    report = page.report
    if page.method == "empty":
        yield "Nothing could be read."
    if report.get("engine") and page.method == "ocr":
        yield f"Read by {report['engine']}."
    if report.get("ocr_layer"):
        yield "Its text is the recognition that the file brings."
    if hidden := report.get("hidden_texts"):
        letters = report.get("hidden_letters", 0)
        yield f"Hidden: {hidden} texts, {letters} characters, left out."
    if outside := report.get("outside"):
        yield f"Beyond the edge: {outside} lines, left out."
    if unread := report.get("unread_glyphs"):
        yield f"Signs without a meaning: {unread}."
