"""Pages to a paper: blocks in reading order, floats with their captions, pictures, notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from corpus.sources.pdf import front, imprint
from corpus.sources.pdf import images as pictures
from corpus.sources.pdf.captions import Caption
from corpus.sources.pdf.headless import abstract_start, name_abstract
from corpus.sources.pdf.joining import join_text
from corpus.sources.pdf.model import Line, PageContent, Picture, Rect
from corpus.sources.pdf.opening import active_parts
from corpus.sources.pdf.pages import FigureFloat, ReadPage, TableFloat
from corpus.sources.pdf.panels import find_panels
from corpus.sources.pdf.paragraphs import build_blocks
from corpus.sources.pdf.rasterpanels import panels_in_picture
from corpus.sources.pdf.recognition import PageDoctor, is_scan
from corpus.sources.pdf.shape import (
    PdfBlock,
    PdfFigure,
    PdfKind,
    PdfPage,
    PdfPaper,
    PdfTable,
    PlacedRun,
)
from corpus.sources.pdf.taken import much_taken
from corpus.sources.pdf.turn import JobTurn
from corpus.sources.pdf.typography import Typography
from corpus.sources.pdf.wording import on_pages, verb

_LABEL = re.compile(r"^.{0,30}?\d+[a-z]?\s*[.:|\u2013\u2014-]?\s*", re.IGNORECASE)


def assemble_paper(
    document: Any,
    pages: Sequence[ReadPage],
    typography: Typography,
    *,
    filename: str,
    sha256: str,
    doctor: PageDoctor,
    images: bool,
) -> PdfPaper:
    """Put the pages of a document together; `doctor` tells how their text layers were mended."""
    first = list(pages[0].body)
    notes = (line for group in pages[0].notes for line in group)
    told_of = [*pages[0].furniture, *first, *notes, *pages[0].labels]
    told = front.told_title(document)
    title_lines = front.find_title(first, typography, told)
    body = _without(first, title_lines)
    head, rest = _parted(body, typography)
    text = build_blocks([*rest, *(line for page in pages[1:] for line in page.body)], typography)
    text = name_abstract(text)
    turns = {page.content.number: _turn_of(page.content) for page in pages}
    text = [_shown(block, turns) for block in text]
    builder = _Builder(document, typography, turns, doctor, images=images)
    blocks = [*builder.plain("title", [title_lines]), *builder.plain("front", head)]
    blocks += _with_floats(text, pages, builder)
    return PdfPaper(
        sha256=sha256,
        filename=filename,
        title=front.title_of(title_lines, told, filename),
        pages=tuple(_page(document, page, images) for page in pages),
        blocks=tuple(blocks),
        figures=tuple(builder.figures),
        tables=tuple(builder.tables),
        authors=front.authors_of(document),
        doi=imprint.find_doi(told_of),
        published=imprint.find_year(told_of),
        notes=(*doctor.notes(), *_notes(pages), *_taken(pages, blocks, builder.tables)),
        flags=active_parts(document),
        unrecognised=tuple(doctor.pages("unread")),
    )


def _taken(
    pages: Sequence[ReadPage], blocks: Sequence[PdfBlock], tables: Sequence[PdfTable]
) -> list[str]:
    letters = sum(len(block.text) for block in blocks)
    letters += sum(len(cell) for table in tables for row in table.rows for cell in row)
    note = much_taken([[line.text for line in page.furniture] for page in pages], letters)
    return [note] if note else []


def _parted(lines: Sequence[Line], typography: Typography) -> tuple[list[list[Line]], list[Line]]:
    """The front matter of the first page in groups of lines, and the lines after it."""
    count = abstract_start(_paragraphs(lines), front.count_front(lines, typography))
    head, rest = lines[:count], lines[count:]
    citation = front.cited_as(head, rest)
    return [*_paragraphs(head), citation], _without(rest, citation)


def _without(lines: Sequence[Line], taken: Sequence[Line]) -> list[Line]:
    ids = {id(line) for line in taken}
    return [line for line in lines if id(line) not in ids]


def _paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Front matter parted where type or place changes."""
    groups: list[list[Line]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and last.column == line.column
            and abs(last.size - line.size) < 0.4
            and 0 <= line.base - last.base < 1.7 * line.size
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _with_floats(
    text: Sequence[PdfBlock], pages: Sequence[ReadPage], builder: _Builder
) -> list[PdfBlock]:
    """The floats and notes of a page stand after the text that begins on it."""
    blocks: list[PdfBlock] = []
    waiting = list(pages)
    section: tuple[str, ...] = ()
    for block in text:
        while waiting and waiting[0].content.number < block.page:
            blocks += builder.floats(waiting.pop(0), section)
        section = block.section
        blocks.append(block)
    for page in waiting:
        blocks += builder.floats(page, section)
    return blocks


class _Builder:
    """Makes blocks, figures and tables; keeps the lists that blocks point into."""

    def __init__(
        self,
        document: Any,
        typography: Typography,
        turns: dict[int, JobTurn],
        doctor: PageDoctor,
        *,
        images: bool,
    ) -> None:
        self._document = document
        self._doctor = doctor
        self._turns = turns
        self._words = typography.words
        self._images = images
        self._named: dict[tuple[str, str, int], int] = {}
        self.figures: list[PdfFigure] = []
        self.tables: list[PdfTable] = []

    def plain(self, kind: PdfKind, groups: Sequence[Sequence[Line]]) -> list[PdfBlock]:
        """One block for each group of lines."""
        made: list[PdfBlock] = []
        for group in groups:
            if group:
                text, runs = join_text(group, self._words)
                made.append(_shown(PdfBlock(kind, text, runs), self._turns))
        return made

    def floats(self, page: ReadPage, section: tuple[str, ...]) -> list[PdfBlock]:
        """Captions, tables, notes, labels and furniture of one page."""
        self._named = {}
        found = sorted(page.figures, key=lambda figure: figure.region is None)
        blocks = [block for figure in found for block in self._figure(figure, page, section)]
        tables = sorted(page.tables, key=lambda table: table.region is None)
        blocks += [self._table(table, section) for table in tables]
        blocks += [_moved(block, section) for block in self.plain("footnote", page.notes)]
        self._loose_pictures(page)
        if page.labels:
            blocks += self.plain("figure", [page.labels])
        return blocks + self.plain("header", [page.furniture])

    def _figure(
        self, found: FigureFloat, page: ReadPage, section: tuple[str, ...]
    ) -> list[PdfBlock]:
        """The caption of a figure, then those of its panels."""
        text, runs, start = self._caption(found.caption, found.turn)
        key = ("figure", _number(found.caption), found.page)
        if found.region is None and key in self._named:
            # The same caption in a second language.
            named = self._named[key]
            return [PdfBlock("caption", text, runs, section, figure=named, after_label=start)]
        region = found.region
        rect = self._place(found.page, found.turn.back(region.rect)) if region else None
        inside = region.pictures if region is not None else []
        image, media_type = self._image(found.page, rect, inside) or (None, "")
        index = self._named[key] = len(self.figures)
        self.figures.append(
            PdfFigure(
                found.page,
                rect,
                found.caption.label,
                text[start:],
                image,
                media_type,
                words=self._doctor.words_inside(found.page, rect) if rect else "",
            )
        )
        block = PdfBlock("caption", text, runs, section, figure=index, after_label=start)
        return [block, *self._panels(found, block)]

    def _panels(self, found: FigureFloat, caption: PdfBlock) -> list[PdfBlock]:
        """Panels of a figure as figures of their own, each with its part of the caption."""
        region = found.region
        if region is None:
            return []
        made = []
        told = (caption.text, caption.after_label)
        panels = find_panels(region.rect, region.labels, *told)
        upright = not (found.turn.moves or self._turns[found.page].moves)
        if self._images and upright and not panels:
            panels = panels_in_picture(self._document[found.page - 1], region, *told)
        for panel in panels:
            label = f"{found.caption.label}{panel.letter}"
            said = caption.text[panel.start : panel.end]
            text = f"{label}. {said}"
            shift = len(text) - len(said) - panel.start
            runs = tuple(
                PlacedRun(
                    max(run.start, panel.start) + shift,
                    min(run.end, panel.end) + shift,
                    run.page,
                    run.rect,
                )
                for run in caption.runs
                if run.start < panel.end and panel.start < run.end
            )
            rect = self._place(found.page, found.turn.back(panel.rect))
            image, media_type = self._image(found.page, rect, ()) or (None, "")
            made.append(PdfBlock("caption", text, runs, caption.section, figure=len(self.figures)))
            self.figures.append(
                PdfFigure(found.page, rect, label, said, image, media_type, caption.figure)
            )
        return made

    def _table(self, found: TableFloat, section: tuple[str, ...]) -> PdfBlock:
        cells, region = found.cells, found.region
        text, runs, start = self._caption(found.caption, found.turn)
        key = ("table", _number(found.caption), found.page)
        if region is None and key in self._named:
            return PdfBlock(
                "caption", text, runs, section, table=self._named[key], after_label=start
            )
        index = self._named[key] = len(self.tables)
        rect = self._place(found.page, found.turn.back(region.rect)) if region else None
        if not runs and rect is not None:  # no caption: the table itself tells the place
            runs = (PlacedRun(0, 0, found.page, rect),)
        boxes = cells.boxes if cells is not None else []
        image, media_type = self._image(found.page, rect, ()) or (None, "")
        self.tables.append(
            PdfTable(
                page=found.page,
                rect=rect,
                label=found.caption.label,
                caption=text[start:],
                rows=tuple(tuple(row) for row in cells.texts) if cells is not None else (),
                boxes=tuple(
                    tuple(
                        self._place(found.page, found.turn.back(box)) if box else None
                        for box in row
                    )
                    for row in boxes
                ),
                spans=tuple(cells.spans) if cells is not None else (),
                header_rows=cells.header_rows if cells is not None else 0,
                continued=found.caption.continued,
                image=image,
                media_type=media_type,
            )
        )
        return PdfBlock("caption", text, runs, section, table=index, after_label=start)

    def _caption(self, caption: Caption, turn: JobTurn) -> tuple[str, tuple[PlacedRun, ...], int]:
        """Text, places, and where the text after the label begins."""
        text, runs = join_text(caption.lines, self._words)
        placed = tuple(PlacedRun(run.start, run.end, run.page, turn.back(run.rect)) for run in runs)
        match = _LABEL.match(text)
        return text, placed, match.end() if match else 0

    def _place(self, number: int, rect: Rect) -> Rect:
        return self._turns[number].to(rect)

    def _image(
        self, number: int, rect: Rect | None, inside: Sequence[Picture]
    ) -> tuple[bytes, str] | None:
        """The embedded raster when it is the whole figure, else the region as drawn."""
        if rect is None or not self._images:
            return None
        if len(inside) == 1 and inside[0].rect.area > 0.8 * rect.area:
            stored = pictures.raster_of(self._document, inside[0])
            if stored is not None:
                return stored
        return pictures.region_image(self._document[number - 1], rect)

    def _loose_pictures(self, page: ReadPage) -> None:
        """Rasters that no caption names are figures as well, unless small."""
        if not self._images or page.content.ocr_layer:
            return
        named = [f.turn.back(f.region.rect) for f in page.figures if f.region is not None]
        for picture in page.content.pictures:
            if picture.rect in page.content.ornaments:
                continue
            if any(rect.grown(3).overlap(picture.rect) > 0.5 * picture.rect.area for rect in named):
                continue
            stored = pictures.raster_of(self._document, picture)
            if stored is not None:
                rect = self._place(page.content.number, picture.rect)
                self.figures.append(PdfFigure(page.content.number, rect, "", "", *stored))


def _shown(block: PdfBlock, turns: dict[int, JobTurn]) -> PdfBlock:
    """A block with its places on the page as shown."""
    if not any(turns[run.page].moves for run in block.runs):
        return block
    runs = tuple(
        PlacedRun(run.start, run.end, run.page, turns[run.page].to(run.rect)) for run in block.runs
    )
    return PdfBlock(block.kind, block.text, runs, block.section)


def _moved(block: PdfBlock, section: tuple[str, ...]) -> PdfBlock:
    return PdfBlock(block.kind, block.text, block.runs, section)


def _number(caption: Caption) -> str:
    return caption.label.rsplit(" ", 1)[-1]


def _turn_of(content: PageContent) -> JobTurn:
    return JobTurn(content.rotation, content.width, content.height, content.skew)


def _page(document: Any, page: ReadPage, images: bool) -> PdfPage:
    content = page.content
    turned = content.rotation in (90, 270)
    has_text = bool(page.body or page.tables or page.figures or page.notes or page.furniture)
    has_text = has_text or bool(page.labels)
    return PdfPage(
        number=content.number,
        width=content.height if turned else content.width,
        height=content.width if turned else content.height,
        columns=len(page.grid.gutters) + 1,
        method="ocr" if content.engine else "text" if has_text else "empty",
        engine=content.engine,
        confidence=content.confidence,
        ocr_layer=content.ocr_layer and not content.engine,
        hidden=len(content.hidden),
        hidden_letters=sum(map(len, content.hidden)),
        outside=content.outside,
        unread_glyphs=content.unread_glyphs,
        image=pictures.page_image(document[content.number - 1]) if images else None,
        furniture=tuple(line.text for line in page.furniture),
    )


def _notes(pages: Sequence[ReadPage]) -> list[str]:
    """Sentences for the curator about what was left out."""
    notes: list[str] = []
    blank = [page.content.number for page in pages if _is_blank(page)]
    hidden = [page.content.number for page in pages if page.content.hidden]
    if blank:
        notes.append(f"{on_pages(blank)} {verb(blank)} no text.")
    if hidden:
        notes.append(
            f"Hidden text on {on_pages(hidden, 'p')} was left out: no reader of the page sees it."
        )
    return notes


def _is_blank(page: ReadPage) -> bool:
    """Whether nothing stands on a page; a picture of text without its text is noted elsewhere."""
    content = page.content
    found = page.body or page.tables or page.figures or page.labels or content.unread_glyphs
    return not found and not is_scan(content)
