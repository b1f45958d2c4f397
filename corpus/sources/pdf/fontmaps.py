"""Fonts without a map to Unicode, read by the map inside the embedded font file.

A PDF whose fonts lost their ToUnicode entry gives numbers of glyphs for letters ("7KH" for "The").
The TrueType file in it mostly still knows which letter draws which glyph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from corpus.sources.pdf.mupdf import mupdf

_REFERENCE: Final = re.compile(r"(\d+) 0 R")
_BY_GLYPH_NUMBER: Final = "Identity-H"  # codes of the text are numbers of glyphs


class FontMaps:
    """Letters by glyph number of the fonts of one page, looked up at the first need."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._maps: dict[str, dict[int, str]] | None = None

    def letter(self, font: str, code: int) -> str:
        """The letter that a glyph draws, "" where the font file does not tell."""
        if self._maps is None:
            self._maps = dict(self._read())
        return self._maps.get(_plain(font), {}).get(code, "")

    def _read(self) -> Iterator[tuple[str, dict[int, str]]]:
        document = self._page.parent
        for xref, kind, _, name, _, encoding in self._page.get_fonts():
            if encoding != _BY_GLYPH_NUMBER or kind != "ttf" or not _is_plain(document, xref):
                continue
            try:
                font = mupdf.Font(fontbuffer=document.extract_font(xref)[3])
                points = font.valid_codepoints()
            except Exception:  # a damaged font file tells nothing
                continue
            letters = [point for point in reversed(points) if not _is_private(point)]
            yield _plain(name), {font.has_glyph(point): chr(point) for point in letters}


def _is_private(point: int) -> bool:
    return 0xE000 <= point <= 0xF8FF


def _is_plain(document: Any, xref: int) -> bool:
    """Whether codes are glyph numbers without a table between them."""
    _, inner = document.xref_get_key(xref, "DescendantFonts")
    number = _REFERENCE.search(inner)
    return number is not None and document.xref_get_key(int(number[1]), "CIDToGIDMap") in (
        ("null", "null"),
        ("name", "/Identity"),
    )


def _plain(name: str) -> str:
    return str(name).rsplit("+", 1)[-1]
