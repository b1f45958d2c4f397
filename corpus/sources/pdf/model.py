"""What stands on a page: words, lines, rules, pictures. Points, origin top left, y downwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        return max(self.width, 0.0) * max(self.height, 0.0)

    def overlap(self, other: Rect) -> float:
        """The area that both cover."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if width > 0 and height > 0 else 0.0

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies inside, within `margin`."""
        return (
            self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin
        )

    def grown(self, by: float) -> Rect:
        """The rectangle with `by` more on each side."""
        return Rect(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all; raises ValueError for none."""
    found = list(rects)
    if not found:
        raise ValueError("no rectangle")
    return Rect(
        min(r.x0 for r in found),
        min(r.y0 for r in found),
        max(r.x1 for r in found),
        max(r.y1 for r in found),
    )


@dataclass(slots=True, eq=False)
class Word:
    """A run of glyphs without a space; `base` is its baseline.

    `bare` is its text as a cell has it, where they differ: what is raised there marks a note, and
    stands without the brackets that running text puts around citations.
    """

    text: str
    rect: Rect
    base: float
    size: float
    font: str
    bold: bool = False
    italic: bool = False
    raised: bool = False
    bare: str = ""

    @property
    def style(self) -> tuple[str, float, bool, bool]:
        return (self.font, round(self.size * 2) / 2, self.bold, self.italic)


@dataclass(slots=True, eq=False)
class Line:
    """Words on one baseline that are read together."""

    words: list[Word]
    rect: Rect
    size: float
    base: float
    page: int = 0
    column: int = 0

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def bare(self) -> str:
        return " ".join(word.bare or word.text for word in self.words)

    @property
    def letters(self) -> int:
        return sum(len(word.text) for word in self.words)

    @property
    def centre(self) -> tuple[float, float]:
        return (self.rect.x0 + self.rect.x1) / 2, (self.rect.y0 + self.rect.y1) / 2

    def share(self, *, bold: bool = False, italic: bool = False) -> float:
        """The share of letters that are bold, or italic."""
        total = self.letters or 1
        hit = sum(len(w.text) for w in self.words if (w.bold and bold) or (w.italic and italic))
        return hit / total

    @property
    def style(self) -> tuple[str, float, bool, bool]:
        """The style of most letters."""
        counts: Counter[tuple[str, float, bool, bool]] = Counter()
        for word in self.words:
            if not word.raised:
                counts[word.style] += len(word.text)
        return counts.most_common(1)[0][0] if counts else self.words[0].style


def make_line(words: Sequence[Word], page: int = 0) -> Line:
    """A line of words that are in reading order; its size and baseline are those of most
    letters.
    """
    level = [word for word in words if not word.raised] or list(words)
    sizes: Counter[float] = Counter()
    for word in level:
        sizes[word.size] += len(word.text)
    size = sizes.most_common(1)[0][0]
    bases = sorted(word.base for word in level if word.size == size)
    rect = union(word.rect for word in words)
    return Line(list(words), rect, size, bases[len(bases) // 2], page)


class Rule(NamedTuple):
    """A drawn straight line or the edge of a box."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def is_horizontal(self) -> bool:
        return self.x1 - self.x0 >= self.y1 - self.y0


@dataclass(slots=True, eq=False)
class Picture:
    """An image on a page; `digest` tells the same image on another page."""

    rect: Rect
    xref: int
    width: int
    height: int


@dataclass(slots=True, eq=False)
class PageContent:
    """All that was read of a page. `turned` are lines set at 90 (key 90) or 270 degrees.

    `rotation` is the turn from these coordinates to the page as shown, 0 where they are the same;
    `skew` is the small one before it, of a scan that lay askew. `engine` and `confidence` tell of
    words that are not of the file's text but were recognised.
    """

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    turned: dict[int, list[Line]] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    shapes: list[Rect] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    blanks: list[Rect] = field(default_factory=list)  # white areas, which may cover something
    pictures: list[Picture] = field(default_factory=list)
    ornaments: set[Rect] = field(default_factory=set)  # rules and logos that recur on other pages
    hidden: list[str] = field(default_factory=list)
    outside: int = 0  # lines of text beyond the edge of the page, printers' marks for the most
    unread_glyphs: int = 0
    glyphs: int = 0
    ocr_layer: bool = False
    rotation: int = 0
    skew: float = 0.0
    engine: str = ""
    confidence: float = 0.0
