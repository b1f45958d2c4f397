"""The columns a page is laid out in, and lines that are running text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.sources.pdf.columns import find_gutter
from corpus.sources.pdf.model import Line, PageContent, Rect, union
from corpus.sources.pdf.typography import Typography


@dataclass(frozen=True, slots=True)
class PageGrid:
    """`frame` is the text area, `gutters` its inner borders from left to right."""

    frame: Rect
    gutters: tuple[float, ...]
    width: float  # of a full line of running text

    def band(self, rect: Rect) -> tuple[float, float]:
        """The left and right border of the column, or columns, that a rectangle stands in."""
        edges = [self.frame.x0, *self.gutters, self.frame.x1]
        left = max((x for x in edges[:-1] if x <= rect.x0 + 6), default=edges[0])
        right = min((x for x in edges[1:] if x >= rect.x1 - 6), default=edges[-1])
        return min(left, rect.x0), max(right, rect.x1)


def common_width(pages: Sequence[PageContent], typography: Typography) -> float:
    """The width of most full lines of running text."""
    widths: Counter[int] = Counter()
    for page in pages:
        for line in page.lines:
            if typography.is_body(line) and line.letters >= 25:
                widths[round(line.rect.width / 6)] += 1
    if not widths:
        return 250.0
    scored = {width: count + widths.get(width + 1, 0) for width, count in widths.items()}
    return max(scored, key=lambda width: (scored[width], width)) * 6.0


def lay_grid(
    page: PageContent, typography: Typography, width: float, gutters: tuple[float, ...] = ()
) -> PageGrid:
    """The grid of one page; `gutters` are those of the document, for pages with little text."""
    frame = Rect(page.width * 0.08, page.height * 0.05, page.width * 0.92, page.height * 0.95)
    texts = [line for line in page.lines if typography.is_body(line) and line.letters >= 12]
    if len(texts) < 8:
        if page.lines:
            around = union(line.rect for line in page.lines)
            frame = Rect(around.x0, frame.y0, around.x1, frame.y1)
        inside = [x for x in gutters if frame.x0 < x < frame.x1]
        return PageGrid(frame, tuple(inside[:1]), width)
    around = union(line.rect for line in page.lines)
    frame = Rect(around.x0, around.y0, around.x1, around.y1)
    found = _gutters(texts, gutters, 2)
    return PageGrid(frame, tuple(sorted(found)), width)


def common_gutters(grids: Sequence[PageGrid]) -> tuple[float, ...]:
    """Gutters that recur on the pages, the most frequent first.

    Facing pages may have theirs at two places. Empty where most pages have one column.
    """
    found = sorted(x for grid in grids for x in grid.gutters)
    if sum(bool(grid.gutters) for grid in grids) < 0.25 * len(grids):
        return ()
    clusters: list[list[float]] = []
    for x in found:
        if clusters and x - clusters[-1][-1] <= 4:
            clusters[-1].append(x)
        else:
            clusters.append([x])
    clusters.sort(key=len, reverse=True)
    least = 0.2 * len(clusters[0]) if clusters else 0
    return tuple(cluster[len(cluster) // 2] for cluster in clusters if len(cluster) >= least)[:4]


def _gutters(lines: Sequence[Line], hints: tuple[float, ...], depth: int) -> list[float]:
    gutter = find_gutter(lines, hints) if depth else None
    if gutter is None:
        return []
    left = [line for line in lines if line.rect.x1 <= gutter + 0.5]
    right = [line for line in lines if line.rect.x0 >= gutter - 0.5]
    return [gutter, *_gutters(left, hints, depth - 1), *_gutters(right, hints, depth - 1)]


def is_flow(line: Line, typography: Typography, width: float) -> bool:
    """Whether a line is a full or nearly full line of running text."""
    return typography.is_body(line) and line.rect.width >= 0.72 * width and line.letters >= 20


def flow_runs(
    lines: Sequence[Line], typography: Typography, width: float, *, count: int = 2
) -> list[Line]:
    """The first lines of runs of `count` or more flow lines set at the same left edge."""
    flows = sorted(
        (line for line in lines if is_flow(line, typography, width)), key=lambda line: line.base
    )
    starts: list[Line] = []
    for line in flows:
        length, last = 1, line
        for other in flows:
            close = 0 < other.base - last.base <= 1.5 * typography.leading
            if close and abs(other.rect.x0 - last.rect.x0) <= 16:
                length, last = length + 1, other
        if length >= count:
            starts.append(line)
    return starts
