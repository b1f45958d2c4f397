"""Windows of words of a fixed size: the fallback where sentences cannot be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.chunking.layout import chunks_of
from corpus.chunking.placing import Unit
from corpus.types import ChunkDraft, NormalizedDocument

OVERLAP_SHARE = 0.15
_WORD = re.compile(r"\S+")


def chunk_by_window(document: NormalizedDocument, *, target: int) -> list[ChunkDraft]:
    """Cut body text into overlapping windows of whole words; pages and sections still hold."""
    windowed: list[ChunkDraft] = []
    for chunk in chunks_of(document, target, lambda _, units: [(0, len(units))]):
        windowed += [chunk] if chunk.content_type != "text" else _windows(chunk, target)
    return windowed


def windows(text: str, *, size: int, overlap: int) -> list[tuple[int, int]]:
    """Spans of at most `size` characters at word borders, each `overlap` characters or fewer into
    the one before.

    A word longer than `size` is a window of its own.
    """
    words = [Unit(*match.span()) for match in _WORD.finditer(text)]
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(words):
        last = _fill(words, first, size)
        spans.append((words[first].start, words[last - 1].end))
        if last == len(words):
            break
        back = last
        while back - 1 > first and words[last - 1].end - words[back - 1].start <= overlap:
            back -= 1
        first = back
    return spans


def _fill(words: Sequence[Unit], first: int, size: int) -> int:
    last = first + 1
    while last < len(words) and words[last].end - words[first].start <= size:
        last += 1
    return last


def _windows(chunk: ChunkDraft, target: int) -> list[ChunkDraft]:
    spans = windows(chunk.text, size=target, overlap=int(target * OVERLAP_SHARE))
    return [
        replace(
            chunk,
            text=chunk.text[start:end],
            char_start=chunk.char_start + start,
            char_end=chunk.char_start + end,
            lines=tuple(
                replace(line, start=max(line.start, start) - start, end=min(line.end, end) - start)
                for line in chunk.lines
                if line.start < end and line.end > start
            ),
        )
        for start, end in spans
    ]
