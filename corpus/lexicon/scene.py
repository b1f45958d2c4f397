"""A text while its names are weighed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from corpus.lexicon.choosing import Choice
from corpus.lexicon.folding import Folded, fold, fold_words
from corpus.lexicon.loaders import Name

Span = tuple[int, int]  # first and last token
_FEW = 2000  # tokens that are sooner gone through than listed by word


class Scene:
    """A text under reading: its tokens, what was found, which short forms it defines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded: Folded = fold(text)
        self.words = self.folded.words
        self.sure: dict[Span, tuple[Name, ...]] = {}
        self.unsure: dict[Span, tuple[Name, ...]] = {}
        self.spoken: set[int] = set()  # terms that stand by a long name
        self.chosen: dict[tuple[str, tuple[Name, ...]], Choice | None] = {}
        self._places: dict[str, list[int]] = {}

    def places(self, word: str) -> Sequence[int]:
        """Tokens of this folded form."""
        if len(self.words) < _FEW:
            return [place for place, each in enumerate(self.words) if each == word]
        if not self._places:
            for place, each in enumerate(self.words):
                self._places.setdefault(each, []).append(place)
        return self._places.get(word, ())

    def span(self, start: int, end: int) -> Span:
        """The tokens within characters [start, end)."""
        spans = self.folded.spans
        return bisect_left(spans, (start, 0)), bisect_right(spans, (end, 0)) - 1

    def size(self, span: Span) -> int:
        """Folded characters from the first token to the last: a Greek letter counts as its name."""
        stops = self.folded.stops
        return stops[span[1]] - stops[span[0]] + len(self.words[span[0]])

    def surface(self, span: Span) -> str:
        """The characters of tokens first to last."""
        spans = self.folded.spans
        return self.text[spans[span[0]][0] : spans[span[1]][1]]

    def written(self, short: str) -> list[Span]:
        """Where a short form stands, written as it was defined."""
        words = fold_words(short)
        size = len(words)
        return [
            span
            for at in self.places(words[0])
            if self.words[at : at + size] == words
            and self.surface(span := (at, at + size - 1)).removesuffix("s")
            == short.removesuffix("s")
        ]

    def drop(self, span: Span, kept: tuple[Name, ...]) -> None:
        """Let only some names stand at a place, and those for sure."""
        self.unsure.pop(span, None)
        self.sure.pop(span, None)
        if kept:
            self.sure[span] = kept
