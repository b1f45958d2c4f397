"""What the styles of a .docx say of a paragraph: heading rank, list, caption, hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from corpus.sources.markup import Element, tag

_HEADING = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo|titolo) ?(\d)", re.IGNORECASE)
_MAX_CHAIN: Final = 20
_OFF: Final = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it inherits; `level` 1 to 9 of a heading, 0 for none."""

    name: str = ""
    level: int = 0
    is_list: bool = False
    is_hidden: bool = False


def attribute(element: Element | None, name: str) -> str:
    """An attribute by its local name, '' without element or attribute."""
    for key, value in () if element is None else element.attrib.items():
        if str(key).rsplit("}", 1)[-1] == name:
            return str(value)
    return ""


def child(element: Element | None, *path: str) -> Element | None:
    """The first child of a local name, and its, and so on."""
    for name in path:
        element = next((item for item in element if tag(item) == name), None) if (
            element is not None
        ) else None  # fmt: skip
    return element


def children(element: Element | None) -> list[Element]:
    """The child elements, none without an element."""
    return [] if element is None else [item for item in element if tag(item)]


def is_on(element: Element | None) -> bool:
    """Whether a switch such as w:vanish is set: there, and not switched off."""
    return element is not None and attribute(element, "val").lower() not in _OFF


def read_styles(root: Element | None) -> dict[str, Style]:
    """Styles by id."""
    items = {attribute(item, "styleId"): item for item in children(root) if tag(item) == "style"}
    return {name: _style(name, items) for name in items}


def _style(name: str, items: dict[str, Element]) -> Style:
    title, level, is_list, is_hidden = "", 0, False, False
    seen: set[str] = set()
    while name in items and name not in seen and len(seen) < _MAX_CHAIN:
        seen.add(name)
        item = items[name]
        title = title or attribute(child(item, "name"), "val").lower()
        level = level or outline_level(child(item, "pPr")) or _named_level(title)
        is_list = is_list or child(item, "pPr", "numPr") is not None
        is_hidden = is_hidden or is_on(child(item, "rPr", "vanish"))
        name = attribute(child(item, "basedOn"), "val")
    return Style(title, level, is_list or title.startswith("list "), is_hidden)


def outline_level(properties: Element | None) -> int:
    """The rank that paragraph properties give, 1 to 9; 0 for body text."""
    value = attribute(child(properties, "outlineLvl"), "val")
    return int(value) + 1 if value.isdecimal() and len(value) == 1 and int(value) < 9 else 0


def _named_level(title: str) -> int:
    found = _HEADING.search(title)
    return int(found.group(1)) if found else 0


def language_of(root: Element | None) -> str:
    """The language that the document's defaults name."""
    return attribute(child(root, "docDefaults", "rPrDefault", "rPr", "lang"), "val")
