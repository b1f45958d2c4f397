"""Which lines that recur from page to page, numbers aside, are running heads: their numbers and
their place tell.

A head says the same on its pages, or counts them: then one number follows the page and the line
stands apart from the text. Where other numbers change too ("Patient 3 received 25 mg on day 4"),
each page says something of its own, and the line is text however often its words recur.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Final

from corpus.sources.pdf.model import Line, PageContent
from corpus.sources.pdf.typography import Typography

DRIFT: Final = 6.0  # points by which a running head may move from page to page
SMALL: Final = 0.94  # heads are often set smaller than this share of the body's size
_LARGE: Final = 1.2  # a line set larger than this is a heading, whatever it counts
_APART: Final = 2.2  # in leadings: more than the empty line between two paragraphs
_APART_BOLD: Final = 3.0  # what stands out from the text may be a heading of it
_STEADY: Final = 0.34  # share of page turns at which a number may jump and still be steady
_LONGEST: Final = 15  # digits; what is longer is no number that anybody counts with
_DIGITS = re.compile(r"\d+")
_PAGE_WORD = re.compile(r"\b(?:page|pag\.|p\.|seite|p\u00e1gina)\s*$", re.IGNORECASE)
_OF = re.compile(r"\s*(?:of|/|de|von)\s*\d+\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recurring:
    """Lines at one height of one zone that are alike but for their numbers, a page or more each.

    `follows` is the place, among the numbers, of the one that counts pages; -1 where none does.
    """

    zone: str
    members: tuple[tuple[int, Line], ...]
    follows: int = -1


def wording(line: Line) -> str:
    """The text without its numbers and spaces, by which recurring lines are told."""
    return _DIGITS.sub("#", line.text.lower()).replace(" ", "")


def heads(
    zoned: Iterable[tuple[str, int, Line]], pages: Sequence[PageContent], typography: Typography
) -> set[int]:
    """Ids of the lines that are running heads or feet; `zoned` gives zone, page number, line."""
    groups: dict[tuple[str, str], list[tuple[int, Line]]] = defaultdict(list)
    for zone, number, line in zoned:
        groups[zone, wording(line)].append((number, line))
    candidates = [
        found
        for (zone, key), members in groups.items()
        if any(map(str.isalnum, key))
        for level in _levels(members)
        if (found := judged(zone, level)) is not None
    ]
    marks = {id(line) for found in candidates for line in _with_mate(found)}
    contents = {page.number: page for page in pages}
    for found in candidates:
        if found.follows >= 0 and not _stands_apart(found, contents, marks, typography):
            marks -= {id(line) for _, line in found.members}
    return marks


def judged(zone: str, members: Sequence[tuple[int, Line]]) -> Recurring | None:
    """The lines as a running head, if their numbers allow it."""
    if len({number for number, _ in members}) < 2:
        return None
    ordered = sorted(members, key=lambda member: (member[0], member[1].rect.x0))
    columns = list(zip(*(_numbers(line) for _, line in ordered), strict=True))
    changing = [place for place, values in enumerate(columns) if not _is_steady(values)]
    if not changing:
        return Recurring(zone, tuple(ordered))
    place = changing[0]
    offsets = [value - page for value, (page, _) in zip(columns[place], ordered, strict=True)]
    if len(changing) > 1 or not _is_steady(offsets):
        return None
    if not all(_is_page_place(line.text, place) for _, line in ordered):
        return None
    return Recurring(zone, tuple(ordered), place)


def _levels(members: Sequence[tuple[int, Line]]) -> list[list[tuple[int, Line]]]:
    """Lines parted by the height at which they stand."""
    levels: list[list[tuple[int, Line]]] = []
    for number, line in sorted(members, key=lambda member: member[1].rect.y0):
        if levels and line.rect.y0 - levels[-1][-1][1].rect.y0 <= DRIFT:
            levels[-1].append((number, line))
        else:
            levels.append([(number, line)])
    return levels


def _numbers(line: Line) -> list[int]:
    return [int(digits[-_LONGEST:]) for digits in _DIGITS.findall(line.text)]


def _is_steady(values: Sequence[int]) -> bool:
    """Whether a number stays the same over runs of pages, as in each paper of a volume."""
    jumps = sum(first != second for first, second in pairwise(values))
    return jumps <= _STEADY * (len(values) - 1)


def _is_page_place(text: str, place: int) -> bool:
    """Whether a number stands where page numbers do: at an end of the line, or after "page"."""
    found = list(_DIGITS.finditer(text))[place]
    before, after = text[: found.start()], text[found.end() :]
    if not re.search(r"\w", before) or not re.search(r"\w", after):
        return True
    return bool(_OF.fullmatch(after)) or (
        bool(_PAGE_WORD.search(before)) and not re.search(r"\w\W*\w\W*\w{3}", after)
    )


def _with_mate(found: Recurring) -> list[Line]:
    """Lines that say on another page just the same, the page number aside."""
    said: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for page, line in found.members:
        said[_saying(found, page, line)].add(page)
    return [line for page, line in found.members if len(said[_saying(found, page, line)]) > 1]


def _saying(found: Recurring, page: int, line: Line) -> tuple[int, ...]:
    numbers = _numbers(line)
    if found.follows >= 0:
        numbers[found.follows] -= page
    return tuple(numbers)


def _stands_apart(
    found: Recurring,
    contents: dict[int, PageContent],
    marks: Collection[int],
    typography: Typography,
) -> bool:
    """Whether lines that count pages are set off from the text: by size, a gap, or beside it."""
    lines = [line for _, line in found.members]
    size = median(line.size for line in lines) / typography.size
    if size < SMALL or size > _LARGE:
        return size < SMALL
    bold = median(line.share(bold=True) for line in lines) > 0.5
    needed = typography.leading * (_APART_BOLD if bold or size > 1.06 else _APART)
    gaps: list[float] = []
    beside = 0
    for number, group in groupby(found.members, key=lambda member: member[0]):
        text = [
            other
            for other in contents[number].lines
            if id(other) not in marks and other.letters > 20
        ]
        for _, line in group:
            beside += _is_beside(line, text)
            gaps.append(_gap(line, text, found.zone))
    return beside > 0.5 * len(lines) or median(gaps) >= needed


def _gap(line: Line, text: Sequence[Line], zone: str) -> float:
    """From baseline to baseline of the next text inwards; endless where there is none."""
    sign = 1 if zone == "top" else -1
    steps = [sign * (other.base - line.base) for other in text]
    return min((step for step in steps if step > 0), default=float("inf"))


def _is_beside(line: Line, text: Sequence[Line]) -> bool:
    """Whether a line stands out of the block of text, or short at the right end of its width."""
    if not text:
        return False
    left, right = min(o.rect.x0 for o in text), max(o.rect.x1 for o in text)
    at_end = line.rect.x0 > left + 0.7 * (right - left) and line.rect.x1 > right - 6
    return line.rect.x1 < left or line.rect.x0 > right or at_end
