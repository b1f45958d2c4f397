"""Tables drawn as a grid of cells, which need no caption to be told from text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, Final

from corpus.sources.pdf.cellgrid import Cells, blank_row, join_lines, raised_marks
from corpus.sources.pdf.model import Line, PageContent, Rect, Rule, Word, make_line, union
from corpus.sources.pdf.regions import TableRegion

_NEAR: Final = 3.0  # points between ends of rules that are meant to meet
_MOST_RULES: Final = 10_000  # cells may each be drawn with four of their own
_MOST_CROSSINGS: Final = 6_000  # more are graph paper
_FILLED: Final = 0.5  # of the cells; a plot with a raster behind it has few with text
_PROSE: Final = 200  # letters; cells that are longer for the most are frames around text
_BOLD: Final = 0.6
_MOST_HEADS: Final = 3
_NAME: Final = 60  # letters of the name of a column at most


@dataclass(slots=True, eq=False)
class RuledTable:
    """A grid with its texts, and the lines that it holds."""

    region: TableRegion
    cells: Cells


def take_ruled(
    content: PageContent, walls: Sequence[Rect], words: Counter[str]
) -> list[RuledTable]:
    """Read the grids of a page outside of `walls` (figures, other tables), and take their lines off
    the page; upper ones first. `words` are those of the document.
    """
    found = []
    for boxes in _grids([rule for rule in content.rules if not _is_inside(rule, walls)]):
        table = _read(content, union(boxes), boxes, words)
        if table is not None:
            inside = {id(word) for line in table.region.cells for word in line.words}
            content.lines = [rest for line in content.lines for rest in _without(line, inside)]
            found.append(table)
    return found


def _is_inside(rule: Rule, walls: Sequence[Rect]) -> bool:
    x, y = (rule.x0 + rule.x1) / 2, (rule.y0 + rule.y1) / 2
    return any(wall.holds(x, y, margin=_NEAR) for wall in walls)


def _grids(rules: Sequence[Rule]) -> list[list[Rect]]:
    """Cells between crossing rules, those that touch together."""
    across = sum(rule.is_horizontal for rule in rules)
    if across < 3 or len(rules) - across < 3 or len(rules) > _MOST_RULES:
        return []
    from pdfplumber import table  # loads a reader of PDF as well: only where there may be a grid

    edges = table.merge_edges([_edge(rule) for rule in rules], _NEAR, _NEAR, _NEAR, _NEAR)
    across = sum(edge["orientation"] == "h" for edge in edges)
    if across * (len(edges) - across) > _MOST_CROSSINGS:
        return []
    cells = table.intersections_to_cells(table.edges_to_intersections(edges, _NEAR, _NEAR))
    return [[Rect(*cell) for cell in cells] for cells in table.cells_to_tables(cells)]


def _edge(rule: Rule) -> dict[str, Any]:
    """A rule as pdfplumber has it: its axis, without the breadth of its stroke."""
    x0, y0, x1, y1 = rule
    if rule.is_horizontal:
        y0 = y1 = (y0 + y1) / 2
    else:
        x0 = x1 = (x0 + x1) / 2
    ends = {"x0": x0, "top": y0, "x1": x1, "bottom": y1, "width": x1 - x0, "height": y1 - y0}
    return {"object_type": "line", "orientation": "h" if rule.is_horizontal else "v", **ends}


def _read(
    content: PageContent, rect: Rect, boxes: Sequence[Rect], words: Counter[str]
) -> RuledTable | None:
    """None for what is a grid and no table: frames around prose, empty forms, rasters of plots."""
    texts: dict[Rect, list[Line]] = {box: [] for box in boxes}
    for line in content.lines:
        if rect.overlap(line.rect) > 0:
            for box, inside in _parted(line, boxes):
                texts[box].append(make_line(inside, line.page))
    filled = {box: lines for box, lines in texts.items() if lines}
    if not _is_table(filled, len(boxes)):
        return None
    texts = _rows_apart(texts)
    xs = _steps(x for box in texts for x in (box.x0, box.x1))
    ys = _steps(y for box in texts for y in (box.y0, box.y1))
    if len(xs) < 3 or len(ys) < 3:
        return None
    cells = _laid_out(texts, xs, ys, words)
    first = Rect(rect.x0, ys[0], rect.x1, ys[1])
    top = [line for box, lines in filled.items() if box.y0 < ys[0] + 1 for line in lines]
    is_bold = bool(top) and all(line.share(bold=True) > _BOLD for line in top)
    is_marked = is_bold or any(
        first.grown(2).overlap(fill) > 0.8 * fill.area and fill.height < 1.5 * first.height
        for fill in content.fills
    )
    cells.header_rows = _heads(cells.texts, is_marked=is_marked)
    lines = [line for found in filled.values() for line in found]
    return RuledTable(TableRegion(rect, cells=lines), cells)


def _rows_apart(texts: Mapping[Rect, list[Line]]) -> dict[Rect, list[Line]]:
    """Cells between rules that stand only at every few rows, parted where numbers stand."""
    bands: dict[tuple[float, float], list[Rect]] = {}
    for box in texts:
        bands.setdefault((box.y0, box.y1), []).append(box)
    parted: dict[Rect, list[Line]] = {}
    for (top, bottom), boxes in bands.items():
        bases = _rows_of_numbers([texts[box] for box in boxes])
        between = [(a + b) / 2 - 0.3 * (b - a) for a, b in pairwise(bases)]
        for box in boxes:
            rows: list[list[Line]] = [[] for _ in range(len(between) + 1)]
            for line in texts[box]:
                rows[bisect_left(between, line.base)].append(line)
            for (upper, lower), lines in zip(pairwise([top, *between, bottom]), rows, strict=True):
                parted[Rect(box.x0, upper, box.x1, lower)] = lines
    return parted


def _rows_of_numbers(cells: Sequence[Sequence[Line]]) -> list[float]:
    """Baselines on which columns of numbers agree; none where each cell is one value."""
    counted: Counter[tuple[int, ...]] = Counter()
    bases: dict[tuple[int, ...], list[float]] = {}
    for lines in cells:
        if len(lines) > 1 and all(line.text[:1].isdigit() for line in lines):
            found = sorted(line.base for line in lines)
            key = tuple(round(base / _NEAR) for base in found)
            counted[key] += 1
            bases[key] = found
    if not counted:
        return []
    key, times = counted.most_common(1)[0]
    return bases[key] if times > 1 else []


def _laid_out(
    texts: Mapping[Rect, list[Line]], xs: Sequence[float], ys: Sequence[float], words: Counter[str]
) -> Cells:
    """Cells by the lines in them; `xs` and `ys` are the edges of columns and rows."""
    cells = Cells()
    for _ in ys[1:]:
        row, places = blank_row(len(xs) - 1)
        cells.texts.append(row)
        cells.boxes.append(places)
    for box, lines in texts.items():
        top, left = bisect_left(ys, box.y0 - 1), bisect_left(xs, box.x0 - 1)
        height, width = bisect_left(ys, box.y1 - 1) - top, bisect_left(xs, box.x1 - 1) - left
        if not height or not width:
            continue  # two edges of one drawn line: too narrow for the middle of a word
        lines.sort(key=lambda line: (round(line.base), line.rect.x0))
        cells.texts[top][left] = raised_marks(join_lines([line.bare for line in lines], words))
        cells.boxes[top][left] = union(line.rect for line in lines) if lines else None
        if height > 1 or width > 1:
            cells.spans.append((top, left, height, width))
    return cells


def _steps(values: Iterable[float]) -> list[float]:
    """Different places of edges, those of one drawn line as one."""
    steps: list[float] = []
    for value in sorted(values):
        if not steps or value - steps[-1] > 1.0:
            steps.append(value)
    return steps


def _parted(line: Line, boxes: Sequence[Rect]) -> list[tuple[Rect, list[Word]]]:
    """Words of a line by the cell that holds their middle."""
    parts: dict[Rect, list[Word]] = {}
    for word in line.words:
        x, y = (word.rect.x0 + word.rect.x1) / 2, (word.rect.y0 + word.rect.y1) / 2
        box = next((box for box in boxes if box.holds(x, y)), None)
        if box is not None:
            parts.setdefault(box, []).append(word)
    return list(parts.items())


def _is_table(filled: dict[Rect, list[Line]], cells: int) -> bool:
    """Texts in most cells, side by side in two rows or more, most of them short."""
    beside = Counter(round(box.y0) for box in filled)
    if len(filled) < max(4, _FILLED * cells) or sum(n > 1 for n in beside.values()) < 2:
        return False
    return median(sum(line.letters for line in lines) for lines in filled.values()) <= _PROSE


def _heads(rows: Sequence[Sequence[str]], *, is_marked: bool) -> int:
    """Rows that name the columns: those above the first numbers, else those down to the first full
    one, where they are marked (bold, or on a ground of their own) or name three columns or more.
    """
    if not is_marked and len(rows[0]) < 3:
        return 0
    for number, row in enumerate(rows[: _MOST_HEADS + 1]):
        if any(text[:1].isdigit() for text in row):
            return number
    for number, row in enumerate(rows[:_MOST_HEADS]):
        if all(row):
            return number + 1 if is_marked or max(map(len, row)) <= _NAME else 0
    return int(is_marked)


def _without(line: Line, taken: set[int]) -> list[Line]:
    """What is left of a line."""
    left = [word for word in line.words if id(word) not in taken]
    if len(left) == len(line.words):
        return [line]
    if not left:
        return []
    rest = make_line(left, line.page)
    rest.column = line.column
    return [rest]


def goes_on(above: TableRegion, below: TableRegion, height: float) -> bool:
    """Whether a grid at the head of a page is the rest of the one at the foot of the page before,
    which is so high: its sides stand where those of the other stood.
    """
    ends_low, begins_high = above.rect.y1 > 0.75 * height, below.rect.y0 < 0.25 * height
    sides = (above.rect.x0 - below.rect.x0, above.rect.x1 - below.rect.x1)
    return ends_low and begins_high and all(abs(off) <= 2 * _NEAR for off in sides)
