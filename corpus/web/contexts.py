"""Quoted words among those around them."""

from __future__ import annotations

from django.utils.safestring import SafeString

from accounts.web.formats import shortened
from corpus.web.marks import marked

AROUND = 500  # characters of context shown on each side of a quote
WHOLE = 1400  # a passage up to this length is shown whole


def context_of(text: str, start: int, end: int, *, around: int = AROUND, whole: int = WHOLE) -> str:
    """The passage with [start, end) marked; of a long one, what stands around it.

    An empty span means nothing in particular: the passage is shown from its beginning, unmarked.
    """
    if start >= end:
        return shortened(text, whole)
    first, last = 0, len(text)
    if len(text) > whole:
        first, last = _word_edge(text, start - around), _word_edge(text, end + around)
    shown = marked(text[first:last], [(start - first, end - first)])
    before, after = ("… " if first > 0 else ""), (" …" if last < len(text) else "")
    return SafeString(before) + shown + SafeString(after)


def _word_edge(text: str, at: int) -> int:
    """The nearest space before `at`, so that no word is cut."""
    if at <= 0:
        return 0
    if at >= len(text):
        return len(text)
    space = text.rfind(" ", 0, at)
    return space + 1 if space >= 0 else at
