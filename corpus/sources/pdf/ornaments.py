"""Rules and logos that recur at one place on many pages: a frame of the page, part of no figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from corpus.sources.pdf.furniture import ZONE
from corpus.sources.pdf.model import PageContent, Rect

_LEAST: Final = 3  # pages on which an ornament recurs
_SHARE: Final = 0.3  # of the pages; facing pages may have theirs at two places
_GRID: Final = 3.0  # points by which it may move

Place = tuple[int, int, int, int]


def mark_ornaments(pages: Sequence[PageContent]) -> None:
    """Note on each page what recurs at its head and foot, where running heads stand."""
    counts: Counter[Place] = Counter()
    for page in pages:
        counts.update({_place(rect) for rect in _in_zones(page)})
    least = max(_LEAST, _SHARE * len(pages))
    recurring = {place for place, count in counts.items() if count >= least}
    for page in pages:
        page.ornaments = {rect for rect in _in_zones(page) if _place(rect) in recurring}


def _in_zones(page: PageContent) -> Iterable[Rect]:
    """What is drawn wholly inside the upper or lower strip of a page."""
    drawn = [*(p.rect for p in page.pictures), *page.shapes, *page.fills]
    top, low = ZONE * page.height, (1 - ZONE) * page.height
    for rect in (*drawn, *(Rect(*rule) for rule in page.rules)):
        if rect.y1 < top or rect.y0 > low:
            yield rect


def _place(rect: Rect) -> Place:
    x0, y0, x1, y1 = (round(value / _GRID) for value in rect)
    return x0, y0, x1, y1
