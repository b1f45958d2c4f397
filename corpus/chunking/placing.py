"""A document as one text, and what of it a chunk holds: characters, pages, lines, section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.chunking.sentences import split
from corpus.types import Block, ChunkDraft, ContentType, Line, NormalizedDocument

BLOCK_GAP = "\n\n"
# Longer than any sentence a person writes (lists of gene names, damaged text): cut between words
# all the same.
LONG_SENTENCE = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and where its first character stands in the document's text."""

    block: Block
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.block.text)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that is never cut (a sentence, a table row); `page` is where it starts."""

    start: int
    end: int
    page: int | None = None


def document_text(document: NormalizedDocument) -> str:
    """The text that character spans count in: all blocks, joined by blank lines."""
    return BLOCK_GAP.join(block.text for block in document.blocks)


def place(blocks: Sequence[Block]) -> list[Placed]:
    """Give each block its position in the document's text."""
    placed: list[Placed] = []
    position = 0
    for block in blocks:
        placed.append(Placed(block, position))
        position += len(block.text) + len(BLOCK_GAP)
    return placed


def sentence_units(placed: Placed, *, limit: int) -> Iterator[Unit]:
    """The sentences of a block; one longer than LONG_SENTENCE times `limit` is cut between
    words.
    """
    text = placed.block.text
    for start, end in split(text):
        for first, last in _cut(text, start, end, limit):
            yield Unit(placed.start + first, placed.start + last, page_at(placed.block, first))


def row_units(placed: Placed) -> Iterator[Unit]:
    """The lines of a block (rows of a table)."""
    position = 0
    for row in placed.block.text.split("\n"):
        if row.strip():
            start = placed.start + position
            yield Unit(start, start + len(row), page_at(placed.block, position))
        position += len(row) + 1


def page_at(block: Block, position: int) -> int | None:
    """The page of a character of a block: of its line, or of the block where it has no lines."""
    found = block.page
    for line in block.lines:
        if line.start > position:
            break
        found = line.box.page
    return found


def draft(
    text: str,
    members: Sequence[Placed],
    start: int,
    end: int,
    content_type: ContentType,
    *,
    fields: Mapping[str, Any] | None = None,
) -> ChunkDraft:
    """A chunk of the characters [start, end) of the document's text, which `members` cover."""
    lines = tuple(_rebased(members, start, end))
    block = next(placed.block for placed in members if placed.end > start)
    pages = [line.box.page for line in lines] or [p.block.page for p in members if p.block.page]
    return ChunkDraft(
        content_type=content_type,
        text=text[start:end],
        section=block.section,
        page_start=min(pages, default=None),
        page_end=max(pages, default=None),
        char_start=start,
        char_end=end,
        lines=lines,
        fields=dict(fields if fields is not None else block.fields),
    )


def shifted(lines: Sequence[Line], by: int) -> tuple[Line, ...]:
    """The same lines, their spans moved."""
    return tuple(Line(line.start + by, line.end + by, line.box) for line in lines)


def _rebased(members: Sequence[Placed], start: int, end: int) -> Iterator[Line]:
    for placed in members:
        for line in placed.block.lines:
            first = max(placed.start + line.start, start)
            last = min(placed.start + line.end, end)
            if first < last:
                yield Line(first - start, last - start, line.box)


def _cut(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    if end - start <= LONG_SENTENCE * limit:
        yield start, end
        return
    while end - start > limit:
        space = text.rfind(" ", start + limit // 2, start + limit)
        stop = space if space > 0 else start + limit
        yield start, stop
        start = stop + 1 if space > 0 else stop
    if start < end:
        yield start, end
