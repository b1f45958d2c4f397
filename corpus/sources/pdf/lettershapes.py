"""Single letters inside a picture, told by their shapes: text recognition, made for words, passes
over most of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from string import ascii_letters, digits
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from corpus.sources.pdf.components import Flags, Ints, boxes_of
from corpus.sources.pdf.mupdf import mupdf

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

LETTERS: Final = "ABCDEFGHIJKL"
_FACES: Final = ("helv", "hebo", "heit", "hebi", "tiro", "tibo", "tibi")  # as MuPDF names them
_SIGNS: Final = ascii_letters + digits  # what a letter may be mistaken for, too
_ALIKE: Final = 0.8  # likeness from which a shape is that sign
_SIDE: Final = 24  # pixels of a shape as it is compared
_DARK, _LIGHT = 110, 165  # grey of ink on white and of letters on a photograph
_TALL: Final = (3.5, 24.0)  # points
_WIDE: Final = (0.15, 1.3)  # of the height
_QUIET: Final = 0.3  # of the height: so far around a letter nothing stands
_SPECKS: Final = 0.02  # of its height squared: ink that may stand there all the same
_BRACKET: Final = 0.5  # of the height: brackets are narrower


@dataclass(frozen=True, slots=True)
class SeenLetter:
    """A letter in upper case and its box (x0, y0, x1, y1) in pixels."""

    letter: str
    box: tuple[float, float, float, float]
    likeness: float

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def letters_in(grey: Pixels, dpi: float) -> list[SeenLetter]:
    """Letters A to L of either case that stand alone or in brackets, dark on light or light on
    dark.

    Args:
        grey: (height, width), 255 is white.
        dpi: its resolution, which tells how large letters may be.
    """
    found: list[SeenLetter] = []
    for ink, paint in ((grey < _DARK, 255 - grey), (grey > _LIGHT, grey)):
        boxes = list(_alone(ink, dpi / 72))
        if not boxes:
            continue
        shapes = np.stack([_shape(_cut(paint, box)) for box in boxes])
        signs, known = _known()
        likeness = shapes @ known.T
        for box, best, sure in zip(boxes, likeness.argmax(1), likeness.max(1), strict=True):
            letter = signs[best].upper()
            if sure >= _ALIKE and letter in LETTERS:
                corners = tuple(float(value) for value in box)
                found.append(SeenLetter(letter, corners, float(sure)))  # type: ignore[arg-type]
    return found


def _alone(ink: Flags, scale: float) -> Iterator[Ints]:
    """Boxes of areas as large as letters around which nothing stands, but for brackets."""
    boxes = boxes_of(ink)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    low, high = (points * scale for points in _TALL)
    fits = (height >= low) & (height <= high)
    fits &= (width >= _WIDE[0] * height) & (width <= _WIDE[1] * height)
    sums = np.pad(ink.astype(np.int32).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    for box in boxes[fits]:
        margin = max(2, round(_QUIET * int(box[3] - box[1])))
        around = box if _is_quiet(sums, box, margin) else _with_brackets(boxes, box, margin)
        if around is box or (around is not None and _is_quiet(sums, around, margin)):
            yield box


def _is_quiet(sums: Ints, box: Ints, margin: int) -> bool:
    """Whether within `margin` of a box nothing stands but what stands in it."""
    x0, y0, x1, y1 = (int(value) for value in box)
    inside = _ink(sums, x0, y0, x1, y1)
    around = _ink(sums, x0 - margin, y0 - margin, x1 + margin, y1 + margin)
    return around - inside <= _SPECKS * (y1 - y0) ** 2


def _ink(sums: Ints, x0: int, y0: int, x1: int, y1: int) -> int:
    x0, y0 = max(x0, 0), max(y0, 0)
    x1, y1 = min(x1, sums.shape[1] - 1), min(y1, sums.shape[0] - 1)
    return int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])


def _with_brackets(boxes: Ints, box: Ints, margin: int) -> Ints | None:
    """A box with the narrow tall area on either side of it; None without both."""
    x0, y0, x1, y1 = box
    height = y1 - y0
    tall = (boxes[:, 1] <= y0) & (boxes[:, 3] >= y1) & (boxes[:, 3] - boxes[:, 1] <= 2 * height)
    narrow = tall & (boxes[:, 2] - boxes[:, 0] <= _BRACKET * height)
    left = boxes[narrow & (boxes[:, 2] <= x0 + 1) & (boxes[:, 2] >= x0 - margin)]
    right = boxes[narrow & (boxes[:, 0] >= x1 - 1) & (boxes[:, 0] <= x1 + margin)]
    if len(left) != 1 or len(right) != 1:
        return None
    both = np.concatenate([left, right])
    return np.concatenate([both[:, :2].min(0), both[:, 2:].max(0)])


def _cut(paint: Pixels, box: Ints) -> Pixels:
    """The grey of a box, from its least to its most."""
    x0, y0, x1, y1 = box
    part = paint[max(y0 - 1, 0) : y1 + 1, max(x0 - 1, 0) : x1 + 1].astype(np.float32)
    part -= part.min()
    return np.asarray(part * (255 / max(float(part.max()), 1.0)), dtype=np.uint8)


def _shape(paint: Pixels) -> Floats:
    """A sign without its size: (_SIDE²,) of mean 0 and length 1."""
    rows, columns = np.flatnonzero(paint.max(1) > 100), np.flatnonzero(paint.max(0) > 100)
    tight = paint[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = _SIDE / max(tight.shape)
    size = tuple(max(1, round(side * scale)) for side in tight.shape[::-1])
    sampling = Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC
    drawn = np.asarray(Image.fromarray(tight).resize(size, sampling), dtype=np.float32)
    square = np.zeros((_SIDE, _SIDE), np.float32)
    top, left = (_SIDE - drawn.shape[0]) // 2, (_SIDE - drawn.shape[1]) // 2
    square[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    flat = _softened(square).ravel()
    flat -= flat.mean()
    return flat / max(float(np.linalg.norm(flat)), 1e-6)


def _softened(square: Floats) -> Floats:
    """Edges a pixel apart are still alike."""
    for axis in (0, 1):
        square = (np.roll(square, 1, axis) + 2 * square + np.roll(square, -1, axis)) / np.float32(4)
    return square


@cache
def _known() -> tuple[str, Floats]:
    """Every sign in every face, and its shape (n, _SIDE²)."""
    drawn = [_drawn(face) for face in _FACES]
    return _SIGNS * len(_FACES), np.concatenate(drawn)


def _drawn(face: str) -> Floats:
    """The shapes of all signs in a face, drawn one below the other."""
    size, pitch = 60, 90
    document = mupdf.open()
    page = document.new_page(width=pitch, height=pitch * len(_SIGNS))
    page.insert_text((15, 65), list(_SIGNS), fontsize=size, fontname=face, lineheight=pitch / size)
    drawn = page.get_pixmap(colorspace=mupdf.csGRAY)
    pixels = 255 - np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width)
    document.close()
    return np.stack([_shape(pixels[pitch * n : pitch * (n + 1)]) for n in range(len(_SIGNS))])
