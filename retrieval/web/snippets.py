"""The part of a passage that answers to the words of a query, with these marked."""

from __future__ import annotations

import re

from django.utils.safestring import SafeString

from corpus.web.marks import Span, marked
from retrieval.lexical.words import STOP_WORDS, stem

LENGTH = 320
WORD = re.compile(r"\w+(?:[-‐‑/]\w+)*")


def stems(text: str) -> set[str]:
    """Stems of the words that carry a query's meaning; all of them when none does."""
    words = [word.casefold() for word in WORD.findall(text)]
    kept = [word for word in words if word not in STOP_WORDS] or words
    return {stem(word) for word in kept}


def spans_of(text: str, wanted: set[str]) -> list[Span]:
    """Where words of these stems stand."""
    found = [(match.start(), match.end()) for match in WORD.finditer(text)]
    return [(start, end) for start, end in found if stem(text[start:end].casefold()) in wanted]


def snippet(text: str, query: str, length: int = LENGTH) -> SafeString:
    """About `length` characters with the most different words of the query, these marked."""
    wanted = stems(query)
    spans = spans_of(text, wanted)
    start = _best_start(text, spans, length)
    end = _edge(text, start + length)
    inside = [(a - start, b - start) for a, b in spans if a >= start and b <= end]
    before, after = ("… " if start else ""), (" …" if end < len(text) else "")
    return SafeString(before) + marked(text[start:end], inside) + SafeString(after)


def _best_start(text: str, spans: list[Span], length: int) -> int:
    """Where the window begins that holds the most different words; a sentence's start if near."""
    if len(text) <= length or not spans:
        return 0
    best, most = 0, -1
    for start, _ in spans:
        held = {text[a:b].casefold() for a, b in spans if start <= a and b <= start + length}
        if len(held) > most:
            best, most = start, len(held)
    sentence = max(text.rfind(mark, 0, best) for mark in (". ", "? ", "! ", "\n"))
    if sentence >= 0 and best - sentence < length // 2:
        return sentence + 1 + (text[sentence + 1 : sentence + 2] == " ")
    if best < length // 2:
        return 0
    return best


def _edge(text: str, at: int) -> int:
    """The end of the word that stands at `at`."""
    if at >= len(text):
        return len(text)
    space = text.find(" ", at)
    return len(text) if space < 0 else space
