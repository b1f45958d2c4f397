"""A paper as its PDF shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from corpus.sources.pdf.model import Rect

PdfKind = Literal[
    "title", "front", "heading", "text", "list", "footnote", "reference", "caption", "table",
    "header", "figure",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """Characters [start, end) of a block and where they stand."""

    start: int
    end: int
    page: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class PdfBlock:
    """A block of text; `figure` or `table` is the place of what a caption names, -1 for none.

    A caption's own text begins at `after_label`.
    """

    kind: PdfKind
    text: str
    runs: tuple[PlacedRun, ...]
    section: tuple[str, ...] = ()
    figure: int = -1
    table: int = -1
    after_label: int = 0

    @property
    def page(self) -> int:
        return self.runs[0].page


@dataclass(frozen=True, slots=True)
class PdfFigure:
    """A figure: its box, its caption's label and text, its picture as encoded bytes.

    A panel names the place of its figure in `parent`; of the caption it has its own part. `words`
    were recognised inside.
    """

    page: int
    rect: Rect | None
    label: str = ""
    caption: str = ""
    image: bytes | None = None
    media_type: str = ""
    parent: int = -1
    words: str = ""


@dataclass(frozen=True, slots=True)
class PdfTable:
    """A table: cells as rows, their boxes, spans (row, column, rows, columns)."""

    page: int
    rect: Rect | None
    label: str = ""
    caption: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    boxes: tuple[tuple[Rect | None, ...], ...] = ()
    spans: tuple[tuple[int, int, int, int], ...] = ()
    header_rows: int = 0
    continued: bool = False
    image: bytes | None = None
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: size in points, how it was read, its picture; `furniture` is what was taken off it
    as running heads, feet and page numbers, piece by piece. `engine` and `confidence` (0 to 1) are
    of text recognition; `ocr_layer` says that the file brings the recognised text itself.
    """

    number: int
    width: float
    height: float
    columns: int
    method: Literal["text", "ocr", "empty"]
    hidden: int = 0
    hidden_letters: int = 0
    outside: int = 0
    unread_glyphs: int = 0
    image: bytes | None = None
    furniture: tuple[str, ...] = ()
    engine: str = ""
    confidence: float = 0.0
    ocr_layer: bool = False


@dataclass(frozen=True, slots=True)
class PdfPaper:
    """A whole PDF."""

    sha256: str
    filename: str
    title: str
    pages: tuple[PdfPage, ...]
    blocks: tuple[PdfBlock, ...]
    figures: tuple[PdfFigure, ...] = ()
    tables: tuple[PdfTable, ...] = ()
    authors: str = ""
    doi: str = ""
    published: str = ""
    notes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    unrecognised: tuple[int, ...] = ()  # pages that wait for an engine
    details: dict[str, str] = field(default_factory=dict)
