"""Text layers that are no text: fonts without Unicode, bad OCR under a scan."""

from __future__ import annotations

import re
from typing import Final

from corpus.sources.pdf.model import PageContent

MAX_UNREAD: Final = 0.3  # share of glyphs without Unicode above which a page counts as unread
MIN_LETTERS: Final = 60
_VOWELS: Final = frozenset("aeiouyAEIOUY")
_LATIN = re.compile(r"[A-Za-z]")


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
    return content.ocr_layer and not looks_like_text(" ".join(line.text for line in content.lines))


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
