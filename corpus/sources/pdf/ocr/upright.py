"""An image read whichever way it lies."""

from __future__ import annotations

from typing import Final

from PIL import Image

from corpus.sources.pdf.ocr.model import Engine, Recognised, SeenLine, SeenWord, confidence_of
from corpus.sources.pdf.ocr.straighten import ink_of, is_sideways, skew_of

_SURE: Final = 0.6  # below this the page may stand on its head
_POINTS: Final = 72.0


def read_upright(engine: Engine, image: Image.Image, dpi: float) -> Recognised:
    """Recognise an image that may be sideways, upside down or askew. Raises RecognitionFailed."""
    first = 90 if is_sideways(ink_of(image)) else 0
    best = _read(engine, image, first, dpi)
    if first or best.confidence < _SURE:  # of a page on its side it is not known which
        other = _read(engine, image, first + 180, dpi)
        best = max(best, other, key=lambda found: found.confidence)
    return best


def _read(engine: Engine, image: Image.Image, turn: int, dpi: float) -> Recognised:
    turned = image.rotate(turn, expand=True) if turn else image
    skew = skew_of(ink_of(turned))
    if skew:
        turned = turned.rotate(skew, Image.Resampling.BICUBIC, fillcolor="white")
    scale = _POINTS / dpi
    lines = tuple(_in_points(line, scale) for line in engine.recognise(turned))
    size = (turned.width * scale, turned.height * scale)
    return Recognised(engine.name, *size, lines, turn, skew)


def _in_points(line: SeenLine, scale: float) -> tuple[SeenWord, ...]:
    return tuple(
        SeenWord(word.text, _scaled(word.box, scale), round(word.confidence, 3)) for word in line
    )


def _scaled(
    box: tuple[float, float, float, float], scale: float
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (round(value * scale, 2) for value in box)
    return x0, y0, x1, y1


def is_read(found: Recognised) -> bool:
    """Whether what came is text: a photograph gives few words, and those unsurely."""
    sure = [word for word in found.words() if word.confidence >= _SURE and word.text.isalnum()]
    return confidence_of(list(found.words())) >= 0.4 and len(sure) >= 3
