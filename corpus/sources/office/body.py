"""The body of a .docx as headings, paragraphs, lists, tables and figures, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from corpus.sources.cleaning import one_line
from corpus.sources.grid import MAX_COLUMNS, MAX_ROWS, place
from corpus.sources.markup import Element, tag
from corpus.sources.office.inline import Inline, InlineReader, paragraphs, shaded_cell
from corpus.sources.office.package import Package
from corpus.sources.office.styles import Style, attribute, child, is_on, outline_level
from corpus.sources.prose import Outline, labelled
from corpus.types import FigureDraft, TableDraft

_MAX_IMAGE: Final = 16 * 1024 * 1024
_MIN_LOOSE_IMAGE: Final = 4096  # bytes; smaller ones without a caption are ornaments
_MAX_DEPTH: Final = 40
_MAGIC: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp",
}  # fmt: skip
# Containers that hold blocks as the body does; what is deleted or moved away is none.
_PASSED_THROUGH: Final = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})
Notes = Mapping[tuple[str, str], str]


@dataclass(slots=True)
class _Cell:
    text: str
    row: int
    column: int
    height: int
    width: int


class BodyReader:
    """Reads block after block into an outline."""

    def __init__(
        self, package: Package, part: str, styles: Mapping[str, Style], notes: Notes, title: str
    ) -> None:
        self.outline = Outline(title)
        self.hidden = 0
        self._package = package
        self._links = package.links(part)
        self._styles = styles
        self._notes = notes
        self._inline = InlineReader(styles)
        self._in_cells: list[Inline] = []  # of the table just read
        self._open_figure = -1  # one that the next paragraph may caption
        self._open_table = -1

    def read(self, parent: Element, depth: int = 0) -> None:
        """Add the blocks of a body, a text box or a cell."""
        for item in parent:
            name = tag(item)
            if name == "p":
                self._paragraph(item, depth)
            elif name == "tbl":
                self._table(item, depth)
            elif name in _PASSED_THROUGH and depth < _MAX_DEPTH:
                self.read(item, depth + 1)

    def _paragraph(self, element: Element, depth: int, *, on_dark: bool = False) -> None:
        found = self._inline.read(element, on_dark=on_dark)
        self.hidden += found.hidden
        properties = child(element, "pPr")
        style = self._styles.get(attribute(child(properties, "pStyle"), "val"), Style())
        level = outline_level(properties) or style.level
        if level and found.text:
            self.outline.heading(level, found.text)
        elif not self._is_title(style, found.text) and not self._captions(found.text):
            is_list = child(properties, "numPr") is not None or style.is_list
            self.outline.add("list" if is_list else "paragraph", found.text)
        if found.text:
            self._open_figure = self._open_table = -1
        self._attachments(found, depth)

    def _is_title(self, style: Style, text: str) -> bool:
        """A paragraph in the style Title, before any other, is the title and no text."""
        if style.name == "title" and not self.outline.parts and text:
            self.outline.heading(1, text)
            return True
        return False

    def _attachments(self, found: Inline, depth: int) -> None:
        for link, alternative in found.pictures:
            self._figure(link, alternative)
        for note in found.notes:
            text = self._notes.get(note, "")
            if text:
                self.outline.add("footnote", f"{self._inline.note_numbers[note]} {text}")
        if depth < _MAX_DEPTH:
            for box in found.boxes:
                self.read(box, depth + 1)

    def _captions(self, text: str) -> bool:
        """Whether this paragraph is the caption of the figure or table just before it."""
        kind, label, rest = labelled(text)
        if kind == "figure" and self._open_figure >= 0:
            figure = self.outline.figures[self._open_figure]
            self.outline.figures[self._open_figure] = replace(figure, label=label, caption=rest)
            return True
        if kind == "table" and self._open_table >= 0:
            table = self.outline.tables[self._open_table]
            self.outline.tables[self._open_table] = replace(table, label=label, caption=rest)
            return True
        return False

    def _figure(self, link: str, alternative: str) -> None:
        name = self._links.get(link, "")
        data = self._package.read(name, limit=_MAX_IMAGE) if name else b""
        media_type = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "")
        label, caption = self.outline.take_caption("figure")
        if not label and (not name or len(data) < _MIN_LOOSE_IMAGE):
            return
        self.outline.figure(
            FigureDraft(
                label=label,
                caption=caption or ("" if label else alternative),
                image=data if media_type else None,
                media_type=media_type,
                source_ref=one_line(name.rsplit("/", 1)[-1])[:200],
            )
        )
        if not label:
            self._open_figure = len(self.outline.figures) - 1

    def _table(self, element: Element, depth: int) -> None:
        rows = list(_rows(element))[:MAX_ROWS]
        hidden, self._in_cells = self.hidden, []
        cells = self._cells(rows)
        grid, spans = place(_lines(cells, len(rows)))
        if max(map(len, grid), default=0) < 2 and depth < _MAX_DEPTH:
            self.hidden = hidden  # what is told as text is counted as text
            self._frame(rows, depth)
            return
        heads = 0
        while heads < len(rows) and is_on(child(rows[heads], "trPr", "tblHeader")):
            heads += 1
        label, caption = self.outline.take_caption("table")
        before = len(self.outline.tables)
        self.outline.table(TableDraft(label, caption, grid, heads or int(len(rows) > 1), spans))
        is_open = not label and len(self.outline.tables) > before
        self._open_table = before if is_open else -1
        for found in self._in_cells:
            self._attachments(found, depth)

    def _frame(self, rows: list[Element], depth: int) -> None:
        """A table of one column is a frame around text."""
        for row in rows:
            for cell in _items(row, "tc"):
                self.read(cell, depth + 1)

    def _cells(self, rows: list[Element]) -> list[_Cell]:
        cells: list[_Cell] = []
        above: dict[int, _Cell] = {}
        for number, row in enumerate(rows):
            column = _number(attribute(child(row, "trPr", "gridBefore"), "val"), 0)
            for element in _items(row, "tc"):
                properties = child(element, "tcPr")
                width = _number(attribute(child(properties, "gridSpan"), "val"), 1)
                merge = child(properties, "vMerge")
                upper = above.get(column)
                if merge is not None and attribute(merge, "val") != "restart" and upper is not None:
                    upper.height += 1
                else:
                    cell = _Cell(self._cell_text(element), number, column, 1, width)
                    cells.append(cell)
                    above[column] = cell
                column = min(column + width, MAX_COLUMNS)
        return cells

    def _cell_text(self, cell: Element) -> str:
        texts = []
        dark = shaded_cell(cell)
        for paragraph in paragraphs(cell):
            found = self._inline.read(paragraph, on_dark=dark)
            self.hidden += found.hidden
            texts.append(found.text)
            found.boxes = []  # their paragraphs are among the cell's
            self._in_cells.append(found)
        return one_line(" ".join(texts))


def _rows(table: Element) -> Iterator[Element]:
    """The table's rows, but those whose deletion is tracked."""
    for row in _items(table, "tr"):
        if child(row, "trPr", "del") is None:
            yield row


def _items(parent: Element, name: str) -> Iterator[Element]:
    """Children of a name, also inside content controls."""
    for item in parent:
        if tag(item) == name:
            yield item
        elif tag(item) in _PASSED_THROUGH:
            yield from _items(item, name)


def _lines(cells: list[_Cell], count: int) -> list[list[tuple[str, int, int]]]:
    """Cells by row, with empty ones where a row begins late."""
    lines: list[list[tuple[str, int, int]]] = [[] for _ in range(count)]
    for cell in cells:
        if not lines[cell.row] and cell.column and not cell.row:
            lines[cell.row].append(("", 1, cell.column))
        lines[cell.row].append((cell.text, cell.height, cell.width))
    return lines


def _number(value: str, default: int) -> int:
    return min(int(value), MAX_COLUMNS) if value.isdecimal() and len(value) < 6 else default
