"""What an engine gives, and what is kept of a page that it read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, Protocol

from PIL import Image

EngineName = Literal["auto", "tesseract", "rapidocr", "off"]
ENGINES: Final = ("auto", "tesseract", "rapidocr", "off")


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """How pages are recognised. `max_pages` is of one file; `figures` reads words in pictures."""

    engine: EngineName = "auto"
    languages: tuple[str, ...] = ("eng",)  # ISO 639-2, as tesseract names them
    dpi: int = 300
    max_pages: int = 200
    figures: bool = False
    page_timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word and its box in pixels, origin top left; `confidence` from 0 to 1."""

    text: str
    box: tuple[float, float, float, float]
    confidence: float


SeenLine = Sequence[SeenWord]


class RecognitionFailed(Exception):
    """An engine gave up on an image; the message completes "Text recognition failed: …"."""


class Engine(Protocol):
    """Reads images of text."""

    name: str

    def recognise(self, image: Image.Image) -> list[SeenLine]:
        """Lines of words, top to bottom within a column. Raises RecognitionFailed."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What an engine read of a page or figure. Boxes are points of the upright image.

    The image was turned counterclockwise by `turn` degrees and then by `skew` to stand upright;
    `width` and `height` are those of the upright image. `failed` says why there is nothing.
    """

    engine: str
    width: float
    height: float
    lines: tuple[tuple[SeenWord, ...], ...] = ()
    turn: int = 0
    skew: float = 0.0
    failed: str = ""

    @property
    def confidence(self) -> float:
        """Mean confidence of the letters, 0 where there are none."""
        return confidence_of(self.words())

    def words(self) -> Iterator[SeenWord]:
        """All words in the order of the lines."""
        return (word for line in self.lines for word in line)

    def as_json(self) -> dict[str, Any]:
        """As a value that JSON carries."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Recognised:
        """The reverse of as_json."""
        lines = tuple(
            tuple(SeenWord(w["text"], tuple(w["box"]), w["confidence"]) for w in line)
            for line in value["lines"]
        )
        return cls(**(value | {"lines": lines}))


def confidence_of(words: Iterator[SeenWord] | Sequence[SeenWord]) -> float:
    """Mean confidence, each word by its letters."""
    letters = total = 0.0
    for word in words:
        letters += len(word.text)
        total += len(word.text) * word.confidence
    return total / letters if letters else 0.0
