"""PDF bytes to a paper. Pure, but heavy: production runs it in a child process (isolated.py)."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corpus.sources.pdf.assembly import assemble_paper
from corpus.sources.pdf.glyphs import read_glyphs
from corpus.sources.pdf.graphics import read_graphics
from corpus.sources.pdf.model import PageContent
from corpus.sources.pdf.ocr.reader import Recogniser
from corpus.sources.pdf.opening import MAX_PAGES, damaged, load_page, open_pdf
from corpus.sources.pdf.pages import read_pages
from corpus.sources.pdf.recognition import PageDoctor
from corpus.sources.pdf.shape import PdfPaper
from corpus.sources.pdf.turn import as_shown

__all__ = ["parse"]


def parse(
    data: bytes,
    filename: str,
    *,
    max_pages: int = MAX_PAGES,
    images: bool = True,
    recogniser: Recogniser | None = None,
) -> Iterator[PdfPaper]:
    """Yield the one paper of a PDF file.

    `images` off leaves out pictures of pages and figures. Pages that are pictures of text, or whose
    text layer is garbled, are read by `recogniser`; without one they are kept, named in the paper's
    notes. Raises ParseError with a sentence for whatever is no readable PDF, and HalfRead when the
    recogniser's time is over.
    """
    document = open_pdf(data, filename, max_pages=max_pages)
    try:
        with uncollected():
            contents = [page_content(document, n, filename) for n in range(document.page_count)]
        doctor = PageDoctor(document, recogniser)
        pages, typography = read_pages([doctor.mended(content) for content in contents])
        yield assemble_paper(
            document,
            pages,
            typography,
            filename=filename,
            sha256=hashlib.sha256(data).hexdigest(),
            doctor=doctor,
            images=images,
        )
    finally:
        document.close()


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause Python's search for cycles: reading glyphs makes millions of objects, no cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def page_content(document: Any, index: int, filename: str) -> PageContent:
    """What stands on a page, by its number from 0. Raises ParseError where it is damaged."""
    page = load_page(document, index, filename)
    try:
        rotation = page.rotation
        page.set_rotation(0)  # MuPDF gives places of text as if there were no /Rotate entry
        content = PageContent(index + 1, page.rect.width, page.rect.height)
        read_graphics(page, content)
        read_glyphs(page, content)
        page.set_rotation(rotation)
    except MemoryError:
        raise
    except Exception as error:
        raise damaged(filename, error, f" on page {index + 1}") from error
    return as_shown(content, rotation)
