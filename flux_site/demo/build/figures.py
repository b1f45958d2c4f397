"""The figures of the sample papers: one is embedded as a raster image, one stays vectors."""

# mypy: allow-untyped-calls, no-warn-return-any

from __future__ import annotations

from collections.abc import Callable

import pymupdf

HEIGHTS = {"jak-stat-guide": 230.0, "nf-kb-switch": 210.0}  # points on the page
RASTER_DPI = 150

Colour = tuple[float, float, float]
INK: Colour = (0.13, 0.17, 0.23)
BLUE: Colour = (0.80, 0.88, 0.96)
GREEN: Colour = (0.82, 0.93, 0.84)
AMBER: Colour = (0.99, 0.91, 0.76)
ROSE: Colour = (0.97, 0.84, 0.84)
GREY: Colour = (0.93, 0.94, 0.95)


def draw_jak_stat(page: pymupdf.Page, frame: pymupdf.Rect) -> None:
    """The pathway in five numbered steps, as an image of its own drawing."""
    sheet = pymupdf.open().new_page(width=frame.width, height=frame.height)
    area = sheet.rect
    membrane = pymupdf.Rect(0, 44, area.width, 58)
    sheet.draw_rect(membrane, color=None, fill=AMBER)
    _label(sheet, pymupdf.Rect(6, 44, 90, 58), "membrane", size=8)
    sheet.draw_rect(pymupdf.Rect(0, 150, area.width, area.height), color=None, fill=GREY)
    _label(sheet, pymupdf.Rect(6, 154, 90, 168), "nucleus", size=8)
    _box(sheet, (96, 8, 156, 32), "cytokine (1)", BLUE)
    for left in (92, 132):
        sheet.draw_rect(pymupdf.Rect(left, 34, left + 26, 92), color=INK, fill=GREEN, width=0.8)
    _label(sheet, pymupdf.Rect(160, 60, 240, 74), "receptor (3)", size=8)
    _box(sheet, (48, 66, 90, 86), "JAK (2)", ROSE)
    _box(sheet, (160, 78, 202, 98), "JAK (2)", ROSE)
    _box(sheet, (232, 104, 282, 126), "STAT", BLUE)
    _box(sheet, (330, 104, 420, 126), "STAT dimer (4)", BLUE)
    _box(sheet, (330, 176, 420, 200), "dimer on DNA (5)", BLUE)
    _box(sheet, (210, 176, 284, 200), "SOCS gene", GREEN)
    _box(sheet, (92, 112, 160, 134), "SOCS protein", AMBER)
    sheet.draw_line((300, 206), (460, 206), color=INK, width=2)
    _arrow(sheet, (204, 92), (232, 112))
    _arrow(sheet, (282, 115), (330, 115))
    _arrow(sheet, (375, 126), (375, 176))
    _arrow(sheet, (330, 188), (284, 188))
    _arrow(sheet, (210, 184), (140, 134))
    _stop(sheet, (100, 112), (76, 88))
    png = sheet.get_pixmap(dpi=RASTER_DPI).tobytes("png")
    page.insert_image(frame, stream=png)


def draw_nf_kb(page: pymupdf.Page, frame: pymupdf.Rect) -> None:
    """Two routes side by side, as vectors on the page."""
    page.draw_rect(frame, color=INK, width=0.6)
    middle = (frame.x0 + frame.x1) / 2
    page.draw_line((middle, frame.y0), (middle, frame.y1), color=INK, width=0.4, dashes="[3 3]")
    routes = (
        (frame.x0, "canonical", ("TNF receptor 1", "TAK1 and IKK", "IkB destroyed", "RelA-p50")),
        (
            middle,
            "non-canonical",
            ("CD40, BAFF receptor", "NIK and IKK alpha", "p100 to p52", "RelB-p52"),
        ),
    )
    for left, name, steps in routes:
        width = frame.width / 2
        _label(
            page, pymupdf.Rect(left + 6, frame.y0 + 4, left + width, frame.y0 + 18), name, size=9
        )
        for index, step in enumerate(steps):
            top = frame.y0 + 24 + index * 46
            fill = (GREEN, ROSE, AMBER, BLUE)[index]
            _box(page, (left + 50, top, left + width - 50, top + 28), step, fill, size=9)
            if index:
                centre = left + width / 2
                _arrow(page, (centre, top - 18), (centre, top))


DRAWN: dict[str, Callable[[pymupdf.Page, pymupdf.Rect], None]] = {
    "jak-stat-guide": draw_jak_stat,
    "nf-kb-switch": draw_nf_kb,
}


def _box(
    page: pymupdf.Page,
    corners: tuple[float, float, float, float],
    text: str,
    fill: Colour,
    *,
    size: float = 8,
) -> None:
    rect = pymupdf.Rect(*corners)
    page.draw_rect(rect, color=INK, fill=fill, width=0.8, radius=0.2)
    _label(page, rect, text, size=size, centred=True)


def _label(
    page: pymupdf.Page, rect: pymupdf.Rect, text: str, *, size: float, centred: bool = False
) -> None:
    width = pymupdf.get_text_length(text, fontname="helv", fontsize=size)
    left = (rect.x0 + rect.x1 - width) / 2 if centred else rect.x0
    page.insert_text(
        (left, (rect.y0 + rect.y1) / 2 + size * 0.35),
        text,
        fontname="helv",
        fontsize=size,
        color=INK,
    )


def _arrow(page: pymupdf.Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    tail, tip = pymupdf.Point(start), pymupdf.Point(end)
    along = (tip - tail).unit
    across = pymupdf.Point(-along.y, along.x)
    neck = tip - along * 6
    page.draw_line(tail, neck, color=INK, width=1)
    page.draw_polyline(
        [tip, neck + across * 3, neck - across * 3, tip], color=INK, fill=INK, width=0.5
    )


def _stop(page: pymupdf.Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line that ends in a bar: inhibition."""
    tail, tip = pymupdf.Point(start), pymupdf.Point(end)
    along = (tip - tail).unit
    across = pymupdf.Point(-along.y, along.x) * 6
    page.draw_line(tail, tip, color=INK, width=1)
    page.draw_line(tip - across, tip + across, color=INK, width=1.4)
