"""Pictures, rules and shapes of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from corpus.sources.pdf.model import PageContent, Picture, Rect, Rule

# Thinner than this is a line, however it was drawn.
THIN: Final = 2.5
BROAD: Final = 6.0  # a stroke broader than this is an area
MIN_RULE: Final = 8.0
MAX_PATHS: Final = 20_000
_GROUND: Final = 0.5  # a white area of this share of the page is the paper
MIN_PIXELS: Final = 120  # on either side; smaller pictures are marks and logos


def read_graphics(page: Any, content: PageContent) -> None:
    """Fill pictures, rules (straight lines), fills (areas) and shapes (all other drawing)."""
    for info in _images(page):
        rect = _clipped(Rect(*info["bbox"]), content)
        if rect.height <= THIN and rect.width >= MIN_RULE:
            content.rules.append(Rule(*rect))  # a line that was drawn as a picture
        elif rect.width > 4 and rect.height > 4:
            content.pictures.append(
                Picture(rect, info.get("xref", 0), info["width"], info["height"])
            )
    for path in page.get_cdrawings()[:MAX_PATHS]:
        _read_path(path, content)


def _images(page: Any) -> list[dict[str, Any]]:
    """What is known of each image, with its object's number where it is large enough to matter.

    Size in pixels tells which object it is; MuPDF would decode and hash them all.
    """
    found: list[dict[str, Any]] = page.get_image_info()
    large = [info for info in found if min(info["width"], info["height"]) >= MIN_PIXELS]
    if not large:
        return found
    objects: dict[tuple[int, int], set[int]] = {}
    for xref, _, width, height, *_ in page.get_images(full=True):
        objects.setdefault((width, height), set()).add(xref)
    for info in large:
        same = objects.get((info["width"], info["height"]), set())
        if len(same) != 1:
            return list(page.get_image_info(xrefs=True))
        (info["xref"],) = same
    return found


def _read_path(path: dict[str, Any], content: PageContent) -> None:
    rect = _clipped(Rect(*path["rect"]), content)
    items = path.get("items", ())
    if _is_broad_stroke(path):
        for item in items:
            _add_stroke(item, path, content)
        return
    straight = all(item[0] in ("re", "l", "qu") for item in items)
    if rect.height <= THIN or rect.width <= THIN:
        if max(rect.width, rect.height) >= MIN_RULE and straight:
            content.rules.append(Rule(*rect))
        elif rect.width > 0.2 or rect.height > 0.2:
            content.shapes.append(rect)
        return
    boxes = [item for item in items if item[0] == "re"]
    if path["type"] in ("f", "fs") and straight and len(boxes) == len(items):
        for box in boxes:
            _add_box(Rect(*box[1]), content, filled=not _is_white(path.get("fill")))
        return
    if straight and all(_is_axis_parallel(item) for item in items):
        for item in items:
            _add_straight(item, content)
        return
    content.shapes.append(rect)


def _is_broad_stroke(path: dict[str, Any]) -> bool:
    """Whether a path is lines so broad that they are areas, as the ground of a table's head."""
    lines = all(item[0] == "l" and _is_axis_parallel(item) for item in path.get("items", ()))
    return path["type"] == "s" and (path.get("width") or 0) > BROAD and lines


def _add_stroke(item: tuple[Any, ...], path: dict[str, Any], content: PageContent) -> None:
    (x0, y0), (x1, y1) = item[1], item[2]
    half = path["width"] / 2
    across, along = (half, 0.0) if abs(x0 - x1) < abs(y0 - y1) else (0.0, half)
    box = Rect(min(x0, x1) - across, min(y0, y1) - along, max(x0, x1) + across, max(y0, y1) + along)
    _add_box(box, content, filled=not _is_white(path.get("color")))


def _add_box(box: Rect, content: PageContent, *, filled: bool) -> None:
    box = _clipped(box, content)
    if box.height <= THIN or box.width <= THIN:
        if max(box.width, box.height) >= MIN_RULE:
            content.rules.append(Rule(*box))
    elif filled:
        content.fills.append(box)
    elif box.area < _GROUND * content.width * content.height:
        content.blanks.append(box)


def _add_straight(item: tuple[Any, ...], content: PageContent) -> None:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        _add_rule(x0, y0, x1, y1, content)
        return
    x0, y0, x1, y1 = item[1] if item[0] == "re" else _bounds(item[1])
    for edge in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
        _add_rule(*edge, content)


def _add_rule(x0: float, y0: float, x1: float, y1: float, content: PageContent) -> None:
    rule = Rule(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    if max(rule.x1 - rule.x0, rule.y1 - rule.y0) >= MIN_RULE:
        content.rules.append(rule)


def _bounds(quad: Any) -> tuple[float, float, float, float]:
    xs, ys = [point[0] for point in quad], [point[1] for point in quad]
    return min(xs), min(ys), max(xs), max(ys)


def _is_axis_parallel(item: tuple[Any, ...]) -> bool:
    if item[0] != "l":
        return True
    (x0, y0), (x1, y1) = item[1], item[2]
    return bool(abs(x0 - x1) <= THIN or abs(y0 - y1) <= THIN)


def _is_white(fill: Sequence[float] | None) -> bool:
    return fill is not None and all(part > 0.97 for part in fill)


def _clipped(rect: Rect, content: PageContent) -> Rect:
    return Rect(
        max(rect.x0, 0.0),
        max(rect.y0, 0.0),
        min(rect.x1, content.width),
        min(rect.y1, content.height),
    )
