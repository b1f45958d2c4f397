"""What a reader of a page does not see. Orders to a language model are hidden so."""

from __future__ import annotations

import re
from typing import Final

from corpus.sources.markup import Element, tag

_NONE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden|"
    r"opacity\s*:\s*0*(?:\.0+)?(?:\s*[;!]|\s*$)|"
    r"font(?:-size)?\s*:[^;]*?(?<![\d.])0+(?:\.0\d*)?(?:px|pt|em|rem|%)?\s*(?:[;!/ ]|$)|"
    r"font-size\s*:\s*(?:0?\.\d+|1(?:\.\d+)?)(?:px|pt)|"
    r"(?:left|top|right|text-indent|margin-left|margin-top)\s*:\s*-\d{4,}|"
    r"clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%)|"
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*0(?:px|em|%)?\s*(?:[;!]|$)|"
    r"(?:scale|transform\s*:\s*scale)\s*[:(]\s*0\s*(?:[;)!]|$)",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?:^|[;{\s])(?<!-)color\s*:\s*([^;!]+)", re.IGNORECASE)
_GROUND = re.compile(r"background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_WHITE: Final = re.compile(
    r"white|snow|transparent|#f{3,4}|#f[cdef]f[cdef]f[cdef](?:ff)?|"
    r"rgba?\(\s*25[2-5]\s*[, ]\s*25[2-5]\s*[, ]\s*25[2-5]\s*(?:[,/]\s*[\d.]+%?\s*)?\)|"
    r"rgba\([^()]*[,/]\s*0(?:\.0\d*)?%?\s*\)|hsla?\([^()]*,\s*(?:99|100)%[^()]*\)",
    re.IGNORECASE,
)
_AT_RULE = re.compile(r"@[a-z-]++[^{};@]*+\{(?:[^{}]*+\{[^{}]*+\})*+[^{}]*+\}", re.IGNORECASE)
_SIMPLE = re.compile(r"[.#][A-Za-z_][\w-]{0,100}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MAX_SHEET: Final = 300_000
# Elements that browsers never print, or print only when something does not work.
_NEVER: Final = frozenset({"template", "noscript", "datalist", "param", "source", "track", "head"})


def hides(style: str) -> bool:
    """Whether declarations of CSS make a text invisible: not shown, of no size, off the page, or
    white on no other ground.
    """
    return _NONE.search(style) is not None or (is_white(style) and not _ground(style))


def is_white(style: str) -> bool:
    """Whether the text is set in white or in no colour at all."""
    colour = _COLOUR.search(style)
    return colour is not None and _WHITE.fullmatch(colour.group(1).strip()) is not None


def _ground(style: str) -> bool | None:
    """Whether a ground other than white is set; None where none is set."""
    ground = _GROUND.search(style)
    return None if ground is None else _WHITE.fullmatch(ground.group(1).strip()) is None


def _is_on_dark(element: Element) -> bool:
    """Whether the nearest ground around an element is another than white (a banner, a cell)."""
    for above in element.iterancestors():
        style, attribute = above.get("style", "")[:4000], above.get("bgcolor", "")
        found = _ground(f"{style};background:{attribute}" if attribute else style)
        if found is not None:
            return found
    return False


def hiding_names(root: Element) -> frozenset[str]:
    """The '.class' and '#id' that the page's own style sheets make invisible.

    Only rules of one such name are read, and none that holds only for print or for some screens.
    Colours are not: the ground that makes white readable often stands in another rule.
    """
    sheets = "".join(element.text or "" for element in root.iter("style"))[:_MAX_SHEET]
    plain = _AT_RULE.sub("", _COMMENT.sub("", sheets))
    names: set[str] = set()
    for rule in plain.split("}"):
        selectors, _, body = rule.partition("{")
        if _NONE.search(body[:4000]):
            names.update(
                name for part in selectors.split(",") if _SIMPLE.fullmatch(name := part.strip())
            )
    return frozenset(names)


def is_hidden(element: Element, names: frozenset[str]) -> bool:
    """Whether this element is made invisible by itself (not by one around it)."""
    if tag(element) in _NEVER:
        return True
    if element.get("hidden") is not None or element.get("aria-hidden", "").lower() == "true":
        return True
    if tag(element) == "input" and element.get("type", "").lower() == "hidden":
        return True
    if tag(element) == "font" and _WHITE.fullmatch(element.get("color", "").strip()):
        return not _is_on_dark(element)
    style = element.get("style", "")[:4000]
    if _NONE.search(style) or (is_white(style) and not _ground(style) and not _is_on_dark(element)):
        return True
    if not names:
        return False
    classes = (f".{name}" for name in element.get("class", "").split())
    return f"#{element.get('id', '')}" in names or any(name in names for name in classes)


def take_out_hidden(root: Element) -> int:
    """Empty every hidden element, keeping what follows it; return how many held text."""
    names = hiding_names(root)
    gone: set[Element] = set()
    count = 0
    for element in [item for item in root.iter() if tag(item) and is_hidden(item, names)]:
        if tag(element) in ("html", "body") or element in gone:
            continue
        gone.update(element.iter())
        if tag(element) not in _NEVER:
            count += any(str(text).strip() for text in element.itertext())
        empty(element)
    return count


def empty(element: Element) -> None:
    """Leave nothing of an element but a break; the text behind it stays.

    Taking it out would cost a copy of that text each time.
    """
    tail = element.tail
    element.clear()
    element.tag, element.tail = "br", tail
