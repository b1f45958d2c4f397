"""Lines in reading order to paragraphs under their headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from corpus.sources.pdf.joining import join_text
from corpus.sources.pdf.levels import Heading
from corpus.sources.pdf.model import Line
from corpus.sources.pdf.sections import find_headings
from corpus.sources.pdf.shape import PdfBlock, PdfKind, PlacedRun
from corpus.sources.pdf.titles import ABSTRACT, REFERENCES, is_known_title, plain_title
from corpus.sources.pdf.typography import Typography

_LIST_MARK = re.compile(
    r"(?:[\u2022\u25aa\u25cf\u25e6\u2013*]|\(?[a-z0-9]{1,3}[.)]|\([A-Zivx]{1,4}\))\s"
)
_REFERENCE_MARK = re.compile(r"(?:\[\d{1,3}\]|\d{1,3}\.?)\s")
_ENDS: Final = (".", "?", "!", ":", "\u201d", '"')


@dataclass(slots=True, eq=False)
class _State:
    """Where in the document the reading stands."""

    path: list[tuple[int, str]] = field(default_factory=list)
    in_references: bool = False
    kind: PdfKind = "text"

    @property
    def section(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.path)


def build_blocks(lines: Sequence[Line], typography: Typography) -> list[PdfBlock]:
    """Blocks of the body text in reading order, each under the path of its headings."""
    flow = find_headings(lines, typography)
    edges = _left_edges(lines)
    state = _State()
    blocks: list[PdfBlock] = []
    pending: list[Line] = []

    def flush() -> None:
        if pending:
            blocks.append(_block(pending, state, typography.words))
            pending.clear()

    for item in flow.items:
        if isinstance(item, Heading):
            flush()
            _enter(item, state)
            text, runs = join_text(item.lines, typography.words)
            blocks.append(
                PdfBlock("heading", item.text or text, _spread(runs, item.text), state.section)
            )
            continue
        if pending and _opens(pending, item, edges, typography, state):
            flush()
        pending.append(item)
    flush()
    if not any(block.kind in ("text", "list") for block in blocks):
        # A few words of display type, a poster: what looks like headings is all the text there is.
        return [replace(block, kind="text", section=()) for block in blocks]
    return blocks


def _spread(runs: tuple[PlacedRun, ...], text: str) -> tuple[PlacedRun, ...]:
    """Places of a heading whose text may differ a little from its lines'."""
    fixed: list[PlacedRun] = []
    for run in runs:
        end = min(run.end, len(text))
        if run.start < end:
            fixed.append(PlacedRun(run.start, end, run.page, run.rect))
    return tuple(fixed) or runs


def _enter(heading: Heading, state: _State) -> None:
    title = heading.text.strip().rstrip(".:").strip()
    if heading.run_in and state.path and ABSTRACT.match(plain_title(state.path[0][1])):
        heading.level = max(heading.level, state.path[0][0] + 1)  # "Methods:" inside the abstract
    elif state.in_references:
        heading.level = min(heading.level, state.path[-1][0])  # it follows the list, small or not
    while state.path and state.path[-1][0] >= heading.level:
        state.path.pop()
    state.path.append((heading.level, title))
    plain = plain_title(heading.text)
    if REFERENCES.fullmatch(plain):
        state.in_references = True
    elif state.in_references and (is_known_title(plain) or heading.level <= 1):
        state.in_references = False


def _block(lines: list[Line], state: _State, words: Counter[str]) -> PdfBlock:
    text, runs = join_text(lines, words)
    kind: PdfKind = "text"
    if state.in_references:
        kind = "reference"
    elif _LIST_MARK.match(text) and len(text) < 600:
        kind = "list"
    return PdfBlock(kind, text, runs, state.section)


def _left_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    """The usual left edge of each run of lines."""
    counts: dict[tuple[int, int], Counter[int]] = {}
    for line in lines:
        counts.setdefault((line.page, line.column), Counter())[round(line.rect.x0)] += 1
    edges: dict[tuple[int, int], float] = {}
    for key, found in counts.items():
        best = max(found.values())
        edges[key] = float(min(x for x, count in found.items() if count >= 0.5 * best))
    return edges


def _opens(
    pending: Sequence[Line],
    line: Line,
    edges: dict[tuple[int, int], float],
    typography: Typography,
    state: _State,
) -> bool:
    """Whether a line opens a new paragraph after the pending ones."""
    last = pending[-1]
    if abs(line.size - last.size) > 0.1 * last.size and line.letters > 3 and last.letters > 3:
        return True
    turned = (line.page, line.column) != (last.page, last.column)
    if turned:
        return _opens_after_turn(last, line, edges)
    if abs(line.base - last.base) < 0.4 * line.size:
        return False
    step = line.base - last.base
    if step > 1.45 * max(typography.leading, line.size * 1.1) or step < -line.size:
        return True
    if state.in_references:
        return _opens_reference(pending, line)
    indent = line.rect.x0 - edges[line.page, line.column]
    last_indent = last.rect.x0 - edges[last.page, last.column]
    if indent > 0.7 * line.size and indent - last_indent > 0.6 * line.size:
        return last.text.endswith(_ENDS) or indent < 4 * line.size
    if _LIST_MARK.match(line.text) and last.text.endswith((*_ENDS, ";", ",")):
        return True
    return last.text.endswith(_ENDS) and last.rect.x1 < _right_edge(pending, line) - 3.5 * line.size


def _right_edge(pending: Sequence[Line], line: Line) -> float:
    near = [p.rect.x1 for p in pending[-6:] if (p.page, p.column) == (line.page, line.column)]
    return max([line.rect.x1, *near])


def _opens_after_turn(last: Line, line: Line, edges: dict[tuple[int, int], float]) -> bool:
    """At a new column or page a paragraph goes on unless its sentence ended and this is
    indented.
    """
    if not last.text.endswith(_ENDS):
        return line.text[:1].isupper() and _LIST_MARK.match(line.text) is not None
    return not line.text[:1].islower()


def _opens_reference(pending: Sequence[Line], line: Line) -> bool:
    if _REFERENCE_MARK.match(line.text) and not line.text[:1].islower():
        return True
    beside = [p for p in pending[1:] if (p.page, p.column) == (line.page, line.column)]
    return any(p.rect.x0 - line.rect.x0 > 4 for p in beside)  # an entry hangs below its first line
