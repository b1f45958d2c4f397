"""What was taken off the pages as running heads and feet, told so that a curator can judge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TOLD: Final = 6  # texts that the report of a page tells
_LENGTH: Final = 80
_MUCH: Final = 0.05  # share of the letters; papers of the usual make stay below it
_MUCH_OF_ITS_OWN: Final = 0.03  # the same, with what recurs word for word counted once


def shortened(text: str) -> str:
    """A text of at most 80 signs."""
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH - 1].rstrip()}\u2026"


def told(furniture: Sequence[str]) -> list[str]:
    """The longest texts taken off a page, shortened, in their order: bare numbers tell least."""
    kept = sorted(range(len(furniture)), key=lambda place: -len(furniture[place]))[:TOLD]
    return [shortened(furniture[place]) for place in sorted(kept)]


def much_taken(furniture: Sequence[Sequence[str]], letters: int) -> str:
    """A sentence for the curator where much was taken, else "".

    `furniture` is the texts by page, `letters` what the whole document holds, those included.
    Bare numbers (of pages and lines) do not count.
    """
    texts = [text for page in furniture for text in page if not text.isdecimal()]
    taken = sum(map(len, texts))
    own = sum(map(len, set(texts)))
    if taken <= _MUCH * letters and own <= _MUCH_OF_ITS_OWN * letters:
        return ""
    share, example = max(round(100 * taken / letters), 1), shortened(max(texts, key=len))
    return (
        f"{share} % of the text was left out as running heads and feet, such as "
        f"\u201c{example}\u201d: check that none of it belongs to the text."
    )
