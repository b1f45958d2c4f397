"""Chunks that follow the page: sentences packed within a page and a section, floats by
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from corpus.chunking.packing import pack
from corpus.chunking.placing import (
    Placed,
    Unit,
    document_text,
    draft,
    place,
    row_units,
    sentence_units,
    shifted,
)
from corpus.types import Block, ChunkDraft, ContentType, NormalizedDocument

# Groups of a run of units: layout packs by size, the semantic chunker by meaning.
Grouping = Callable[[str, Sequence[Unit]], list[tuple[int, int]]]

BODY_KINDS = frozenset({"paragraph", "list", "formula"})
# Headings live on as section paths; an entry of a reference list is no evidence for anything.
SILENT_KINDS = frozenset({"heading", "reference"})


def chunk_by_layout(document: NormalizedDocument, *, target: int) -> list[ChunkDraft]:
    """Pack sentences to about `target` characters with one sentence of overlap.

    No chunk crosses a page, a section or a sentence; a sentence that runs over a page turn belongs
    to the page where it starts and keeps its lines on both. Captions, tables, records and footnotes
    are chunks of their own.
    """
    return list(
        chunks_of(document, target, lambda _, units: pack(units, target=target, overlap=True))
    )


def chunks_of(document: NormalizedDocument, target: int, group: Grouping) -> Iterator[ChunkDraft]:
    """Walk the blocks in order; runs of body text are grouped by `group`, everything else stands
    alone.
    """
    text = document_text(document)
    for body, members in groupby(place(document.blocks), key=_run_key):
        run = list(members)
        if body is not None:
            yield from _body(text, run, target, group)
            continue
        for placed in run:
            yield from _alone(text, placed, target)


def _run_key(placed: Placed) -> tuple[str, ...] | None:
    """The section of body text; None for what stands alone."""
    return placed.block.section if placed.block.kind in BODY_KINDS else None


def _body(text: str, run: list[Placed], target: int, group: Grouping) -> Iterator[ChunkDraft]:
    units = [unit for placed in run for unit in sentence_units(placed, limit=target)]
    for _, same_page in groupby(units, key=lambda unit: unit.page):
        on_page = list(same_page)
        for first, last in group(text, on_page):
            start, end = on_page[first].start, on_page[last - 1].end
            yield draft(text, _covering(run, start, end), start, end, "text", fields={})


def _covering(run: list[Placed], start: int, end: int) -> list[Placed]:
    return [placed for placed in run if placed.start < end and placed.end > start]


def _alone(text: str, placed: Placed, target: int) -> Iterator[ChunkDraft]:
    block = placed.block
    if block.kind in SILENT_KINDS:
        return
    if block.kind == "table":
        yield from _table(text, placed, target)
        return
    units = list(sentence_units(placed, limit=target))
    for first, last in pack(units, target=target, overlap=True):
        start, end = units[first].start, units[last - 1].end
        yield draft(text, [placed], start, end, _content_type(block))


def _content_type(block: Block) -> ContentType:
    if block.kind == "record":
        return "record"
    if block.kind == "caption" and "figure" in block.fields:
        return "image"
    if block.kind == "caption" and "table" in block.fields:
        return "table"
    return "text"


def _table(text: str, placed: Placed, target: int) -> Iterator[ChunkDraft]:
    """Rows packed to size, page by page. Every part opens with the caption, so that a row is found
    by what the table is about; its `cells` tell which characters state which cell.

    The character span of a later part covers its rows alone, since the caption stands elsewhere.
    """
    units = list(row_units(placed))
    if not units:
        return
    captioned = bool(placed.block.fields.get("captioned"))
    head = units[0] if captioned and len(units) > 1 else None
    room = max(target - (head.end - head.start if head else 0), target // 2)
    first_part = True
    for _, same_page in groupby(units[1:] if head else units, key=lambda unit: unit.page):
        rows = list(same_page)
        for first, last in pack(rows, target=room, overlap=False):
            start, end = rows[first].start, rows[last - 1].end
            if head and first_part and rows[first].page == head.page:
                yield _part(text, placed, head.start, end)
            elif head:
                yield _with_head(text, placed, head, start, end)
            else:
                yield _part(text, placed, start, end)
            first_part = False


def _part(text: str, placed: Placed, start: int, end: int, *, shift: int = 0) -> ChunkDraft:
    """A stretch of a table; its cells count characters of its own text, moved by `shift`."""
    fields = dict(placed.block.fields)
    origin = start - placed.start
    fields["cells"] = [
        (first - origin + shift, last - origin + shift, row, column)
        for first, last, row, column in fields.get("cells", ())
        if first >= origin and last <= end - placed.start
    ]
    return draft(text, [placed], start, end, "table", fields=fields)


def _with_head(text: str, placed: Placed, head: Unit, start: int, end: int) -> ChunkDraft:
    caption = draft(text, [placed], head.start, head.end, "table")
    shift = len(caption.text) + 1
    part = _part(text, placed, start, end, shift=shift)
    on_page = {line.box.page for line in part.lines} or {line.box.page for line in caption.lines}
    own = [line for line in caption.lines if line.box.page in on_page]
    return replace(
        part,
        text=f"{caption.text}\n{part.text}",
        lines=(*own, *shifted(part.lines, shift)),
    )
