"""Pictures of figures and pages as bytes."""

from __future__ import annotations

import io
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from corpus.sources.pdf.graphics import MIN_PIXELS
from corpus.sources.pdf.model import Picture, Rect
from corpus.sources.pdf.mupdf import mupdf

MIN_BYTES: Final = 4096
MAX_PIXELS: Final = 40_000_000  # a small file can unfold to gigabytes
MAX_SIDE: Final = 16_000  # pixels; WebP ends at 16,383
PAGE_DPI: Final = 110
PAGE_BYTES: Final = 120_000
FIGURE_DPI: Final = 150
LETTER_DPI: Final = 200  # at which single letters in figures are told apart
LETTER_PIXELS: Final = 12_000_000  # a poster's figure is not searched
_LEVELS: Final = 7  # grey steps of a page picture: type stays crisp, files stay small
_POSTERISED: Final = [(value >> 5) * 255 // _LEVELS for value in range(256)] * 3


def raster_of(document: Any, picture: Picture) -> tuple[bytes, str] | None:
    """The embedded image as it is stored (JPEG or PNG), None when small, vast or odd."""
    if picture.xref <= 0 or min(picture.width, picture.height) < MIN_PIXELS:
        return None
    if picture.width * picture.height > MAX_PIXELS:
        return None
    try:
        found = document.extract_image(picture.xref)
    except Exception:  # an image that cannot be decoded is drawn from the page instead
        return None
    if not found or len(found["image"]) < MIN_BYTES or found.get("smask"):
        return None
    kinds = {"jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png"}
    media_type = kinds.get(found["ext"])
    if media_type is None or found.get("colorspace", 3) not in (1, 3):
        return None
    return found["image"], media_type


def region_image(page: Any, rect: Rect) -> tuple[bytes, str] | None:
    """A region of the page drawn at FIGURE_DPI, as WebP."""
    clip = mupdf.Rect(*rect.grown(2)) & page.rect
    if clip.is_empty or clip.width < 8 or clip.height < 8:
        return None
    image = _drawn(page, FIGURE_DPI, clip)
    if image is None:
        return None
    target = io.BytesIO()
    image.save(target, "WEBP", quality=80, method=0)
    return target.getvalue(), "image/webp"


def grey_pixels(page: Any, rect: Rect) -> tuple[NDArray[np.uint8], Rect] | None:
    """A region of the page at LETTER_DPI, (height, width), 255 is white, and what part of the page
    it shows; None when it is vast or cannot be drawn.
    """
    clip = mupdf.Rect(*rect) & page.rect
    if clip.is_empty or clip.get_area() * (LETTER_DPI / 72) ** 2 > LETTER_PIXELS:
        return None
    try:
        drawn = page.get_pixmap(dpi=LETTER_DPI, clip=clip, alpha=False, colorspace=mupdf.csGRAY)
    except Exception:  # memory or a broken image: the figure stays without panels
        return None
    return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width), Rect(*clip)


def page_image(page: Any) -> bytes | None:
    """The whole page as WebP of at most PAGE_BYTES; None when it cannot be drawn.

    Type is kept crisp without loss in few grey levels; a page full of pictures is compressed with
    loss, and drawn smaller if need be.
    """
    image = _drawn(page, PAGE_DPI, None)
    if image is None:
        return None
    crisp = _encoded(image.point(_POSTERISED), lossless=True, quality=20, method=2)
    if len(crisp) <= PAGE_BYTES:
        return crisp
    for quality in (35, 15, 5):
        lossy = _encoded(image, lossless=False, quality=quality, method=1)
        if len(lossy) <= PAGE_BYTES:
            return lossy
    small = image.resize((max(image.width * 2 // 3, 1), max(image.height * 2 // 3, 1)))
    return _encoded(small, lossless=False, quality=10, method=2)


def _drawn(page: Any, dpi: int, clip: Any) -> Image.Image | None:
    area = clip if clip is not None else page.rect
    scale = dpi / 72
    pixels = area.width * area.height * scale * scale
    if pixels > MAX_PIXELS:
        dpi = int(dpi * (MAX_PIXELS / pixels) ** 0.5)
    dpi = min(dpi, int(72 * MAX_SIDE / max(area.width, area.height, 1)))
    if dpi < 1:
        return None
    try:
        drawn = page.get_pixmap(dpi=dpi, clip=clip, alpha=False, colorspace=mupdf.csRGB)
    except Exception:  # memory or a broken image: the page stays without a picture
        return None
    size = (drawn.width, drawn.height)
    return Image.frombuffer("RGB", size, drawn.samples, "raw", "RGB", 0, 1)


def _encoded(image: Image.Image, *, lossless: bool, quality: int, method: int) -> bytes:
    target = io.BytesIO()
    image.save(target, "WEBP", lossless=lossless, quality=quality, method=method)
    return target.getvalue()
