"""A paper read from a PDF as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from corpus.sources.ids import identifiers
from corpus.sources.pdf.continued import join_tables
from corpus.sources.pdf.model import Rect
from corpus.sources.pdf.report import report_of
from corpus.sources.pdf.shape import PdfBlock, PdfFigure, PdfPaper, PdfTable, PlacedRun
from corpus.sources.tables import lines_of, table_rows, titled
from corpus.types import (
    Block,
    BlockKind,
    Box,
    FigureDraft,
    Line,
    NormalizedDocument,
    PageDraft,
    TableDraft,
)

_KINDS: Final[dict[str, BlockKind]] = {
    "front": "paragraph",
    "text": "paragraph",
    "heading": "heading",
    "list": "list",
    "footnote": "footnote",
    "reference": "reference",
    "caption": "caption",
}
_FRONT: Final = ("Title page",)


def normalize(paper: PdfPaper) -> NormalizedDocument:
    """JobTurn a paper into a document: its id is the file's SHA-256.

    Running heads, page numbers, words inside figures and hidden text are left out; a table's
    caption and rows are one block. Notes for the curator say what could not be read; the report
    of a page says what was taken off it as running heads.
    """
    tables, places = join_tables([_table(table) for table in paper.tables], _goes_on(paper))
    blocks = tuple(_blocks(paper, tables, places))
    return NormalizedDocument(
        type="article",
        source="pdf",
        external_id=paper.sha256,
        title=paper.title,
        blocks=blocks,
        figures=tuple(_figure(figure) for figure in paper.figures),
        tables=tuple(tables),
        pages=tuple(
            PageDraft(
                page.number,
                page.width,
                page.height,
                page.image,
                page.method,
                report_of(page),
            )
            for page in paper.pages
        ),
        identifiers=identifiers(doi_=paper.doi),
        published=paper.published,
        metadata=_metadata(paper),
        note=_note(paper, blocks),
    )


def _goes_on(paper: PdfPaper) -> list[bool]:
    return [table.continued for table in paper.tables]


def _blocks(
    paper: PdfPaper, tables: Sequence[TableDraft], places: Sequence[int]
) -> Iterator[Block]:
    """Blocks of a document; `places` tell which of its tables each table of the paper is part of.

    The caption of a part that goes on overleaf says nothing new and is left out.
    """
    told: set[int] = set()
    for block in paper.blocks:
        kind = _KINDS.get(block.kind)
        if kind is None or not (block.text or block.table >= 0):
            continue
        section = _FRONT if block.kind == "front" else block.section
        if block.table >= 0:
            index = places[block.table]
            if index not in told:
                told.add(index)
                yield _table_block(block, index, tables[index])
            elif not paper.tables[block.table].continued:  # the caption in a second language
                lines = _lines(block.runs)
                yield Block(block.text, section, "caption", block.page, lines, {"table": index})
        else:
            fields = {"figure": block.figure} if block.figure >= 0 else {}
            yield Block(block.text, section, kind, block.page, _lines(block.runs), fields)


def _table_block(block: PdfBlock, index: int, draft: TableDraft) -> Block:
    """Caption first, then a line a row; each statement of a cell has the box of that cell."""
    if not draft.rows:
        fields: dict[str, object] = {"table": index}
        return Block(block.text, block.section, "caption", block.page, _lines(block.runs), fields)
    text, cells = lines_of(block.text, table_rows(draft))
    lines = list(_lines(block.runs)) if block.text else []
    for start, end, row, column in cells:
        box = cell_box(draft, row, column)
        if box is not None:
            lines.append(Line(start, end, box))
    fields = {"table": index, "captioned": bool(block.text), "cells": list(map(list, cells))}
    return Block(text, block.section, "table", block.page, tuple(lines), fields)


def cell_box(table: TableDraft, row: int, column: int) -> Box | None:
    """Where a cell stands: its own box, or that of the cell whose span covers it."""
    if row < len(table.cells) and column < len(table.cells[row]):
        own = table.cells[row][column]
        if own is not None:
            return own
    for top, left, height, width in table.spans:
        covers = top <= row < top + height and left <= column < left + width
        if covers and (top, left) != (row, column):
            return table.cells[top][left]
    return None


def _table(table: PdfTable) -> TableDraft:
    return TableDraft(
        label=table.label,
        caption=table.caption,
        rows=table.rows,
        header_rows=table.header_rows,
        spans=table.spans,
        cells=tuple(
            tuple(_box(box, table.page) if box else None for box in row) for row in table.boxes
        ),
        page=table.page,
        box=_box(table.rect, table.page) if table.rect else None,
        image=table.image,
        media_type=table.media_type,
    )


def _figure(figure: PdfFigure) -> FigureDraft:
    return FigureDraft(
        label=figure.label,
        caption=titled("", figure.caption),
        page=figure.page,
        box=_box(figure.rect, figure.page) if figure.rect else None,
        image=figure.image,
        media_type=figure.media_type,
        parent=figure.parent if figure.parent >= 0 else None,
        words=figure.words,
    )


def _lines(runs: Sequence[PlacedRun]) -> tuple[Line, ...]:
    return tuple(Line(run.start, run.end, _box(run.rect, run.page)) for run in runs)


def _box(rect: Rect, page: int) -> Box:
    return Box(page, *(round(value, 2) for value in rect))


def _metadata(paper: PdfPaper) -> dict[str, object]:
    found: dict[str, object] = {
        "filename": paper.filename,
        "author_field": paper.authors,  # what the file says; too often wrong to be shown as fact
        "page_count": len(paper.pages),
        "carries": list(paper.flags),
        "pages_without_text": [page.number for page in paper.pages if page.method == "empty"],
        "unrecognised": list(paper.unrecognised),
        "notes": list(paper.notes),
    }
    return {key: value for key, value in found.items() if value not in ("", [])}


def _note(paper: PdfPaper, blocks: Sequence[Block]) -> str:
    notes = list(paper.notes)
    if not blocks:
        notes.insert(0, "No text could be read.")
    doubtful = sorted({block.page for block in blocks if "\ufffd" in block.text and block.page})
    if doubtful:
        pages = ", ".join(map(str, doubtful[:8])) + (" and more" if len(doubtful) > 8 else "")
        notes.append(f"Signs that the file does not explain stand as \ufffd (page {pages}).")
    if paper.flags:
        notes.append(f"The file carries {' and '.join(paper.flags)}; none of it is opened or run.")
    return " ".join(notes)
