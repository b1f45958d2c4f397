"""Pictures of figures whose panel letters are drawn in them, and papers that hold such pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PIL import Image

from corpus.sources.pdf.mupdf import mupdf

DPI = 200
PARTS = "(A) Wild type. (B) Mutant cells grow fast. (C) Rescue. (D) Control."


def figure(
    letters: Mapping[str, tuple[float, float]],
    *,
    size: tuple[float, float] = (400, 260),
    dark: bool = False,
    words: Mapping[str, tuple[float, float]] | None = None,
) -> Image.Image:
    """A picture with letters at places in points and something drawn between them, white on black
    if `dark`; `words` stand in it as well.
    """
    page = mupdf.open().new_page(width=size[0], height=size[1])
    ink = (1, 1, 1) if dark else (0, 0, 0)
    if dark:
        page.draw_rect(page.rect, color=(0, 0, 0), fill=(0, 0, 0))
    for x, y in letters.values():
        page.draw_circle((x + 70, y + 60), 30, color=ink, width=1)
        page.draw_line((x + 30, y + 20), (x + 30, y + 100), color=ink)
        page.insert_text((x + 18, y + 60), "40", fontsize=8, color=ink)
    for text, (x, y) in letters.items():
        page.insert_text((x, y + 9), text, fontsize=11, fontname="hebo", color=ink)
    for text, (x, y) in (words or {}).items():
        page.insert_text((x, y), text, fontsize=11, fontname="hebo", color=ink)
    pixels = page.get_pixmap(dpi=DPI)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def paper(picture: Image.Image, caption: str) -> bytes:
    """A page of text with a picture and its caption."""
    document = mupdf.open()
    page = document.new_page()
    text = "The kinase was active in all samples that were kept at low temperature for days."
    for row in (*range(6), *range(40, 46)):
        page.insert_text((60, 80 + 13 * row), text, fontsize=10)
    place(page, picture, 170)
    line, y = "", 480.0
    for word in caption.split():
        longer = f"{line} {word}".strip()
        if mupdf.get_text_length(longer, fontsize=8) > 420:
            page.insert_text((60, y), line, fontsize=8)
            longer, y = word, y + 10
        line = longer
    page.insert_text((60, y), line, fontsize=8)
    data: bytes = document.tobytes()
    return data


def place(page: Any, picture: Image.Image, top: float) -> None:
    """Put a picture on a page, 60 points from its left."""
    width, height = (side * 72 / DPI for side in picture.size)
    samples = picture.convert("RGB").tobytes()
    pixels = mupdf.Pixmap(mupdf.csRGB, picture.width, picture.height, samples, False)
    page.insert_image(mupdf.Rect(60, top, 60 + width, top + height), pixmap=pixels)
