"""What repeats from page to page around the text: running heads, page and line numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from corpus.sources.pdf.model import Line, PageContent
from corpus.sources.pdf.repeats import heads
from corpus.sources.pdf.typography import Typography

ZONE = 0.14  # share of the page's height at its top and bottom in which furniture stands
_NOTE = 0.75  # what is set smaller than this share of the body's size is fine print
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|pag\.|seite)?\s*[-\u2013\u2014|]?\s*(?:[a-z]{0,2}\d{1,5}"
    r"|(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))"
    r"(?:\s*(?:of|/|de|\|)\s*\d{1,5})?\s*[-\u2013\u2014|]?",
    re.IGNORECASE,
)
_FLOAT_LABEL = re.compile(
    r"\s*(?:continued\s+)?(?:table|tabela|tabla|fig|figure|figura)\b"
    r"|\s*\(?[a-z]\)?\s*$",  # the letter of a panel: figures stand at the top of many pages
    re.IGNORECASE,
)


def take_furniture(pages: Sequence[PageContent], typography: Typography) -> list[list[Line]]:
    """Take running heads, feet, page numbers and line numbers off the pages; return them by
    page.
    """
    numbers = _fixed_numbers(pages)
    marks = _repeating(pages, typography) | numbers
    for page in pages:
        marks -= _inner(page, marks, typography)
    tops, feet = _bands(pages, marks)
    marks |= numbers
    found_on = [_found(page, marks, tops, feet, typography) for page in pages]
    bare = sum(
        len(found) == len(page.lines) > 0 for page, found in zip(pages, found_on, strict=True)
    )
    if bare > 0.5 * len(pages):
        return [[] for _ in pages]  # what repeats here is all there is
    taken: list[list[Line]] = []
    for page, found in zip(pages, found_on, strict=True):
        taken.append([line for line in page.lines if id(line) in found])
        page.lines = [line for line in page.lines if id(line) not in found]
    return taken


def _found(
    page: PageContent, marks: set[int], tops: float, feet: float, typography: Typography
) -> set[int]:
    found = {id(line) for line in page.lines if id(line) in marks}
    found |= _banded(page, marks, tops, feet, typography)
    return found | {id(line) for line in _line_numbers(page)}


def _banded(
    page: PageContent, marks: set[int], tops: float, feet: float, typography: Typography
) -> set[int]:
    """Ids of unmarked lines where other pages have heads and feet, unless text runs on there."""
    banded = [
        line
        for line in page.lines
        if id(line) not in marks and _in_band(line, page, tops, feet, typography)
    ]
    ids = {id(line) for line in banded}
    text = [line for line in page.lines if id(line) not in ids | marks]
    for line in sorted(banded, key=lambda line: abs(line.base - page.height / 2)):
        zone = "top" if line.centre[1] < page.height / 2 else "foot"
        is_note = line.size < _NOTE * typography.size
        if not is_note and _text_goes_on(line, text, zone, typography):
            text.append(line)
            ids.discard(id(line))
    return ids


def _zones(page: PageContent) -> Iterable[tuple[str, Line]]:
    for line in page.lines:
        middle = line.centre[1]
        if middle < ZONE * page.height:
            yield "top", line
        elif middle > (1 - ZONE) * page.height:
            yield "foot", line


def _repeating(pages: Sequence[PageContent], typography: Typography) -> set[int]:
    """Ids of lines in the zones that are page numbers, or recur on another page as heads do."""
    zoned = [
        (zone, page, line)
        for page in pages
        for zone, line in _zones(page)
        if not _FLOAT_LABEL.match(line.text)
    ]
    numbers = _page_numbers(zoned, len(pages))
    others = [(zone, page.number, line) for zone, page, line in zoned if id(line) not in numbers]
    return numbers | heads(others, pages, typography)


def _page_numbers(zoned: Sequence[tuple[str, PageContent, Line]], count: int) -> set[int]:
    """Ids of lines that are only a page number, with no text further out.

    A bare number in a row with other lines may be a cell: it must count pages with another one,
    where there are pages enough to show it.
    """
    found = [
        (page, line)
        for zone, page, line in zoned
        if _PAGE_NUMBER.fullmatch(line.text) and _is_outermost(line, page, zone)
    ]
    offsets: dict[int, set[int]] = defaultdict(set)
    for page, line in found:
        if line.text.isdecimal():
            offsets[int(line.text) - page.number].add(page.number)
    return {
        id(line)
        for page, line in found
        if not line.text.isdecimal()
        or len(offsets[int(line.text) - page.number]) > 1
        or _may_be_alone(line, page, count)
    }


def _may_be_alone(line: Line, page: PageContent, count: int) -> bool:
    """Whether a number stands alone in its row, or, on one or two pages, as on two-up sheets."""
    row = [other for other in page.lines if abs(other.base - line.base) < 4]
    if len(row) == 1 or count > 2:
        return len(row) == 1
    values = sorted(int(o.text) for o in row if o.text.isdecimal() and len(o.text) < 6)
    return all(second - first == 1 for first, second in pairwise(values))


def _inner(page: PageContent, marks: set[int], typography: Typography) -> set[int]:
    """Marked lines that are text after all.

    They lie further in than an unmarked line (a word that recurs in a table, say), or the text
    goes on right after them.
    """
    inner: set[int] = set()
    for zone in ("top", "foot"):
        rows = _rows([line for where, line in _zones(page) if where == zone], zone)
        ids = {id(line) for row in rows for line in row if id(line) in marks}
        text = [line for line in page.lines if id(line) not in ids]
        for row in reversed(rows):  # from the text outwards
            marked = [line for line in row if id(line) in marks]
            if any(_text_goes_on(line, text, zone, typography) for line in marked):
                inner |= {id(line) for line in row}
                text += marked
        outside = True
        for row in rows:  # from the edge inwards
            outside = outside and any(id(line) in marks - inner for line in row)
            if not outside:
                inner |= {id(line) for line in row}
    return inner


def _fixed_numbers(pages: Sequence[PageContent]) -> set[int]:
    """Page numbers that stand at one place on many pages, whatever lies further out."""
    places: dict[tuple[int, int], list[tuple[int, Line]]] = defaultdict(list)
    for page in pages:
        for line in (*(line for _, line in _zones(page)), *_ends(page)):
            if line.text.isdecimal() and len(line.text) < 6:
                key = (round(line.rect.x1 / 10), round(line.base / 6))
                places[key].append((int(line.text) - page.number, line))
    found: set[int] = set()
    for members in places.values():
        offsets = Counter(offset for offset, _ in members)
        offset, count = offsets.most_common(1)[0]
        if count >= 3:
            found |= {id(line) for other, line in members if other == offset}
    return found


def _ends(page: PageContent) -> list[Line]:
    """The lowest line of a page with wide margins, whose number stands further in."""
    low = max(page.lines, key=lambda line: line.base, default=None)
    return [low] if low is not None and low.centre[1] <= (1 - ZONE) * page.height else []


def _rows(lines: list[Line], zone: str) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.base, reverse=zone == "foot"):
        if rows and abs(rows[-1][0].base - line.base) <= 4:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _text_goes_on(line: Line, others: Sequence[Line], zone: str, typography: Typography) -> bool:
    """Whether a line of the same type stands right below a head, or right above a foot."""
    reach = 1.35 * line.size
    if typography.is_body_size(line):
        reach = max(reach, 1.06 * typography.leading)
    for other in others:
        step = other.base - line.base if zone == "top" else line.base - other.base
        close = 0 < step <= reach and abs(other.rect.x0 - line.rect.x0) < 30
        if close and other.style == line.style and other.letters > 20:
            return True
    return False


def _is_outermost(line: Line, page: PageContent, zone: str) -> bool:
    """A number alone is a page number only where no text lies further out."""
    for other in page.lines:
        if other is line or abs(other.base - line.base) < 4:
            continue
        outside = other.base < line.base if zone == "top" else other.base > line.base
        if outside and other.letters > 30:
            return False
    return True


def _bands(pages: Sequence[PageContent], marks: set[int]) -> tuple[float, float]:
    """How far down heads reach and how far up feet begin, on most pages."""
    lows: list[float] = []
    highs: list[float] = []
    for page in pages:
        ends = [(zone, line) for zone, line in _zones(page) if id(line) in marks]
        lows += [max((line.rect.y1 for zone, line in ends if zone == "top"), default=0.0)]
        highs += [min((line.rect.y0 for zone, line in ends if zone == "foot"), default=page.height)]
    if not pages:
        return 0.0, 0.0
    lows.sort()
    highs.sort()
    return lows[len(lows) // 2], highs[len(highs) // 2]


def _in_band(
    line: Line, page: PageContent, tops: float, feet: float, typography: Typography
) -> bool:
    if line.size > 1.25 * typography.size or _FLOAT_LABEL.match(line.text):
        return False
    middle = line.centre[1]
    return middle < min(tops, ZONE * page.height) or middle > max(feet, (1 - ZONE) * page.height)


def _line_numbers(page: PageContent) -> list[Line]:
    """A column of ascending integers beside the text, as manuscripts have."""
    numbers = [line for line in page.lines if line.text.isdecimal() and line.letters <= 4]
    by_edge: dict[int, list[Line]] = defaultdict(list)
    for line in numbers:
        by_edge[round(line.rect.x1 / 4)].append(line)
    found: list[Line] = []
    for column in by_edge.values():
        column.sort(key=lambda line: line.base)
        values = [int(line.text) for line in column]
        steps = {b - a for a, b in pairwise(values)}
        if len(column) < 10 or len(steps) != 1 or not steps & {1, 5}:
            continue
        edge = max(line.rect.x1 for line in column)
        texts = [line for line in page.lines if line.letters > 20]
        if texts and all(line.rect.x0 > edge - 1 for line in texts):
            found += column
    return found
