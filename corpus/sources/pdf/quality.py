"""Text layers that are no text: fonts without Unicode, wrong maps, bad recognition under a scan."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from corpus.sources.pdf.model import Line, PageContent, Word

MAX_UNREAD: Final = 0.3  # share of glyphs without Unicode above which a page counts as unread
MIN_LETTERS: Final = 60
_VOWELS: Final = frozenset("aeiouyAEIOUY")
_LATIN = re.compile(r"[A-Za-z]")
MIN_FONT_LETTERS: Final = 120  # in different words: a name set again and again tells nothing
_DISTINCT: Final = 12  # sequences of bases have four letters, and are no garbled text
_LIKENESS: Final = 0.7  # below it letters come in other shares than in any language we saw
_MANY: Final = 10  # words with a sign unread from which on a page is worth recognising
# Share of each letter in English, in percent; other languages of Europe come within 0.8 of it.
_SHARES: Final = dict(
    zip(
        "etaoinshrdlcumwfgypbvkjxqz",
        (12.7, 9.1, 8.2, 7.5, 7.0, 6.7, 6.3, 6.1, 6.0, 4.3, 4.0, 2.8, 2.8, 2.4, 2.4, 2.2, 2.0, 2.0,
         1.9, 1.5, 1.0, 0.8, 0.2, 0.2, 0.1, 0.1),
        strict=True,
    )
)  # fmt: skip
_SMALL_WORDS: Final = frozenset(
    {
        *("the", "of", "and", "in", "to", "for", "with", "was", "were", "by", "that", "is", "on"),
        *("as", "der", "die", "und", "den", "von", "mit", "das", "ist", "le", "la", "les", "des"),
        *("et", "du", "une", "en", "dans", "el", "los", "las", "del", "por", "con", "para", "da"),
        *("do", "dos", "em", "di", "il", "che", "per", "een", "van", "het"),
    }
)


def set_garbled_aside(content: PageContent) -> bool:
    """Take the lines off a page whose letters make no words, and say so."""
    if not _is_garbled(content):
        return False
    content.lines = []
    content.turned = {}
    return True


def _is_garbled(content: PageContent) -> bool:
    if content.glyphs and content.unread_glyphs > MAX_UNREAD * content.glyphs:
        return True
    text = " ".join(line.text for line in content.lines)
    if content.ocr_layer and not looks_like_text(text):
        return True
    bad = garbled_fonts(content)
    letters = sum(line.letters for line in content.lines)
    return sum(len(word.text) for word in _words(content) if word.font in bad) > 0.5 * letters


def doubtful_words(content: PageContent) -> list[Word]:
    """Words of fonts whose map is wrong, and those with unread signs where there are many."""
    bad = garbled_fonts(content)
    wrong = [word for word in _words(content) if word.font in bad]
    torn = [word for word in _words(content) if "\ufffd" in word.text and word.font not in bad]
    return wrong + (torn if len(torn) >= _MANY else [])


def garbled_fonts(content: PageContent) -> frozenset[str]:
    """Fonts of a page whose words are of no language, told by their letters."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for word in _words(content):
        words[word.font].add(word.text)
    return frozenset(font for font, texts in words.items() if not _is_language(texts))


def _words(content: PageContent) -> Iterable[Word]:
    lines: list[Line] = [*content.lines, *(line for run in content.turned.values() for line in run)]
    return (word for line in lines for word in line.words)


def _is_language(texts: set[str]) -> bool:
    """Whether words may be of a language in Latin letters; too few or other letters pass."""
    counts = Counter(char for text in texts for char in text.lower() if char in _SHARES)
    if sum(counts.values()) < MIN_FONT_LETTERS or len(counts) < _DISTINCT:
        return True
    if any(text.lower() in _SMALL_WORDS for text in texts):
        return True
    product = sum(count * _SHARES[char] for char, count in counts.items())
    lengths = math.hypot(*counts.values()) * math.hypot(*_SHARES.values())
    return product >= _LIKENESS * lengths


def looks_like_text(text: str) -> bool:
    """Whether a text has the letters and vowels of a language; short or non-Latin ones pass."""
    signs = [char for char in text if not char.isspace()]
    letters = [char for char in signs if char.isalpha()]
    if len(signs) < MIN_LETTERS:
        return True
    if len(letters) < 0.55 * len(signs):
        return False
    latin = [char for char in letters if _LATIN.match(char)]
    if len(latin) < 0.6 * len(letters):
        return True
    vowels = sum(char in _VOWELS for char in latin)
    return 0.22 <= vowels / len(latin) <= 0.62
