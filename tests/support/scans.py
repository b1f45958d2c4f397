"""Lines of type as pictures, and PDFs whose pages are such pictures."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from corpus.sources.pdf.mupdf import mupdf

LINES = (
    "Seedlings were grown for fourteen days under a",
    "constant light regime before sampling. Each of",
    "the samples was weighed, dried for two days and",
    "kept at low temperature until it was looked at.",
    "No difference was seen between the two groups.",
)
DPI = 200


def drawn(lines: Sequence[str] = LINES, *, width: float = 300, height: float = 140) -> Image.Image:
    """Lines of type as a picture."""
    page = mupdf.open().new_page(width=width, height=height)
    for row, line in enumerate(lines):
        page.insert_text((20, 30 + 14 * row), line, fontsize=11)
    pixels = page.get_pixmap(dpi=DPI)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def scan(*pictures: Image.Image) -> bytes:
    """A PDF with a page for each picture and nothing else."""
    document = mupdf.open()
    for picture in pictures:
        width, height = picture.width * 72 / DPI, picture.height * 72 / DPI
        page = document.new_page(width=width, height=height)
        pixels = mupdf.Pixmap(
            mupdf.csRGB, picture.width, picture.height, picture.convert("RGB").tobytes(), False
        )
        page.insert_image(page.rect, pixmap=pixels)
    data: bytes = document.tobytes()
    return data
