"""Typeset the two sample papers from our own text. The same libraries give the same bytes."""

# mypy: allow-untyped-calls, no-warn-return-any

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pymupdf

from flux_site.demo.build import figures

ARTICLES = Path(__file__).parent / "articles"
NOTICE = "Demo material of Flux: written and typeset for demonstration, not a publication."
PAGE = pymupdf.Rect(0, 0, 595, 842)  # A4 in points
MARGIN_X, TOP, BOTTOM = 54, 66, 780
GAP = 18  # between columns
FIGURE_PAGE, TABLE_PAGE = 2, 3
MOST_PAGES = 5
DATED = "D:20260101000000Z"
STYLE = """
body {font-family: serif; font-size: %(size)spt; line-height: 1.22; margin: 0}
h1 {font-size: 19pt; margin: 0 0 6pt 0}
h2 {font-size: 12pt; margin: 10pt 0 3pt 0}
p {margin: 0 0 5pt 0; text-align: justify}
.notice {font-style: italic; font-size: 8.5pt}
.caption {font-size: 8.5pt; text-align: left}
.cell {font-size: 8.5pt; text-align: left; margin: 0}
"""

Article = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where running text may stand on a page (numbered from 1)."""

    page: int
    rect: pymupdf.Rect


def render_all() -> dict[str, tuple[bytes, int]]:
    """The papers by file name, each with its number of pages."""
    found = {}
    for path in sorted(ARTICLES.glob("*.toml")):
        document = _document(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
        found[f"{path.stem}.pdf"] = (_bytes(document), document.page_count)
    return found


def _document(name: str, article: Article) -> pymupdf.Document:
    """Set the text into its frames, then put heads, figure and table on the finished pages."""
    style = STYLE % {"size": 10 if article["columns"] == 2 else 11}
    head_bottom = _head_height(article, style) + TOP
    float_bottoms = {
        FIGURE_PAGE: TOP + _figure_height(name, article, style),
        TABLE_PAGE: TOP + _table_height(article, style),
    }
    tops = {1: head_bottom} | float_bottoms
    document = _set_text(article, style, tops)
    if document.page_count < TABLE_PAGE:
        raise ValueError(f"{name}: too little text for its figure and table")
    _put(document[0], _band(TOP, head_bottom), _head_html(article), style)
    _draw_figure(document[FIGURE_PAGE - 1], name, article, style)
    _draw_table(document[TABLE_PAGE - 1], article, style)
    for index in range(document.page_count):
        _furnish(document[index], article)
    document.set_metadata(
        {
            "title": article["title"],
            "author": "Flux",
            "subject": NOTICE,
            "keywords": article["keywords"],
            "creator": "flux_site.demo.build",
            "producer": "PyMuPDF",
            "creationDate": DATED,
            "modDate": DATED,
        }
    )
    return document


def _set_text(article: Article, style: str, tops: Mapping[int, float]) -> pymupdf.Document:
    story = pymupdf.Story(html=_body_html(article), user_css=style)
    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    page, device, more = 0, None, 1
    for frame in _frames(article["columns"], tops):
        if not more:
            break
        if frame.page != page:
            if device is not None:
                writer.end_page()
            page, device = frame.page, writer.begin_page(PAGE)
        more, _ = story.place(frame.rect)
        story.draw(device)
    writer.end_page()
    writer.close()
    if more:
        raise ValueError(f"{article['title']}: longer than {MOST_PAGES} pages")
    return pymupdf.open("pdf", buffer.getvalue())


def _frames(columns: int, tops: Mapping[int, float]) -> Iterator[Frame]:
    width = (PAGE.width - 2 * MARGIN_X - (columns - 1) * GAP) / columns
    for page in range(1, MOST_PAGES + 1):
        for column in range(columns):
            left = MARGIN_X + column * (width + GAP)
            yield Frame(page, pymupdf.Rect(left, tops.get(page, TOP), left + width, BOTTOM))


def _band(top: float, bottom: float) -> pymupdf.Rect:
    return pymupdf.Rect(MARGIN_X, top, PAGE.width - MARGIN_X, bottom)


def _head_html(article: Article) -> str:
    return (
        f"<h1>{escape(article['title'])}</h1><p class='notice'>{NOTICE}</p>"
        f"<h2>Abstract</h2><p>{escape(article['abstract'].strip())}</p>"
    )


def _body_html(article: Article) -> str:
    parts = []
    for section in article["sections"]:
        parts.append(f"<h2>{escape(section['heading'])}</h2>")
        parts += [f"<p>{escape(text.strip())}</p>" for text in section["paragraphs"]]
    return "".join(parts)


def _caption_html(caption: str) -> str:
    label, _, rest = caption.partition(". ")
    return f"<p class='caption'><b>{escape(label)}.</b> {escape(rest)}</p>"


def _height(html: str, style: str, width: float) -> float:
    """Points that a piece of HTML needs at a width."""
    _, filled = pymupdf.Story(html=html, user_css=style).place(pymupdf.Rect(0, 0, width, 10_000))
    return float(filled[3])


def _put(page: pymupdf.Page, rect: pymupdf.Rect, html: str, style: str) -> None:
    """Set HTML into a rectangle; raises ValueError where it does not fit."""
    spare, _ = page.insert_htmlbox(rect, html, css=style, scale_low=1)
    if spare < 0:
        raise ValueError(f"does not fit: {html[:60]}")


def _head_height(article: Article, style: str) -> float:
    return _height(_head_html(article), style, _band(0, 0).width) + 6


def _figure_height(name: str, article: Article, style: str) -> float:
    caption = _height(_caption_html(article["figure"]["caption"]), style, _band(0, 0).width)
    return figures.HEIGHTS[name] + 6 + caption + 14


def _draw_figure(page: pymupdf.Page, name: str, article: Article, style: str) -> None:
    frame = _band(TOP, TOP + figures.HEIGHTS[name])
    figures.DRAWN[name](page, frame)
    below = _band(frame.y1 + 6, TOP + _figure_height(name, article, style))
    _put(page, below, _caption_html(article["figure"]["caption"]), style)


CELL_PAD_X, CELL_PAD_Y = 4, 3


def _cell_html(text: str, *, header: bool) -> str:
    inner = f"<b>{escape(text)}</b>" if header else escape(text)
    return f"<p class='cell'>{inner}</p>"


def _widths(article: Article) -> list[float]:
    return [share * _band(0, 0).width for share in article["table"]["widths"]]


def _row_height(row: Sequence[str], article: Article, style: str, *, header: bool) -> float:
    heights = [
        _height(_cell_html(text, header=header), style, width - 2 * CELL_PAD_X)
        for text, width in zip(row, _widths(article), strict=True)
    ]
    return max(heights) + 2 * CELL_PAD_Y


def _table_height(article: Article, style: str) -> float:
    caption = _height(_caption_html(article["table"]["caption"]), style, _band(0, 0).width) + 4
    rows = article["table"]["rows"]
    return (
        caption
        + sum(_row_height(row, article, style, header=not i) for i, row in enumerate(rows))
        + 16
    )


def _draw_table(page: pymupdf.Page, article: Article, style: str) -> None:
    """Caption above, a rule around every cell."""
    caption = _caption_html(article["table"]["caption"])
    top = TOP + _height(caption, style, _band(0, 0).width) + 4
    _put(page, _band(TOP, top), caption, style)
    for index, row in enumerate(article["table"]["rows"]):
        height = _row_height(row, article, style, header=index == 0)
        left = float(MARGIN_X)
        for text, width in zip(row, _widths(article), strict=True):
            cell = pymupdf.Rect(left, top, left + width, top + height)
            page.draw_rect(cell, width=0.6, fill=(0.92, 0.94, 0.96) if index == 0 else None)
            inside = pymupdf.Rect(
                cell.x0 + CELL_PAD_X, cell.y0 + CELL_PAD_Y, cell.x1 - CELL_PAD_X, cell.y1
            )
            _put(page, inside, _cell_html(text, header=index == 0), style)
            left += width
        top += height


def _furnish(page: pymupdf.Page, article: Article) -> None:
    """Running head and page number; the head starts on page 2, the mark of a demo is on page 1."""
    style = STYLE % {"size": 8}
    if page.number:
        head = f"<p class='cell'>{escape(article['running_head'])} · Flux demo corpus</p>"
        _put(page, _band(34, 50), head, style)
    number = f"<p class='cell' style='text-align:center'>{page.number + 1}</p>"
    _put(page, _band(800, 816), number, style)


def _bytes(document: pymupdf.Document) -> bytes:
    document.subset_fonts()
    document.xref_set_key(-1, "ID", "null")  # a random id would change every rebuild
    return document.tobytes(
        garbage=4, deflate=True, deflate_fonts=True, no_new_id=True, use_objstms=1
    )
