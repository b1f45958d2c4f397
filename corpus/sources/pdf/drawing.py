"""Pages as pictures with what was found on them in colours, for people who judge the reading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from corpus.sources.pdf.model import Rect
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.opening import open_pdf
from corpus.sources.pdf.shape import PdfPaper

DPI: Final = 100
Colour = tuple[float, float, float]
Mark = tuple[Rect, Colour, float]

COLOURS: Final[dict[str, Colour]] = {
    "title": (0.0, 0.0, 0.6),
    "front": (0.5, 0.5, 0.8),
    "heading": (0.1, 0.3, 1.0),
    "text": (0.75, 0.75, 0.75),
    "list": (0.55, 0.55, 0.55),
    "reference": (0.8, 0.7, 0.5),
    "caption": (1.0, 0.5, 0.0),
    "footnote": (0.6, 0.2, 0.7),
    "header": (0.9, 0.8, 0.0),
    "figure": (0.9, 0.6, 0.6),
}
TABLE: Final[Colour] = (0.0, 0.6, 0.2)
HEAD: Final[Colour] = (0.0, 0.4, 0.6)
CELL: Final[Colour] = (0.3, 0.8, 0.4)
FIGURE: Final[Colour] = (0.9, 0.0, 0.0)
PANEL: Final[Colour] = (0.8, 0.2, 0.6)


def draw_pages(data: bytes, paper: PdfPaper) -> Iterator[tuple[int, bytes]]:
    """(page number, PNG) of every page, with blocks, captions, cells and figures framed.

    Blue frames are headings, grey text, orange captions, green tables and their cells (heads in
    petrol), red figures and pink panels, violet notes, yellow what was left out as running heads.
    """
    document = open_pdf(data, paper.filename)
    try:
        for index in range(document.page_count):
            page = document[index]
            for rect, colour, width in _marks(paper, index + 1):
                shown = mupdf.Rect(*rect) * page.derotation_matrix
                if not shown.is_empty:
                    page.draw_rect(shown, color=colour, width=width)
            yield index + 1, page.get_pixmap(dpi=DPI, alpha=False).tobytes("png")
    finally:
        document.close()


def _marks(paper: PdfPaper, number: int) -> Iterator[Mark]:
    for block in paper.blocks:
        colour = COLOURS.get(block.kind, COLOURS["text"])
        for run in block.runs:
            if run.page == number:
                yield run.rect, colour, 0.6
    for figure in paper.figures:
        if figure.page == number and figure.rect is not None:
            yield figure.rect, PANEL if figure.parent >= 0 else FIGURE, 1.5
    for table in paper.tables:
        if table.page != number or table.rect is None:
            continue
        yield table.rect, TABLE, 1.5
        for place, row in enumerate(table.boxes):
            colour = HEAD if place < table.header_rows else CELL
            yield from ((box, colour, 0.6) for box in row if box is not None)
