"""A parsed PDF as plain JSON: blocks, captions and tables in the form of the PDF answer keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from corpus.sources.pdf.model import Rect, union
from corpus.sources.pdf.ocr.reader import Recogniser
from corpus.sources.pdf.parser import parse
from corpus.sources.pdf.report import report_of
from corpus.sources.pdf.shape import PdfBlock, PdfPaper
from corpus.sources.tableforms import markdown_of

_KINDS: Final = {"title": "other", "front": "other"}


def parse_form(
    path: str | Path, recogniser: Recogniser | None = None, *, images: bool = False
) -> dict[str, Any]:
    """Parse a file and return its form. Raises ParseError as the parser does.

    `images` makes the pictures of pages, figures and tables as well, which takes its time.
    """
    started = time.process_time()
    paper = _paper(path, recogniser, images=images)
    return paper_form(paper, Path(path).stem, time.process_time() - started)


def report_form(path: str | Path, recogniser: Recogniser | None = None) -> dict[str, Any]:
    """How each page of a file was read. Raises ParseError as the parser does."""
    paper = _paper(path, recogniser)
    return {
        "id": Path(path).stem,
        "title": paper.title,
        "notes": list(paper.notes),
        "pages": [
            {"page": page.number, "method": page.method, **report_of(page)} for page in paper.pages
        ],
    }


def _paper(path: str | Path, recogniser: Recogniser | None, *, images: bool = False) -> PdfPaper:
    source = Path(path)
    (paper,) = parse(source.read_bytes(), source.name, images=images, recogniser=recogniser)
    return paper


def paper_form(paper: PdfPaper, name: str, cpu_seconds: float) -> dict[str, Any]:
    """The form of a parsed paper; a block over two pages is given once a page."""
    return {
        "id": name,
        "cpu_seconds": round(cpu_seconds, 3),
        "title": paper.title,
        "pages": [
            {"page": page.number, "width": page.width, "height": page.height,
             "columns": page.columns, "method": page.method, "hidden": page.hidden}
            for page in paper.pages
        ],
        "notes": list(paper.notes),
        "blocks": [
            piece
            for block in paper.blocks
            if block.text and not _is_panel(block, paper)
            for piece in _pieces(block)
        ],
        "captions": list(_captions(paper)),
        "tables": [
            {"page": table.page, "bbox": _box(table.rect), "rows": [list(r) for r in table.rows],
             "spans": [list(span) for span in table.spans], "header_rows": table.header_rows,
             "cells": [[_box(box) for box in row] for row in table.boxes],
             "markdown": markdown_of(table.rows, table.header_rows, table.spans)}
            for table in paper.tables
            if table.rows and table.rect is not None
        ],
    }  # fmt: skip


def _pieces(block: PdfBlock) -> Iterator[dict[str, Any]]:
    for page in dict.fromkeys(run.page for run in block.runs):
        runs = [run for run in block.runs if run.page == page]
        yield {
            "page": page,
            "bbox": _box(union(run.rect for run in runs)),
            "kind": _KINDS.get(block.kind, block.kind),
            "section": list(block.section) or None,
            "text": block.text[runs[0].start : runs[-1].end],
        }


def _captions(paper: PdfPaper) -> Iterator[dict[str, Any]]:
    """The upper caption of each figure and table: a second one says it in another language."""
    captions: dict[tuple[int, int], PdfBlock] = {}
    for block in paper.blocks:
        if block.kind == "caption" and block.text and not _is_panel(block, paper):
            named = (block.figure, block.table)
            captions[named] = min(captions.get(named, block), block, key=_height)
    for block in captions.values():
        form = _caption(block, paper)
        if form is not None:
            yield form


def _is_panel(block: PdfBlock, paper: PdfPaper) -> bool:
    return block.figure >= 0 and paper.figures[block.figure].parent >= 0


def _height(block: PdfBlock) -> tuple[int, float]:
    return block.page, block.runs[0].rect.y0


def _caption(block: PdfBlock, paper: PdfPaper) -> dict[str, Any] | None:
    is_figure = block.figure >= 0
    named = paper.figures[block.figure] if is_figure else paper.tables[block.table]
    if not is_figure and paper.tables[block.table].continued:
        return None
    form: dict[str, Any] = {
        "kind": "figure" if is_figure else "table",
        "label": named.label,
        "text": block.text[block.after_label :],
        "page": block.page,
        "bbox": _box(union(run.rect for run in block.runs if run.page == block.page)),
    }
    if named.rect is not None:
        form["object"] = {"page": named.page, "bbox": _box(named.rect)}
    return form


def _box(rect: Rect | None) -> list[float] | None:
    return [round(value, 1) for value in rect] if rect is not None else None
