"""An article's elements as headings, paragraphs, lists, tables and figures, in order."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from lxml import etree

from corpus.sources.cleaning import clean_text
from corpus.sources.grid import read_table
from corpus.sources.markup import Element, inline_text, tag
from corpus.sources.prose import Outline, labelled
from corpus.types import FigureDraft, TableDraft

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS_NAMES = """
    address article aside blockquote body center dd details div dl dt fieldset figcaption figure
    footer h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table tbody td
    tfoot th thead tr ul
"""
_BLOCKS: Final = frozenset(_BLOCKS_NAMES.split())
_DATA = re.compile(r"\s*data:(image/(?:png|jpeg|jpg|webp))\s*;\s*base64\s*,", re.IGNORECASE)
_MAX_IMAGE: Final = 4 * 1024 * 1024
_MIN_LOOSE_IMAGE: Final = 4096  # bytes; smaller ones outside a figure are icons
_MAGIC: Final = {
    "image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF",
}  # fmt: skip


class Walker:
    """Reads one element after the other into an outline; the tree is changed on the way."""

    def __init__(self, root: Element, outline: Outline) -> None:
        self.outline = outline
        self._root = root
        self._with_blocks: set[Element] = set()
        for element in root.iter(*_BLOCKS):
            above = element.getparent()
            while above is not None and above not in self._with_blocks and element is not root:
                self._with_blocks.add(above)
                above = above.getparent()

    def read(self) -> None:
        """Add all that the root holds."""
        _bracket_citations(self._root)
        self._flow(self._root)

    def _flow(self, element: Element) -> None:
        """Children in order; runs of loose text between blocks are paragraphs."""
        if element not in self._with_blocks:
            self._paragraph(element)
            return
        run = _run(element.text)
        for child in list(element):
            name, tail = tag(child), child.tail
            if name in _BLOCKS or child in self._with_blocks or name == "img":
                self._paragraph(run)
                self._block(child, name)
                run = _run(tail)
            elif name:
                run.append(child)  # moves the child with its tail
            else:
                _append_text(run, tail)
        self._paragraph(run)

    def _block(self, element: Element, name: str) -> None:
        if name in _HEADINGS:
            self.outline.heading(_HEADINGS[name], inline_text(element))
        elif name in ("ul", "ol"):
            self._list(element, numbered=name == "ol")
        elif name == "dl":
            self._definitions(element)
        elif name == "table":
            self._table(element)
        elif name == "figure":
            self._figure(element)
        elif name == "img":
            self._loose_image(element)
        elif name == "pre":
            text = clean_text("".join(map(str, element.itertext()))).strip("\n")
            self.outline.add("paragraph", text)
        else:
            self._flow(element)

    def _paragraph(self, element: Element) -> None:
        self.outline.add("paragraph", inline_text(element))
        for image in element.iter("img"):
            self._loose_image(image)

    def _list(self, element: Element, *, numbered: bool) -> None:
        number = _start(element)
        for item in element:
            if tag(item) in ("ul", "ol"):  # not inside an item, as some editors write it
                self._list(item, numbered=tag(item) == "ol")
            elif tag(item) == "li":
                text = inline_text(item, skip=lambda child: tag(child) in ("ul", "ol", "table"))
                self.outline.add("list", f"{number}. {text}" if numbered and text else text)
                number += 1
                for inner in _nearest(item, ("ul", "ol", "table")):
                    self._block(inner, tag(inner))

    def _definitions(self, element: Element) -> None:
        term = ""
        for item in element.iter("dt", "dd"):
            text = inline_text(item)
            if tag(item) == "dt":
                term = f"{term}, {text}" if term else text
            else:
                self.outline.add("list", f"{term}: {text}" if term else text)
                term = ""

    def _table(self, element: Element, caption: str = "") -> None:
        own = element.find("caption")
        rows, heads, spans = read_table(element, inline_text)
        if _is_layout(element, rows):
            for cell in _nearest(element, ("td", "th")):
                self._flow(cell)
            return
        told = inline_text(own) or caption
        _, label, text = labelled(told)
        if not told:
            label, text = self.outline.take_caption("table")
        self.outline.table(TableDraft(label, text, rows, heads, spans))

    def _figure(self, element: Element) -> None:
        caption = inline_text(element.find(".//figcaption"))
        tables = _nearest(element, ("table",))
        for table in tables:
            self._table(table, caption)
        if tables:
            return
        image = next(element.iter("img"), None)
        if image is None and not caption:
            self._flow(element)
            return
        _, label, text = labelled(caption or _alternative(image))
        data, media_type = picture(image.get("src", "")) if image is not None else (None, "")
        source = _file_name(image.get("src", "")) if image is not None else ""
        self.outline.figure(
            FigureDraft(label, text, image=data, media_type=media_type, source_ref=source)
        )

    def _loose_image(self, element: Element) -> None:
        """A picture outside any figure: kept when the page itself holds its bytes."""
        data, media_type = picture(element.get("src", ""))
        if data is not None and len(data) >= _MIN_LOOSE_IMAGE:
            _, label, text = labelled(_alternative(element))
            self.outline.figure(FigureDraft(label, text, image=data, media_type=media_type))


def picture(source: str) -> tuple[bytes | None, str]:
    """(bytes, media type) of a picture written into the page; None for a link, which is never
    followed, and for what is too large or not the picture it says it is.
    """
    found = _DATA.match(source)
    if not found or len(source) > _MAX_IMAGE * 4 // 3 + 100:
        return None, ""
    media_type = found.group(1).lower().replace("jpg", "jpeg")
    try:
        data = base64.b64decode("".join(source[found.end() :].split()), validate=True)
    except (binascii.Error, ValueError):
        return None, ""
    return (data, media_type) if data.startswith(_MAGIC[media_type]) else (None, "")


def _alternative(image: Element | None) -> str:
    return clean_text(image.get("alt", "")).strip() if image is not None else ""


def _file_name(source: str) -> str:
    """The last part of a link, to tell the picture by; nothing that could be fetched."""
    if source.lstrip()[:5].lower() == "data:":
        return ""
    return clean_text(source.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1])[:200]


def _run(text: str | None) -> Element:
    run = etree.Element("p")
    run.text = text
    return run


def _append_text(run: Element, text: str | None) -> None:
    if text and len(run):
        run[-1].tail = (run[-1].tail or "") + text
    elif text:
        run.text = (run.text or "") + text


def _nearest(element: Element, names: tuple[str, ...]) -> list[Element]:
    """Descendants of these names that are not inside one another."""
    found: list[Element] = []
    stack = list(reversed(element))
    while stack:
        item = stack.pop()
        if tag(item) in names:
            found.append(item)
        else:
            stack.extend(reversed(item))
    return found


def _is_layout(table: Element, rows: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a table only places things: it says so, has sections inside, or one cell."""
    if table.get("role", "").lower() in ("presentation", "none"):
        return True
    if any(True for _ in table.iter("th", "caption", "thead")):
        return False
    inner = ("table", "h1", "h2", "h3", "article", "section", "figure")
    if any(item is not table for item in table.iter(*inner)):
        return True
    return len(rows) == 1 or max(map(len, rows), default=0) < 2


def _start(element: Element) -> int:
    start = element.get("start", "1").strip()
    return int(start) if start.isdecimal() and len(start) < 6 else 1


def _bracket_citations(root: Element) -> None:
    """A raised number that links within the page is a citation, and must not raise a number to a
    power.
    """
    for sup in root.iter("sup"):
        links = [item for item in sup.iter("a") if item.get("href", "").startswith("#")]
        if links and not (sup.text or "").strip():
            sup.tag = "span"
            sup.text = "["
            sup[-1].tail = (sup[-1].tail or "").rstrip() + "]"
