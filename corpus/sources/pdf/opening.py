"""A PDF opened with care: what it is not, what it lacks, what it must not do."""

from __future__ import annotations

from typing import Any, Final

from corpus.sources.base import ParseError
from corpus.sources.pdf.mupdf import mupdf

MAX_PAGES: Final = 2000
_HEADER_WITHIN: Final = 4096  # readers accept rubbish before the header, web servers send it
_HTML: Final = (b"<!doctype", b"<html", b"<head", b"<script", b"<?xml")


def open_pdf(data: bytes, filename: str, *, max_pages: int = MAX_PAGES) -> Any:
    """Return an open document with at least one page.

    Raises ParseError in words for an empty file, another kind of file, a damaged one, one that
    needs a password (the empty one is tried), one without pages or with too many.
    """
    mupdf.TOOLS.mupdf_display_errors(False)
    mupdf.TOOLS.mupdf_display_warnings(False)
    if not data:
        raise ParseError(f"{filename} is an empty file (0 bytes): fetch or export it again.")
    head = data[:_HEADER_WITHIN]
    if b"%PDF-" not in head:
        kind = "a web page" if head.lstrip().lower().startswith(_HTML) else "another kind of file"
        raise ParseError(
            f"{filename} is not a PDF but {kind}: open it to see what was saved, "
            "then fetch the PDF."
        )
    try:
        document = mupdf.open(stream=data, filetype="pdf")
        locked = document.needs_pass and not document.authenticate("")
        count = 0 if locked else document.page_count
    except Exception as error:  # MuPDF raises many kinds, all of which mean a damaged file
        raise damaged(filename, error) from error
    if locked:
        raise ParseError(
            f"{filename} needs a password: save a copy without one, then upload that copy."
        )
    if count < 1:
        raise ParseError(f"{filename} is damaged or cut off: no page can be read. Fetch it again.")
    if count > max_pages:
        raise ParseError(
            f"{filename} has too many pages ({count}; the limit is {max_pages}): split it."
        )
    return document


def load_page(document: Any, index: int, filename: str) -> Any:
    """Return a page. Raises ParseError when the page tree is broken."""
    try:
        return document.load_page(index)
    except Exception as error:
        raise damaged(filename, error) from error


def damaged(filename: str, error: Exception, where: str = "") -> ParseError:
    """What a MuPDF error means for a curator; lack of memory is raised as MemoryError instead."""
    if _lacks_memory(error):
        raise MemoryError(str(error)) from error
    reason = " ".join(str(error).split())[:120] or type(error).__name__
    return ParseError(f"{filename} is damaged{where} ({reason}): fetch or export it again.")


def _lacks_memory(error: BaseException | None) -> bool:
    """Whether an allocation failed: PyMuPDF wraps what MuPDF says in words of its own."""
    while error is not None:
        if "alloc" in str(error) and "fail" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def active_parts(document: Any) -> tuple[str, ...]:
    """What the file carries besides pages; none of it is run or opened."""
    flags: list[str] = []
    try:
        if document.embfile_count() > 0:
            flags.append("attachments")
        catalog = document.pdf_catalog()
        if _mentions_script(document, catalog):
            flags.append("javascript")
    except Exception:  # a broken catalogue carries nothing that could be named
        return tuple(flags)
    return tuple(flags)


def _mentions_script(document: Any, catalog: int) -> bool:
    for key in ("OpenAction", "AA", "Names/JavaScript"):
        kind, value = document.xref_get_key(catalog, key)
        if kind == "xref":
            value = document.xref_object(int(value.split()[0]))
        if kind != "null" and (
            "JavaScript" in value or "/JS" in value or key.endswith("JavaScript")
        ):
            return True
    return False
