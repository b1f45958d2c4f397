"""Every page read into floats, notes and lines of running text in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final

from corpus.sources.pdf.captions import Caption, take_captions
from corpus.sources.pdf.cellgrid import Cells
from corpus.sources.pdf.columns import reading_order
from corpus.sources.pdf.figures import FigureRegion, find_figure
from corpus.sources.pdf.fineprint import SMALL, is_fine_print
from corpus.sources.pdf.furniture import take_furniture
from corpus.sources.pdf.grid import PageGrid, common_gutters, common_width, lay_grid
from corpus.sources.pdf.lines import assemble, mend
from corpus.sources.pdf.model import Line, PageContent, Rect
from corpus.sources.pdf.ornaments import mark_ornaments
from corpus.sources.pdf.regions import TableRegion, find_overleaf, find_region
from corpus.sources.pdf.ruled import goes_on, take_ruled
from corpus.sources.pdf.structure import read_cells
from corpus.sources.pdf.tablenotes import is_said
from corpus.sources.pdf.turn import JobTurn, turned_page
from corpus.sources.pdf.typography import Typography, measure

MIN_TURNED_WORDS: Final = 25
CAPTION_GAP: Final = 45.0  # points between a caption and its grid


@dataclass(slots=True, eq=False)
class TableFloat:
    """A caption with the table it names, if found; `turn` leads back to the page as shown."""

    caption: Caption
    region: TableRegion | None
    cells: Cells | None
    turn: JobTurn
    page: int


@dataclass(slots=True, eq=False)
class FigureFloat:
    """A caption with the figure it names, if found."""

    caption: Caption
    region: FigureRegion | None
    turn: JobTurn
    page: int


@dataclass(slots=True, eq=False)
class ReadPage:
    """What was found on a page."""

    content: PageContent
    grid: PageGrid
    hints: tuple[float, ...] = ()
    body: list[Line] = field(default_factory=list)
    notes: list[list[Line]] = field(default_factory=list)
    furniture: list[Line] = field(default_factory=list)
    labels: list[Line] = field(default_factory=list)
    tables: list[TableFloat] = field(default_factory=list)
    figures: list[FigureFloat] = field(default_factory=list)


def read_pages(pages: Sequence[PageContent]) -> tuple[list[ReadPage], Typography]:
    """Read all pages of a document together: its typography and furniture show only so."""
    for page in pages:
        page.lines = assemble(page.lines, loose=page.ocr_layer)
    typography = measure(pages)
    furniture = take_furniture(pages, typography)
    mark_ornaments(pages)
    width = common_width(pages, typography)
    first = [lay_grid(page, typography, width) for page in pages]
    shared = common_gutters(first)
    read: list[ReadPage] = []
    for content, lines in zip(pages, furniture, strict=True):
        content.lines = mend(content.lines, shared)
        grid = lay_grid(content, typography, width, shared)
        hints = tuple(dict.fromkeys((*grid.gutters, *shared)))
        read.append(ReadPage(content, grid, hints, furniture=lines))
    for found in read:
        _take_floats(found, typography)
        _take_turned(found, typography)
    _turn_over(read, typography)
    for found in read:
        _take_ruled(found, typography)
    _go_on(read)
    for found in read:
        _order(found, typography)
    return read, typography


def _take_floats(page: ReadPage, typography: Typography) -> None:
    content = page.content
    lines = content.lines
    captions = take_captions(content, lines, typography, content.rules)
    upright = JobTurn(0, content.width, content.height)
    page.tables += _tables(page, captions, content, page.grid, upright, typography)
    taken = [t.region.rect for t in page.tables if t.region is not None]
    for caption in captions:
        if caption.kind != "figure":
            continue
        walls = [c.rect for c in captions if c is not caption] + taken
        walls += [f.region.rect for f in page.figures if f.region is not None]
        region = find_figure(caption, content.lines, content, page.grid, typography, walls)
        if region is not None:
            page.labels += _take(content, region.labels)
        page.figures.append(FigureFloat(caption, region, upright, content.number))


def _take_ruled(page: ReadPage, typography: Typography) -> None:
    """Grids: what a caption names that has found no table, or tables without one."""
    content = page.content
    upright = JobTurn(0, content.width, content.height)
    walls = [t.turn.back(t.region.rect) for t in page.tables if t.region is not None]
    walls += [f.turn.back(f.region.rect) for f in page.figures if f.region is not None]
    for grid in take_ruled(content, walls, typography.words):
        named = next((t for t in page.tables if _names(t, grid.region)), None)
        if named is not None:
            named.region, named.cells = grid.region, grid.cells
        else:
            caption = Caption("table", "", "", content.number)
            found = TableFloat(caption, grid.region, grid.cells, upright, content.number)
            page.tables.append(found)


def _names(table: TableFloat, region: TableRegion) -> bool:
    """Whether a caption has found no table yet, and stands right above a grid or right below it."""
    if table.region is not None or table.turn.degrees:
        return False
    upper, lower = table.caption.rect, region.rect
    if upper.y0 > lower.y0:
        upper, lower = lower, upper
    beside = min(upper.x1, lower.x1) > max(upper.x0, lower.x0)
    return beside and lower.y0 - upper.y1 < CAPTION_GAP


def _go_on(pages: Sequence[ReadPage]) -> None:
    """A grid without a caption at the head of a page may be the rest of the table before it."""
    for page, following in pairwise(pages):
        last = max(_upright(page), key=lambda found: found[1].rect.y1, default=None)
        first = min(_upright(following), key=lambda found: found[1].rect.y0, default=None)
        if last is None or first is None or first[0].caption.lines:
            continue
        if goes_on(last[1], first[1], page.content.height):
            caption = first[0].caption
            caption.label, caption.continued = last[0].caption.label, True


def _upright(page: ReadPage) -> list[tuple[TableFloat, TableRegion]]:
    """Tables that stand upright on the page, with their places."""
    return [
        (table, table.region)
        for table in page.tables
        if table.region is not None and not table.turn.degrees and table.page == page.content.number
    ]


def _tables(
    page: ReadPage,
    captions: Sequence[Caption],
    content: PageContent,
    grid: PageGrid,
    turn: JobTurn,
    typography: Typography,
) -> list[TableFloat]:
    found: list[TableFloat] = []
    for caption in captions:
        if caption.kind != "table":
            continue
        limits = [c.rect for c in captions if c is not caption]
        limits += [f.region.rect for f in found if f.region is not None and f.turn is turn]
        region = find_region(caption, content.lines, content.rules, grid, typography, limits)
        cells = _cells(region, content, typography)
        if region is not None and cells is not None:
            _take(content, region.cells)
            notes = _take_notes(content, region)
            if notes:
                page.notes.append(_placed(notes, turn))
        found.append(TableFloat(caption, region if cells else None, cells, turn, content.number))
    return found


def _cells(
    region: TableRegion | None, content: PageContent, typography: Typography
) -> Cells | None:
    if region is None:
        return None
    return read_cells(region, content.rules, content.fills, typography.words)


def _take_turned(page: ReadPage, typography: Typography) -> None:
    """Sideways tables and figures; sideways text that belongs to none is a label."""
    for degrees, lines in list(page.content.turned.items()):
        content, turn = turned_page(page.content, degrees)
        content.lines = assemble(lines)
        if sum(len(line.words) for line in content.lines) >= MIN_TURNED_WORDS:
            grid = lay_grid(content, typography, page.grid.width)
            captions = take_captions(content, content.lines, typography, content.rules)
            page.tables += _tables(page, captions, content, grid, turn, typography)
            for caption in captions:
                if caption.kind == "figure":
                    walls = [c.rect for c in captions if c is not caption]
                    region = find_figure(caption, content.lines, content, grid, typography, walls)
                    page.figures.append(FigureFloat(caption, region, turn, content.number))
        page.labels += _placed(content.lines, turn)


def _turn_over(pages: Sequence[ReadPage], typography: Typography) -> None:
    """A caption at the foot of a page may name the table at the top of the next one."""
    for page, following in pairwise(pages):
        for table in page.tables:
            low = table.caption.rect.y1 > 0.85 * page.content.height
            if table.region is not None or not low or table.turn.degrees:
                continue
            content = following.content
            limits = [t.caption.rect for t in following.tables]
            region = find_overleaf(
                table.caption, content.lines, content.rules, following.grid, typography, limits
            )
            cells = _cells(region, content, typography)
            if region is not None and cells is not None:
                table.region, table.cells, table.page = region, cells, content.number
                _take(content, region.cells)
                notes = _take_notes(content, region)
                if notes:
                    following.notes.append(notes)


def _take(content: PageContent, lines: Sequence[Line]) -> list[Line]:
    """Take lines off the page."""
    ids = {id(line) for line in lines}
    content.lines = [line for line in content.lines if id(line) not in ids]
    return list(lines)


def _take_notes(content: PageContent, region: TableRegion) -> list[Line]:
    """Take the notes of a table off the page, without rows of signs that only part them."""
    return [line for line in _take(content, region.notes) if is_said(line)]


def _placed(lines: Sequence[Line], turn: JobTurn) -> list[Line]:
    """Lines with their boxes on the page as shown."""
    for line in lines:
        line.rect = turn.back(line.rect)
        for word in line.words:
            word.rect = turn.back(word.rect)
    return list(lines)


def _order(page: ReadPage, typography: Typography) -> None:
    barriers = [t.region.rect for t in page.tables if t.region is not None and not t.turn.degrees]
    barriers += [f.region.rect for f in page.figures if f.region is not None]
    barriers += [t.caption.rect for t in page.tables if not t.turn.degrees]
    barriers += [f.caption.rect for f in page.figures if not f.turn.degrees]
    ordered = reading_order(page.content.lines, _merged(barriers), page.hints)
    page.body = []
    for _, run in groupby(ordered, key=lambda line: line.column):
        body, notes = _part_notes(list(run), page, typography)
        page.body += body
        if notes:
            page.notes.append(notes)


def _merged(rects: Sequence[Rect]) -> list[Rect]:
    return [rect for rect in rects if rect.area > 0]


def _part_notes(
    run: list[Line], page: ReadPage, typography: Typography
) -> tuple[list[Line], list[Line]]:
    """Small lines at the foot of a column, below text of full size, are notes; so is a block of
    fine print on the first page.
    """
    if is_fine_print(run, page.content, typography):
        return [], run
    cut = len(run)
    while cut and run[cut - 1].size < SMALL * typography.size:
        cut -= 1
    if cut in (0, len(run)):
        return run, []
    above, first = run[cut - 1], run[cut]
    if not typography.is_body(above) or above.share(bold=True) > 0.6:
        return run, []
    gap = first.base - above.base > 1.25 * typography.leading
    ruled = any(
        rule.is_horizontal and above.base < rule.y0 < first.base for rule in page.content.rules
    )
    low = first.base > 0.45 * page.content.height
    return (run[:cut], run[cut:]) if low and (gap or ruled) else (run, [])
