"""Passages as single statements that can be understood by themselves.

Without a model: each sentence, with what it only points at ("It", "this protein") put in its place
where that is sure. Nothing is said that the passage does not: see corpus.quoting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.chunking.propositions.resolving import Resolver
from corpus.chunking.propositions.subjects import Named
from corpus.chunking.sentences import split
from corpus.quoting.numbers import Quantity, quantities, unstated
from corpus.quoting.verbatim import locate
from corpus.types import ContentType

__all__ = ["Named", "Proposition", "propositions"]

LEAST_WORDS = 4  # fewer are a heading or a fragment

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement, and the characters [start, end) of its passage that say so."""

    text: str
    start: int
    end: int


def propositions(
    text: str,
    *,
    content_type: ContentType = "text",
    title: str = "",
    document_type: str = "",
    is_first: bool = False,
    captioned: bool = False,
    names: Sequence[Named] = (),
) -> list[Proposition]:
    """The statements of a passage in order, none when it is one statement itself.

    Args:
        title, document_type: of its document; the title of a pathway is what "this pathway" means.
        is_first: whether the document opens with this passage.
        captioned: of a table: whether its first line is the caption; rows are 'header: value'.
        names: entities that the lexicon found in it.
    Each has its quantities in the passage and its source sentence word for word.
    """
    found = _rows(text, captioned) if content_type == "table" else None
    if found is None:
        resolver = Resolver(title if document_type else "", document_type, is_first)
        found = _sentences(text, resolver, names)
    stated = quantities(text)
    kept = [one for one in found if _holds(one, text, stated)]
    return [] if len(kept) == 1 and kept[0].text == text.strip() else kept


def _holds(one: Proposition, passage: str, stated: Sequence[Quantity]) -> bool:
    """Whether it says something and passes the check of answers: its source stands in the passage
    word for word, its quantities are stated there.
    """
    quote = passage[one.start : one.end]
    is_quoted = one.text == quote or locate(passage, quote) is not None
    return len(one.text.split()) >= LEAST_WORDS and is_quoted and not unstated(stated, one.text)


def _sentences(text: str, resolver: Resolver, names: Sequence[Named]) -> Iterator[Proposition]:
    for start, end in _spans(text):
        inside = [
            Named(n.start - start, n.end - start, n.kind)
            for n in names
            if start <= n.start and n.end <= end
        ]
        statement = resolver.resolve(text[start:end], inside)
        if statement is not None:
            yield Proposition(statement, start, end)


def _spans(text: str) -> Iterator[Span]:
    """Sentences; a line break ends one where lines are fields of a record ("Inputs: …")."""
    for start, end in split(text):
        position = start
        for line in text[start:end].split("\n"):
            is_field = ": " in line[:40]
            if is_field and position > start:
                yield from _trimmed(text, start, position)
                start = position
            position += len(line) + 1
        yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        yield first, first + len(piece.strip())


def _rows(text: str, captioned: bool) -> Iterator[Proposition]:
    """Each row under the caption; a row without header is a subheading and says nothing."""
    caption = ""
    for number, (start, end) in enumerate(_lines(text)):
        line = text[start:end]
        if captioned and not number:
            caption = _head(line)
            yield from (Proposition(line[a:b], start + a, start + b) for a, b in split(line))
        elif ": " in line:
            yield Proposition(f"{caption.rstrip('.')}: {line}" if caption else line, start, end)


def _lines(text: str) -> Iterator[Span]:
    position = 0
    for line in text.split("\n"):
        yield from _trimmed(text, position, position + len(line))
        position += len(line) + 1


def _head(caption: str) -> str:
    """A caption up to the end of its first whole sentence: "Table 1." alone tells nothing."""
    ends = [end for start, end in split(caption) if len(caption[start:end].split()) >= LEAST_WORDS]
    return caption[: ends[0]] if ends else caption
