"""How deep headings stand: by their numbers, else by how they are set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.sources.pdf.model import Line
from corpus.sources.pdf.titles import is_known_title


@dataclass(slots=True, eq=False)
class Heading:
    """One heading: its text, the lines it stands in, its depth from 1."""

    text: str
    lines: list[Line]
    style: tuple[object, ...]
    number: str = ""
    run_in: bool = False
    level: int = 1


def rank(headings: Sequence[Heading]) -> None:
    """Depth by numbering where headings are numbered, else by how they are set."""
    numbered = [h for h in headings if h.number]
    order = _style_order(headings)
    by_number = len(numbered) >= 3
    depth_of_style: dict[tuple[object, ...], int] = {}
    if by_number:
        for heading in numbered:
            depth_of_style.setdefault(heading.style, heading.number.count(".") + 1)
    for heading in headings:
        if by_number and heading.number:
            heading.level = heading.number.count(".") + 1
        elif by_number:
            heading.level = depth_of_style.get(
                heading.style, 1 if is_known_title(heading.text) else 9
            )
        else:
            heading.level = order.get(heading.style, 1)
        if heading.level == 9:
            heading.level = max(depth_of_style.values(), default=1) + (1 if heading.run_in else 0)


def _style_order(headings: Sequence[Heading]) -> dict[tuple[object, ...], int]:
    """Level of each heading style: that of the known titles is the first, larger ones are too."""
    known: Counter[tuple[object, ...]] = Counter(
        h.style for h in headings if is_known_title(h.text) and not h.run_in
    )
    top = known.most_common(1)[0][0] if known else None
    styles = list(dict.fromkeys(h.style for h in headings))
    ranked = sorted(styles, key=_weight, reverse=True)
    levels: dict[tuple[object, ...], int] = {}
    depth = 1
    for style in ranked:
        if top is not None and _weight(style) >= _weight(top):
            levels[style] = 1
            continue
        if top is None and not levels:
            levels[style] = 1
            continue
        depth += 1
        levels[style] = depth
    return levels


def _weight(style: tuple[object, ...]) -> tuple[float, ...]:
    if style[0] == "run-in":
        _, size, bold, italic, _ = style
        return (-1.0, _f(size), float(bool(bold)), -float(bool(italic)), 0.0)
    size, bold, italic, caps, _ = style
    return (1.0, _f(size), float(bool(caps)), float(bool(bold)), -float(bool(italic)))


def _f(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
