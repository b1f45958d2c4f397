"""Rows of a table as readable records: what belongs to one subject, in pieces of a bounded
length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from corpus.types import Block

MAX_CHARACTERS: Final = 1_500


@dataclass(frozen=True, slots=True)
class Item:
    """One statement about a subject: the verb it stands under, its text and the source rows."""

    verb: str
    text: str
    rows: tuple[int, ...]


@dataclass(slots=True)
class _Piece:
    head: str
    parts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    length: int = 0
    verb: str | None = None

    def joint(self, item: Item) -> str:
        """What stands before an item: its verb when it is a new one, a comma otherwise."""
        if item.verb == self.verb:
            return ", "
        return f"{'; ' if self.parts else ' '}{item.verb}: " if item.verb else " "

    def add(self, item: Item) -> None:
        text = self.joint(item) + item.text
        self.parts.append(text)
        self.length += len(text)
        self.rows += item.rows
        self.verb = item.verb or None

    def block(self, fields: Mapping[str, Any]) -> Block:
        text = self.head + "".join(self.parts) + "."
        return Block(text, kind="record", fields={**fields, "rows": self.rows})


def record_blocks(head: str, items: Iterable[Item], fields: Mapping[str, Any]) -> Iterator[Block]:
    """Yield record blocks "HEAD verb: a, b; other verb: c." of at most 1,500 characters each.

    Items come sorted by verb. A piece that is full is followed by another with the same head and
    `fields`; no item is cut. `fields` gain "rows", the numbers of the source rows told here.
    """
    piece = _Piece(head)
    for item in items:
        size = len(head) + piece.length + len(piece.joint(item)) + len(item.text) + 1
        if piece.parts and size > MAX_CHARACTERS:
            yield piece.block(fields)
            piece = _Piece(head)
        piece.add(item)
    if piece.parts:
        yield piece.block(fields)
