"""How a document is set: the style of its running text, and the words it uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.sources.pdf.model import Line, PageContent

_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references|literature cited|bibliography)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Typography:
    """`size` of running text, `fonts` it is set in, `leading` from line to line, word counts."""

    size: float
    fonts: frozenset[str]
    leading: float
    words: Counter[str]

    def is_body_size(self, line: Line) -> bool:
        return abs(line.size - self.size) <= 0.06 * self.size

    def is_body(self, line: Line) -> bool:
        """Whether a line is set like running text (in regular or italic)."""
        return self.is_body_size(line) and line.style[0] in self.fonts


def measure(pages: Sequence[PageContent]) -> Typography:
    """Take the style of most letters as that of running text."""
    sizes: Counter[float] = Counter()
    for line in _running_lines(pages):
        sizes[round(line.size * 4) / 4] += line.letters
    size = _prevailing(sizes)
    fonts: Counter[str] = Counter()
    words: Counter[str] = Counter()
    gaps: Counter[float] = Counter()
    for page in pages:
        previous: Line | None = None
        for line in page.lines:
            words.update(match.group().lower() for match in _WORD.finditer(line.text))
            if abs(line.size - size) > 0.06 * size:
                continue
            for word in line.words:
                fonts[word.font] += len(word.text)
            if previous is not None and abs(previous.rect.x0 - line.rect.x0) < 2:
                gaps[round((line.base - previous.base) * 2) / 2] += 1
            previous = line
    return Typography(size, _running_fonts(fonts), _leading(gaps, size), words)


def _running_lines(pages: Sequence[PageContent]) -> Iterator[Line]:
    """Lines long enough to be text and not cells; the reference list, often set smaller, is out."""
    for page in pages:
        for line in page.lines:
            if _REFERENCES.fullmatch(line.text):
                return
            if line.letters >= 30:
                yield line


def _prevailing(sizes: Counter[float]) -> float:
    if not sizes:
        return 10.0
    # Rounding may tear one size in two: neighbours count together.
    best = max(sizes, key=lambda size: sizes[size] + sizes.get(size + 0.25, 0) * 0.5)
    return best


def _running_fonts(fonts: Counter[str]) -> frozenset[str]:
    total = sum(fonts.values()) or 1
    return frozenset(font for font, count in fonts.items() if count >= 0.12 * total)


def _leading(gaps: Counter[float], size: float) -> float:
    plausible = {gap: count for gap, count in gaps.items() if 0.9 * size < gap < 2.6 * size}
    return max(plausible, key=lambda gap: plausible[gap]) if plausible else 1.2 * size
