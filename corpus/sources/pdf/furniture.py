"""What repeats from page to page around the text: running heads, page and line numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from corpus.sources.pdf.model import Line, PageContent
from corpus.sources.pdf.typography import Typography

ZONE = 0.14  # share of the page's height at its top and bottom in which furniture stands
_DRIFT = 6.0  # points by which a running head may move from page to page
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|pag\.|seite)?\s*[-\u2013\u2014|]?\s*(?:[a-z]{0,2}\d{1,5}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|/|de|\|)\s*\d{1,5})?\s*[-\u2013\u2014|]?",
    re.IGNORECASE,
)
_FLOAT_LABEL = re.compile(
    r"\s*(?:continued\s+)?(?:table|tabela|tabla|fig|figure|figura)\b", re.IGNORECASE
)


def take_furniture(pages: Sequence[PageContent], typography: Typography) -> list[list[Line]]:
    """Take running heads, feet, page numbers and line numbers off the pages; return them by
    page.
    """
    marks = _repeating(pages, typography)
    for page in pages:
        marks -= _inner(page, marks)
    tops, feet = _bands(pages, marks)
    marks |= _fixed_numbers(pages)
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
    found = {
        id(line)
        for line in page.lines
        if id(line) in marks or _in_band(line, page, tops, feet, typography)
    }
    return found | {id(line) for line in _line_numbers(page)}


def _zones(page: PageContent) -> Iterable[tuple[str, Line]]:
    for line in page.lines:
        middle = line.centre[1]
        if middle < ZONE * page.height:
            yield "top", line
        elif middle > (1 - ZONE) * page.height:
            yield "foot", line


def _repeating(pages: Sequence[PageContent], typography: Typography) -> set[int]:
    """Ids of lines in the zones that recur on another page at the same height, numbers aside."""
    groups: dict[tuple[str, str], list[tuple[int, Line]]] = defaultdict(list)
    marks: set[int] = set()
    for page in pages:
        for zone, line in _zones(page):
            if _FLOAT_LABEL.match(line.text):
                continue
            if _PAGE_NUMBER.fullmatch(line.text) and _is_outermost(line, page, zone):
                marks.add(id(line))
                continue
            key = _DIGITS.sub("#", line.text.lower()).replace(" ", "")
            groups[zone, key].append((page.number, line))
    for (_, key), members in groups.items():
        if len({number for number, _ in members}) < 2 or not any(map(str.isalnum, key)):
            continue
        for number, line in members:
            if any(
                other != number and abs(mate.rect.y0 - line.rect.y0) <= _DRIFT
                for other, mate in members
            ):
                marks.add(id(line))
    return marks


def _inner(page: PageContent, marks: set[int]) -> set[int]:
    """Marked lines that are text after all.

    They lie further in than an unmarked line (a word that recurs in a table, say), or the text
    goes on right after them.
    """
    inner: set[int] = set()
    for zone in ("top", "foot"):
        rows = _rows([line for where, line in _zones(page) if where == zone], zone)
        kept = {id(line) for row in rows for line in row}
        others = [line for line in page.lines if id(line) not in kept]
        for row in reversed(rows):  # from the text outwards
            if _text_goes_on(row[0], [*others, *(o for o in page.lines if id(o) in inner)], zone):
                inner |= {id(line) for line in row}
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
        for _, line in _zones(page):
            if line.text.isdecimal() and abs(int(line.text) - page.number) < 5000:
                key = (round(line.rect.x1 / 10), round(line.base / 6))
                places[key].append((int(line.text) - page.number, line))
    found: set[int] = set()
    for members in places.values():
        offsets = Counter(offset for offset, _ in members)
        offset, count = offsets.most_common(1)[0]
        if count >= 3:
            found |= {id(line) for other, line in members if other == offset}
    return found


def _rows(lines: list[Line], zone: str) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.base, reverse=zone == "foot"):
        if rows and abs(rows[-1][0].base - line.base) <= 4:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _text_goes_on(line: Line, others: Sequence[Line], zone: str) -> bool:
    """Whether a line of the same type stands right below a head, or right above a foot."""
    for other in others:
        step = other.base - line.base if zone == "top" else line.base - other.base
        close = 0 < step <= 1.35 * line.size and abs(other.rect.x0 - line.rect.x0) < 30
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
