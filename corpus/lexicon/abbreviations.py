"""Abbreviations that a text defines: "familial adenomatous polyposis (FAP)".

Source: Schwartz and Hearst, Pacific Symposium on Biocomputing 2003: letters of the short form are
sought from its end in the words before it; the first must begin a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_INSIDE = re.compile(r"[(\[]([^()\[\]]{2,300})[)\]]")
_SHORT = re.compile(r"(?=.*[^\W\d_])[^\W_][\w\s/+.'’-]*")
_SENTENCE_END = re.compile(r"[.;:!?]\s")
_MAX_SHORT, _MIN_SHORT = 10, 2
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form and its long form, each with its span."""

    short: str
    short_span: tuple[int, int]
    long_span: tuple[int, int]


def definitions(text: str) -> Iterator[Definition]:
    """All definitions of a text, in its order."""
    for match in _INSIDE.finditer(text):
        inside = re.split(r"[;,]", match[1])[0].rstrip()
        if _is_short_form(inside):
            yield from _defined(text, match.start(1), inside, _before(text, match.start()))
        else:
            at, word = _word_before(text, match.start())
            if _is_short_form(word):
                yield from _defined(text, at, word, match.span(1))


def _is_short_form(text: str) -> bool:
    return (
        _MIN_SHORT <= len(text) <= _MAX_SHORT
        and len(text.split()) <= 2
        and bool(_SHORT.fullmatch(text))
    )


def _before(text: str, end: int) -> tuple[int, int]:
    """The sentence before a bracket."""
    start = max(0, end - 200)
    for stop in _SENTENCE_END.finditer(text, start, end):
        start = stop.end()
    return start, end


def _word_before(text: str, end: int) -> tuple[int, str]:
    """The word before a bracket and where it begins; "" where there is none."""
    near = text[max(0, end - _LONGEST_WORD) : end].rstrip()
    word = near[near.rfind(" ") + 1 :]
    return max(0, end - _LONGEST_WORD) + len(near) - len(word), word


def _defined(text: str, at: int, short: str, within: tuple[int, int]) -> Iterator[Definition]:
    """The definition of the short form at a place, if a long form stands within some span: of text
    before it, in the last words.
    """
    most = min(len(short) + 5, len(short) * 2)
    inside = text[slice(*within)].rstrip()
    words = inside.rsplit(None, most)
    is_behind = within[0] > at
    candidate = inside if is_behind or len(words) <= most else inside[len(words[0]) :].lstrip()
    first = within[0] + len(inside) - len(candidate)
    start = _long_form(short, candidate)
    if start is None:
        return
    long = candidate[start:]
    if len(long) > len(short) and short not in re.split(r"[^\w-]+", long):
        yield Definition(short, (at, at + len(short)), (first + start, first + len(candidate)))


def _long_form(short: str, candidate: str) -> int | None:
    """Where the shortest long form begins in the candidate, None where a letter is missing."""
    place = len(candidate) - 1
    for number in range(len(short) - 1, -1, -1):
        letter = short[number].lower()
        if not letter.isalnum():
            continue
        while place >= 0 and (
            candidate[place].lower() != letter
            or (number == 0 and place > 0 and candidate[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
        place -= 1
    return candidate.rfind(" ", 0, place + 1) + 1
