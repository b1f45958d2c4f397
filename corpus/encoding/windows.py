"""Cutting a text where an encoder's window ends: pure, over token offsets."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.encoding.base import Span

SENTENCE_ENDS = frozenset(".!?。;\n")
LOOK_BACK = 0.3  # the share of a window that may stay empty so that it ends with a sentence


def cut(
    text: str, offsets: Sequence[Span], starts_word: Sequence[bool], *, size: int
) -> list[Span]:
    """Cover a text with spans of at most `size` tokens, each ending at a sentence or at least a
    word.

    `offsets` are the character spans of the tokens, `starts_word[i]` says whether token i begins a
    word. Raises ValueError when size is below 1.
    """
    if size < 1:
        raise ValueError("a window holds at least one token")
    bounds = [0]
    while bounds[-1] < len(offsets):
        bounds.append(_good_end(text, offsets, starts_word, bounds[-1], bounds[-1] + size))
    starts = [offsets[bound][0] for bound in bounds[:-1]]
    # What lies between two tokens (spaces, marks without a token) belongs to the window before it.
    ends = [len(text[:start].rstrip()) for start in starts[1:]] + [len(text.rstrip())]
    return list(zip(starts, ends, strict=True)) if starts else []


def _good_end(
    text: str, offsets: Sequence[Span], starts_word: Sequence[bool], first: int, last: int
) -> int:
    """The largest fitting end after a sentence within reach, else before a word, else `last`."""
    if last >= len(offsets):
        return len(offsets)
    for end in range(last, first + int((last - first) * (1 - LOOK_BACK)), -1):
        between = text[offsets[end - 1][1] - 1 : offsets[end][0]]
        if between[-1:].isspace() and not SENTENCE_ENDS.isdisjoint(between):
            return end
    for end in range(last, first, -1):
        if starts_word[end]:
            return end
    return last
