"""Words of a question as they stand in a text, to explain a hit and to mark it."""

from __future__ import annotations

import re

from retrieval.lexical.analyser import fold
from retrieval.lexical.words import STOP_WORDS, stem

_WORD = re.compile(r"[^\W_]+(?:[-'/][^\W_]+)*")
_BOUNDARY = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|[-/]")
MIN_PREFIX = 4  # of a word that may go on in the text; shorter ones and symbols stand whole
MAX_WORDS = 64


class Matcher:
    """Finds the words of one question. Quick rather than complete: it explains, the index
    decides.
    """

    def __init__(self, question: str) -> None:
        words = dict.fromkeys(_WORD.findall(fold(question)))
        patterns = [_pattern(word) for word in words if word.lower() not in STOP_WORDS]
        joined = "|".join(patterns[:MAX_WORDS])
        self._pattern = re.compile(rf"(?<![^\W_])(?:{joined})", re.IGNORECASE) if joined else None

    def found_in(self, text: str) -> list[str]:
        """The distinct words of the text that answer to the question's, as they are written."""
        if self._pattern is None:
            return []
        return list(dict.fromkeys(match.group() for match in self._pattern.finditer(fold(text))))


def _pattern(word: str) -> str:
    pieces = [piece for piece in _BOUNDARY.split(word.removesuffix("'s")) if piece]
    if len(pieces) > 1:  # IL-6, IL6, IL 6
        return r"[-\s]?".join(map(re.escape, pieces)) + r"(?![^\W_])"
    prefix = stem(word.lower()).rstrip("ie") or word.lower()
    if len(prefix) < MIN_PREFIX or not word[1:].islower():
        return re.escape(word) + r"s?(?![^\W_])"
    return re.escape(prefix) + r"[^\W_]*"
