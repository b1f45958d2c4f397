"""Pages recognised one by one, with what earlier turns have read, within a time."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from PIL import Image

from corpus.sources.pdf.model import Rect
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.ocr import engines
from corpus.sources.pdf.ocr.model import Engine, OcrOptions, Recognised, RecognitionFailed
from corpus.sources.pdf.ocr.upright import read_upright

MAX_PIXELS: Final = 40_000_000
_POINTS: Final = 72.0


class HalfRead(Exception):
    """The turn is over before all pages are recognised; `found` is what this turn has read.

    Whoever reads the file again gives it back, and reading goes on behind it.
    """

    def __init__(self, found: dict[str, Recognised]) -> None:
        super().__init__(f"{len(found)} pages recognised, more are left")
        self.found = found

    def as_json(self) -> bytes:
        """What was found, as `found_in` reads it."""
        return json.dumps({key: part.as_json() for key, part in self.found.items()}).encode()


def found_in(data: bytes) -> dict[str, Recognised]:
    """The reverse of HalfRead.as_json."""
    return {key: Recognised.from_json(part) for key, part in json.loads(data).items()}


@dataclass(frozen=True, slots=True)
class OcrTurn:
    """What one turn of reading a file may recognise. `known` is what earlier turns read, by key.

    After `seconds` the next new page raises HalfRead; at least one is read each turn. None is
    without end.
    """

    options: OcrOptions = field(default_factory=OcrOptions)
    known: Mapping[str, Recognised] = field(default_factory=dict)
    seconds: float | None = None

    @property
    def longest_s(self) -> float:
        """What recognition adds to the time of reading at most: the last page begun is finished,
        if need be upside down as well.
        """
        if self.options.engine == "off":
            return 0.0
        if self.seconds is None:
            return 2 * self.options.page_timeout_s * self.options.max_pages
        return self.seconds + 2 * self.options.page_timeout_s

    def as_line(self) -> bytes:
        """A line of JSON that `from_line` reads in another process."""
        known = {key: part.as_json() for key, part in self.known.items()}
        told = {"options": asdict(self.options), "known": known, "seconds": self.seconds}
        return json.dumps(told).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> OcrTurn:
        """The reverse of as_line."""
        told = json.loads(line)
        given = told["options"]
        options = OcrOptions(**(given | {"languages": tuple(given["languages"])}))
        known = {key: Recognised.from_json(part) for key, part in told["known"].items()}
        return cls(options, known, told["seconds"])


class Recogniser:
    """Reads pages and figures of one file."""

    def __init__(self, turn: OcrTurn | None = None) -> None:
        turn = turn or OcrTurn()
        self.options = turn.options
        self.engine: Engine | None = engines.choose(turn.options)
        self._known = turn.known
        self._found: dict[str, Recognised] = {}
        self._ends = time.monotonic() + turn.seconds if turn.seconds is not None else None

    def page(self, page: Any) -> Recognised:
        """What stands on a page as shown. An engine's failure is told in the answer."""
        return self._read(f"page {page.number + 1}", page, None)

    def region(self, page: Any, rect: Rect) -> Recognised:
        """The words inside a rectangle of the page as shown."""
        place = " ".join(str(round(value)) for value in rect)
        return self._read(f"page {page.number + 1} at {place}", page, rect)

    def _read(self, key: str, page: Any, rect: Rect | None) -> Recognised:
        if key in self._known:
            return self._known[key]
        if key in self._found:
            return self._found[key]
        if self.engine is None:
            raise ValueError("there is no engine: ask for it first")
        if self._found and self._ends is not None and time.monotonic() > self._ends:
            raise HalfRead(self._found)
        self._found[key] = self._recognised(self.engine, page, rect)
        return self._found[key]

    def _recognised(self, engine: Engine, page: Any, rect: Rect | None) -> Recognised:
        area = page.rect if rect is None else mupdf.Rect(*rect) & page.rect
        nothing = Recognised(engine.name, area.width, area.height)
        if area.is_empty:
            return nothing
        try:
            return read_upright(engine, *self._drawn(page, area))
        except RecognitionFailed as failure:
            return Recognised(engine.name, area.width, area.height, failed=str(failure))

    def _drawn(self, page: Any, area: Any) -> tuple[Image.Image, float]:
        """A region in grey and its resolution, lower than asked where the page is vast."""
        inches = area.width * area.height / _POINTS**2
        dpi = max(1, int(min(float(self.options.dpi), (MAX_PIXELS / inches) ** 0.5)))
        try:
            drawn = page.get_pixmap(dpi=dpi, clip=area, alpha=False, colorspace=mupdf.csGRAY)
        except MemoryError:
            raise
        except Exception as error:
            raise RecognitionFailed("the page cannot be drawn") from error
        return Image.frombytes("L", (drawn.width, drawn.height), drawn.samples), float(dpi)
