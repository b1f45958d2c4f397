"""Long lists as records of readable size, each of which says what it lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from corpus.types import Block

# A little under the size of a chunk (about 1,800 characters), so that none is cut in two.
ROOM: Final = 1600
_T = TypeVar("_T")


def parts(texts: Sequence[str], *, room: int = ROOM, joint: int = 2) -> Iterator[slice]:
    """Cut a list into runs of at most `room` characters, `joint` counted between two texts.

    A text longer than that stands alone. No text is left out; an empty list gives no run.
    """
    start, size = 0, 0
    for at, text in enumerate(texts):
        if at > start and size + len(text) > room:
            yield slice(start, at)
            start, size = at, 0
        size += len(text) + joint
    if texts:
        yield slice(start, len(texts))


def record_blocks(
    opening: str,
    items: Sequence[_T],
    told: Callable[[_T], str],
    fields: Callable[[Sequence[_T]], dict[str, object]],
    *,
    section: tuple[str, ...] = (),
    joint: str = "; ",
    close: str = ".",
) -> Iterator[Block]:
    """Record blocks of a list: `opening`, then what `told` says of each item, each text once.

    Every item is in the `fields` of exactly one block, also one of which nothing is told.
    """
    texts = [told(item) for item in items]
    room = max(ROOM - len(opening), ROOM // 2)
    for run in parts(texts, room=room, joint=len(joint)):
        shown = joint.join(dict.fromkeys(filter(None, texts[run])))
        text = f"{opening} {shown}{close}" if shown else f"{opening} nothing by name{close}"
        yield Block(text, section, "record", fields=fields(items[run]))
