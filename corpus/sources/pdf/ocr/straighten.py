"""How a scanned page lies: sideways, askew. Told by where its ink stands, without reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from PIL import Image

_SIDE: Final = 1100  # pixels of the longer side that are looked at: lines of text stay apart
_PARTS: Final = 4
_COARSE: Final = tuple(step / 2 for step in range(-10, 11))  # degrees
MIN_SKEW: Final = 0.2  # degrees below which a page is left as it is
_MIN_INK: Final = 400  # pixels; with less there is nothing to tell by

Ink = np.ndarray[Any, np.dtype[np.bool_]]


def ink_of(image: Image.Image) -> Ink:
    """Where the page is dark, small; single specks fade by the scaling."""
    scale = min(1.0, _SIDE / max(image.size))
    size = (max(round(image.width * scale), 1), max(round(image.height * scale), 1))
    grey = np.asarray(image.convert("L").resize(size, Image.Resampling.BOX), dtype=np.int16)
    ground = int(np.median(grey))
    return grey < ground - 60


def is_sideways(ink: Ink) -> bool:
    """Whether the lines of text run up or down the page."""
    if ink.sum() < _MIN_INK:
        return False
    return max(map(_gathers(ink.T), _COARSE)) > 1.15 * max(map(_gathers(ink), _COARSE))


def skew_of(ink: Ink) -> float:
    """Degrees by which lines fall to the right (negative: rise), 0 for a straight page."""
    if ink.sum() < _MIN_INK:
        return 0.0
    gathered = _gathers(ink)
    coarse = max(_COARSE, key=gathered)
    found = max((coarse + step / 10 for step in range(-5, 6)), key=gathered)
    return round(found, 1) if abs(found) >= MIN_SKEW else 0.0


def _gathers(ink: Ink) -> Callable[[float], float]:
    """A function of an angle: how much ink stands in the same row along it, most along lines."""
    ys, xs = np.nonzero(ink)
    step = max(1, len(ys) // 60_000)
    ys, xs = ys[::step].astype(np.float64), xs[::step].astype(np.float64)
    # Lines of two columns need not stand level with each other: each part gathers for itself.
    ys += xs // (ink.shape[1] / _PARTS) * 2 * ink.shape[0]

    def along(angle: float) -> float:
        rows = np.rint(ys - xs * np.tan(np.radians(angle))).astype(np.int64)
        return float(np.square(np.bincount(rows - rows.min()).astype(np.float64)).sum())

    return along
