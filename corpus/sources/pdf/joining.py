"""Lines to text: hyphens at line ends, spaces, and where each piece of the text stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.model import Line, Word, union
from corpus.sources.pdf.shape import PlacedRun

_HYPHENS: Final = "-\u2010\u00ad"
_NO_SPACE_AFTER: Final = "/\u2013\u2014-\u2010"
_TAIL = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_HEAD = re.compile(r"[^\W\d_]+")
_LAST_WORD = re.compile(r"(?<![\w-])[^\W\d_]{3,}$")
_FIRST_WORD = re.compile(r"(?=[a-z\u00df-\u00ff])[^\W\d_]+(?![\w-])")
_SENTENCE_END = re.compile(r"[.!?\u3002][)\]\"'\u201d\u2019\d,\u2013-]*$")
_WHOLE: Final = 5  # letters of a half that may be a word of its own, as in "subjects-compared"
# Prefixes that keep their hyphen when the word is not written in one elsewhere.
_PREFIXES: Final = frozenset(
    ["non", "anti", "self", "well", "post", "pre", "co", "low", "high", "long", "short", "semi",
     "multi", "cross", "ex", "half", "age", "dose", "time", "double", "single", "two", "three",
     "four", "one", "large", "small", "follow", "meta", "evidence", "cost", "side"]
)  # fmt: skip


class TextBuilder:
    """Builds the text of one block line by line."""

    def __init__(self, words: Counter[str]) -> None:
        self._words = words
        self._parts: list[str] = []
        self._length = 0
        self._runs: list[PlacedRun] = []

    @property
    def is_empty(self) -> bool:
        return not self._parts

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def runs(self) -> tuple[PlacedRun, ...]:
        return tuple(self._runs)

    def add(self, line: Line) -> None:
        """Append a line: hyphenation is undone, other lines are joined by a space."""
        if self._parts:
            self._join(line.text)
        for words in _cut_at_sentences(line.words):
            text = " ".join(word.text for word in words)
            start = self._length
            self._append(text)
            rect = union(word.rect for word in words)
            self._runs.append(PlacedRun(start, self._length, line.page, rect))
            self._append(" ")
        self._drop_last(1)

    def _join(self, following: str) -> None:
        before = self._parts[-1]
        if _TAIL.search(before) and following[:1].islower():
            if is_one_word(before, following, self._words):
                self._drop_last(1)
            return
        tied = before[-1:] in _NO_SPACE_AFTER and before[-2:-1].strip() != ""
        if tied and following[:1].isalnum():
            return
        self._append(" ")

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _drop_last(self, count: int) -> None:
        """Take characters off the end; a run that ends there ends earlier."""
        last = self._parts[-1]
        self._parts[-1] = last[:-count]
        if not self._parts[-1]:
            self._parts.pop()
        self._length -= count
        if self._runs and self._runs[-1].end > self._length:
            run = self._runs[-1]
            self._runs[-1] = PlacedRun(run.start, self._length, run.page, run.rect)


def is_one_word(before: str, following: str, words: Counter[str]) -> bool:
    """Whether the hyphen at a line's end only parts a word; `words` are those of the document."""
    tail, head = _TAIL.search(before), _HEAD.match(following)
    if tail is None or head is None:
        return False
    left, right = tail.group(1), head.group()
    if before.endswith("\u00ad"):
        return True
    joined, parted = (left + right).lower(), f"{left}-{right}".lower()
    if words[joined] or words[parted]:
        return words[joined] >= words[parted]
    if left.isupper() and len(left) > 1:
        return False
    halves = (left.lower(), right.lower())
    if all(len(half) >= _WHOLE and words[half] > 1 for half in halves):
        return False
    return halves[0] not in _PREFIXES


def is_torn_word(before: str, following: str, words: Counter[str]) -> bool:
    """Whether a line ends within a word that has no hyphen there, as in narrow cells.

    The document writes the whole word elsewhere, and the first half more seldom.
    """
    tail, head = _LAST_WORD.search(before), _FIRST_WORD.match(following)
    if tail is None or head is None:
        return False
    left, whole = tail.group().lower(), (tail.group() + head.group()).lower()
    return words[whole] > 0 and (words[left] <= 1 or words[left] < words[whole])


def _cut_at_sentences(words: Sequence[Word]) -> list[list[Word]]:
    """Words up to each possible end of a sentence, so that a sentence is a sum of whole runs."""
    pieces: list[list[Word]] = [[]]
    for word in words:
        pieces[-1].append(word)
        if _SENTENCE_END.search(word.text):
            pieces.append([])
    return [piece for piece in pieces if piece]


def join_text(lines: Sequence[Line], words: Counter[str]) -> tuple[str, tuple[PlacedRun, ...]]:
    """The text of some lines and its places."""
    builder = TextBuilder(words)
    for line in lines:
        builder.add(line)
    return builder.text, builder.runs
