"""Where the tests of the sources find their files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pymupdf
import pytest

REPOSITORY = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="session")
def data() -> Path:
    """The small fixtures of the repository, one folder a source."""
    return REPOSITORY / "tests" / "data"


class Sheet:
    """A small PDF, typeset line by line, for tests of the reader."""

    def __init__(self) -> None:
        self.document: Any = pymupdf.open()
        self.page: Any = None

    def new_page(self, width: float = 595, height: float = 842) -> Sheet:
        self.page = self.document.new_page(width=width, height=height)
        return self

    def line(self, x: float, y: float, text: str, size: float = 10, **options: Any) -> Sheet:
        self.page.insert_text((x, y), text, fontsize=size, **options)
        return self

    def paragraph(
        self, x: float, y: float, text: str, width: float = 230, size: float = 10, **options: Any
    ) -> float:
        """Set a text line by line, ragged right; return the baseline of the next line."""
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if pymupdf.get_text_length(longer, fontsize=size) > width:
                self.line(x, y, line, size, **options)
                line, y = word, y + 1.2 * size
            else:
                line = longer
        self.line(x, y, line, size, **options)
        return y + 1.2 * size

    def rule(self, x0: float, y: float, x1: float) -> Sheet:
        self.page.draw_line((x0, y), (x1, y), width=0.7)
        return self

    def picture(self, rect: tuple[float, float, float, float], pixels: int = 160) -> Sheet:
        """A noisy raster, so that it does not compress away."""
        noise = random.Random(7).randbytes(pixels * pixels * 3)
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixels, pixels, noise, False)
        self.page.insert_image(pymupdf.Rect(*rect), pixmap=pixmap)
        return self

    def bytes(self, **options: Any) -> bytes:
        data: bytes = self.document.tobytes(**options)
        self.document.close()
        return data


@pytest.fixture
def sheet() -> Sheet:
    return Sheet()
