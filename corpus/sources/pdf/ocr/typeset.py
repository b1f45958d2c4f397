"""Recognised words as lines of a page, with the sizes and baselines that the reader goes by."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from corpus.sources.cleaning import clean_text
from corpus.sources.pdf.model import Line, PageContent, Rect, Word, make_line
from corpus.sources.pdf.ocr.model import Recognised, SeenWord

MIN_CONFIDENCE: Final = 0.25  # specks and rules give "words" below this; longer ones are none
_LONG: Final = 4
_SIGN_CONFIDENCE: Final = 0.6  # the same for what has neither letter nor digit
_HIGH: Final = frozenset("bdfhklitABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789()[]/|%&")
_LOW: Final = frozenset("gjpqy()[]/|,;Q")
# In ems, of the usual text faces: height of small letters, of tall ones, depth below the baseline.
_SMALL, _TALL, _DEEP = 0.46, 0.68, 0.21
_ALIKE: Final = 0.13  # sizes this near the body's are the body's: boxes are measured in pixels
FONT: Final = "recognised"


def page_of(found: Recognised, number: int) -> PageContent:
    """A page that holds what was recognised and nothing else."""
    content = PageContent(number, found.width, found.height)
    content.rotation, content.skew, content.ocr_layer = found.turn, found.skew, True
    sized = [(line, _size(line)) for line in map(kept, found.lines) if line]
    body = _body_size(sized)
    content.lines = [_line(line, _settled(size, body), number) for line, size in sized]
    return content


def kept(line: Sequence[SeenWord]) -> list[SeenWord]:
    """The words that are no specks."""
    return [
        word
        for word in line
        if (word.confidence >= MIN_CONFIDENCE or sum(map(str.isalpha, word.text)) >= _LONG)
        and (word.confidence >= _SIGN_CONFIDENCE or any(char.isalnum() for char in word.text))
    ]


def _size(line: Sequence[SeenWord]) -> float:
    """The type size of a line, by what its letters fill of an em."""
    return median(_em(word) for word in line)


def _em(word: SeenWord) -> float:
    letters = set(word.text)
    share = _TALL if letters & _HIGH else _SMALL
    share += _DEEP if letters & _LOW else 0.0
    return max((word.box[3] - word.box[1]) / share, 1.0)


def _body_size(sized: Sequence[tuple[Sequence[SeenWord], float]]) -> float:
    """The size of most letters."""
    sizes = sorted(size for line, size in sized for word in line for _ in word.text)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _settled(size: float, body: float) -> float:
    near = body and abs(size - body) <= _ALIKE * body
    return round(2 * (body if near else size)) / 2


def _line(line: Sequence[SeenWord], size: float, number: int) -> Line:
    level = median(word.box[3] - (_DEEP * size if set(word.text) & _LOW else 0.0) for word in line)
    words = [Word(clean_text(word.text), Rect(*word.box), level, size, FONT) for word in line]
    return make_line(words, number)
