"""The abstract OpenAlex gives as words with their places, put back in order."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from corpus.sources.cleaning import one_line, paragraphs

MAX_WORDS: Final = 200_000
GAP: Final = "[…]"
_ESCAPES: Final = 3  # '&amp;amp;' has been seen; nothing was escaped more often than that
_BREAKS = re.compile(
    r"</?(?:jats:)?(?:p|sec|title|br|list|list-item|div|ul|ol|li)\s*/?>", re.IGNORECASE
)
_SUP = re.compile(r"(?<=\d)<(?:jats:)?sup>\s*(?=[-+\u2212\u2013]?\d)", re.IGNORECASE)
_SUB = re.compile(r"(?<=\d)<(?:jats:)?sub>\s*(?=[-+\u2212\u2013]?\d)", re.IGNORECASE)
# Without attributes, so that "p <b and c> d" stays text.
_TAGS = re.compile(
    r"</?(?:jats:)?(?:i|b|u|em|strong|sub|sup|italic|bold|sc|underline|scp|inf|span|tt)\s*/?>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Abstract:
    """Paragraphs, and how many words between the first and the last are missing."""

    paragraphs: tuple[str, ...] = ()
    missing: int = 0


def rebuild(index: Any) -> Abstract:
    """Put an abstract_inverted_index, {word: [places]}, back in order.

    Places without a word leave one mark; two words at one place are both kept, in the order of the
    index. What is no list of whole numbers is passed over.
    """
    if not isinstance(index, Mapping):
        return Abstract()
    placed = sorted(_places(index), key=lambda item: item[0])[:MAX_WORDS]
    words: list[str] = []
    missing, last = 0, None
    for place, word in placed:
        if last is not None and place > last + 1:
            missing += place - last - 1
            words.append(GAP)
        words.append(word)
        last = place
    return Abstract(tuple(plain_paragraphs(" ".join(words))), missing)


def _places(index: Mapping[Any, Any]) -> Iterator[tuple[int, str]]:
    for word, places in index.items():
        if isinstance(places, list) and str(word).strip():
            for place in places:
                if isinstance(place, int) and not isinstance(place, bool) and place >= 0:
                    yield place, str(word)


def plain_paragraphs(text: str) -> list[str]:
    """Text without markup and entities, however often they were escaped."""
    text = _BREAKS.sub("\n\n", unescape(text))
    return paragraphs(_TAGS.sub("", _SUB.sub("_", _SUP.sub("^", text))))


def plain(text: str) -> str:
    """The same on one line, for titles and names."""
    return one_line(" ".join(plain_paragraphs(text)))


def unescape(text: str) -> str:
    """Resolve entities until none is left."""
    for _ in range(_ESCAPES):
        resolved = html.unescape(text)
        if resolved == text:
            break
        text = resolved
    return text
