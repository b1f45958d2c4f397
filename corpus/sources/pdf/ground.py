"""What lies behind and over the words of a page, looked at where a word may not be seen."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from corpus.sources.pdf.model import PageContent, Rect
from corpus.sources.pdf.mupdf import mupdf

_DPI: Final = 72  # a pixel a point
_NEAR: Final = 40  # of 255, a channel: colours that a reader does not tell apart
_SAME: Final = 0.5  # share of a word's box in its own colour; letters fill less than half
_FLAT: Final = 0.97


class Ground:
    """The drawn page, made at the first question; most pages raise none."""

    def __init__(self, page: Any, content: PageContent) -> None:
        self._page = page
        pictures = (picture.rect for picture in content.pictures)
        self._areas = [*content.fills, *content.blanks, *pictures]

    def lies_behind(self, rect: Rect) -> bool:
        """Whether there is an area or a picture at a word's place."""
        x, y = _centre(rect)
        return any(area.holds(x, y) for area in self._areas)

    def swallows(self, rect: Rect, colour: int) -> bool:
        """Whether a word has the colour of what is around it."""
        pixels = self._inside(rect)
        own = np.array([colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF])
        return bool(pixels.size) and _share_near(pixels, own) > _SAME

    def is_covered(self, rect: Rect) -> bool:
        """Whether a picture without holes, or an area, was painted over a word."""
        x, y = _centre(rect)
        paints = [(at, kind) for at, kind, box in self._paints if _holds(box, rect)]
        if not paints:
            return False
        written = max((at for at, box in self._texts if box.holds(x, y)), default=len(self._log))
        over = [kind for at, kind in paints if at > written]
        return "image" in over or ("path" in over and self._is_flat(rect))

    def _is_flat(self, rect: Rect) -> bool:
        pixels = self._inside(rect)
        if not pixels.size:
            return False
        middle = np.median(pixels.reshape(-1, 3), axis=0)
        return _share_near(pixels, middle) >= _FLAT

    def _inside(self, rect: Rect) -> Any:
        x0, y0, x1, y1 = (max(round(value), 0) for value in rect)
        return self._drawn[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]

    @cached_property
    def _drawn(self) -> Any:
        """Rows, columns, channels; empty where the page cannot be drawn."""
        try:
            drawn = self._page.get_pixmap(dpi=_DPI, alpha=False, colorspace=mupdf.csRGB)
        except MemoryError:
            raise
        except Exception:  # a broken picture: what lies behind cannot be told
            return np.empty((0, 0, 3), dtype=np.int16)
        flat = np.frombuffer(drawn.samples, dtype=np.uint8).astype(np.int16)
        return flat.reshape(drawn.height, drawn.width, 3)

    @cached_property
    def _log(self) -> list[tuple[int, str, Rect]]:
        """All painting in its order: when, what, where."""
        return [(at, kind, Rect(*box)) for at, (kind, box) in enumerate(self._page.get_bboxlog())]

    @cached_property
    def _texts(self) -> list[tuple[int, Rect]]:
        return [(at, box) for at, kind, box in self._log if kind.endswith("text")]

    @cached_property
    def _paints(self) -> list[tuple[int, str, Rect]]:
        """Areas, and pictures that nothing shows through."""
        whole = [
            Rect(*info["bbox"]) for info in self._page.get_image_info() if not info.get("has-mask")
        ]
        found = [(at, "path", box) for at, kind, box in self._log if kind == "fill-path"]
        for at, kind, box in self._log:
            if kind == "fill-image" and any(box.overlap(rect) > 0.98 * box.area for rect in whole):
                found.append((at, "image", box))
        return found


def _share_near(pixels: Any, colour: Any) -> float:
    return float((np.abs(pixels - colour) <= _NEAR).all(axis=-1).mean())


def _holds(box: Rect, rect: Rect) -> bool:
    return box.overlap(rect) > 0.9 * rect.area


def _centre(rect: Rect) -> tuple[float, float]:
    return (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
