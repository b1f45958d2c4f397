"""What a curator is told of a page: how it was read, what was left out."""

from __future__ import annotations

from typing import Any

from corpus.sources.pdf.shape import PdfPage
from corpus.sources.pdf.taken import told


def report_of(page: PdfPage) -> dict[str, Any]:
    """The report of a page as it is stored. `confidence` is in percent, of text recognition."""
    report: dict[str, Any] = {
        "columns": page.columns,
        "hidden_texts": page.hidden,
        "hidden_letters": page.hidden_letters,
        "unread_glyphs": page.unread_glyphs,
        "furniture": told(page.furniture),
    }
    if page.outside:
        report["outside"] = page.outside
    if page.engine:
        report |= {"engine": page.engine, "confidence": round(100 * page.confidence)}
    if page.ocr_layer:
        report["ocr_layer"] = True
    return report
