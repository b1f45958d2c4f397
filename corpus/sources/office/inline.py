"""The text of one paragraph: changes accepted, hidden runs left out, formulas on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.cleaning import one_line
from corpus.sources.markup import Element, tag
from corpus.sources.office.styles import Style, attribute, child, is_on

# Deleted and moved text, the second form of what has two, notes on formatting.
_UNREAD: Final = frozenset(
    {"del", "moveFrom", "Fallback", "rPr", "pPr", "instrText", "delText", "delInstrText", "tbl"}
)
_SIGNS: Final = {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-", "ptab": " "}
_NUMBER = re.compile(r"[-+\u2212\u2013]?\d")
# Letters of the font Symbol, which Word keeps as private code points F000 + code.
_SYMBOL: Final = dict(
    zip(
        "abgdezhqiklmnxoprstufcywABGDEZHQIKLMNXOPRSTUFCYW"
        "\xb0\xb1\xb3\xa3\xb4\xb9\xae\xac\xbb\xa5\xb7\xd7\xb6",
        "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ°±≥≤×≠→←≈∞•·∂",
        strict=True,
    )
)
_MAX_DEPTH: Final = 200


@dataclass(slots=True)
class Inline:
    """What a paragraph holds: text, pictures (relationship ids with their alternative text), boxes
    of text, ids of notes, and how many hidden runs were left out.
    """

    text: str = ""
    pictures: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)  # kind, id
    hidden: int = 0


def paragraphs(element: Element) -> Iterator[Element]:
    """Paragraphs below an element in order, but those deleted, moved away or told twice."""
    for item in element:
        if tag(item) == "p":
            yield item
        if tag(item) and tag(item) not in _UNREAD - {"tbl"}:
            yield from paragraphs(item)


class InlineReader:
    """Reads paragraphs one by one; numbers notes in the order in which they are met."""

    def __init__(self, styles: Mapping[str, Style]) -> None:
        self._styles = styles
        self.note_numbers: dict[tuple[str, str], int] = {}
        self._alternative = ""

    def read(self, paragraph: Element, *, on_dark: bool = False) -> Inline:
        """One paragraph. `on_dark`: it stands on a coloured ground, so white is no hiding."""
        found = Inline()
        parts: list[str] = []
        style = self._style(child(paragraph, "pPr", "pStyle"))
        dark = on_dark or _is_shaded(child(paragraph, "pPr"))
        self._collect(paragraph, found, parts, style.is_hidden, dark, 0)
        found.text = one_line("".join(parts))
        return found

    def _style(self, element: Element | None) -> Style:
        return self._styles.get(attribute(element, "val"), Style())

    def _collect(
        self,
        element: Element,
        found: Inline,
        parts: list[str],
        hidden: bool,
        dark: bool,
        depth: int,
    ) -> None:
        for item in element:
            name = tag(item)
            if name in _UNREAD or not name or depth > _MAX_DEPTH:
                continue
            if name == "r" and child(item, "rPr") is not None:
                self._run(item, found, parts, hidden, dark, depth)
            elif name == "t":
                if not hidden:
                    parts.append(item.text or "")
                elif (item.text or "").strip():
                    found.hidden += 1
            elif name == "oMath":
                parts.append(_formula(item))
            elif not self._leaf(item, name, found, parts):
                self._collect(item, found, parts, hidden, dark, depth + 1)

    def _run(
        self, run: Element, found: Inline, parts: list[str], hidden: bool, dark: bool, depth: int
    ) -> None:
        properties = child(run, "rPr")
        hidden = self._is_hidden(properties, hidden, dark)
        start = len(parts)
        self._collect(run, found, parts, hidden, dark, depth + 1)
        raised = attribute(child(properties, "vertAlign"), "val")
        text = "".join(parts[start:])
        before = next((part for part in reversed(parts[:start]) if part), "")
        if raised in ("superscript", "subscript") and before[-1:].isdigit() and _NUMBER.match(text):
            parts.insert(start, "^" if raised == "superscript" else "_")

    def _is_hidden(self, properties: Element | None, inherited: bool, dark: bool) -> bool:
        vanish = child(properties, "vanish")
        if vanish is not None:
            return is_on(vanish)
        if inherited or self._style(child(properties, "rStyle")).is_hidden:
            return True
        size = attribute(child(properties, "sz"), "val")
        if size.isdecimal() and len(size) < 4 and int(size) <= 2:  # half points
            return True
        colour = attribute(child(properties, "color"), "val").upper()
        is_white = re.fullmatch(r"F[C-F]F[C-F]F[C-F]", colour) is not None
        return is_white and not dark and not _is_shaded(properties)

    def _leaf(self, item: Element, name: str, found: Inline, parts: list[str]) -> bool:
        """Take in what is no container of text; whether it was one."""
        if name in _SIGNS:
            parts.append(_SIGNS[name])
        elif name == "sym":
            parts.append(_symbol(attribute(item, "char")))
        elif name in ("footnoteReference", "endnoteReference"):
            note = (name.removesuffix("Reference"), attribute(item, "id"))
            number = self.note_numbers.setdefault(note, len(self.note_numbers) + 1)
            parts.append(f"[{number}]")
            found.notes.append(note)
        elif name == "txbxContent":
            found.boxes.append(item)
        elif name == "docPr":
            self._alternative = attribute(item, "descr")
        elif name in ("blip", "imagedata"):
            link = attribute(item, "embed") or (attribute(item, "id") if name != "blip" else "")
            found.pictures.append((link, one_line(self._alternative)))
            self._alternative = ""
        else:
            return False
        return True


def _is_shaded(properties: Element | None) -> bool:
    """Whether a ground other than white lies under the text."""
    fill = attribute(child(properties, "shd"), "fill").upper()
    marked = attribute(child(properties, "highlight"), "val").lower()
    return fill not in ("", "AUTO", "FFFFFF") or marked not in ("", "none", "white")


def shaded_cell(cell: Element) -> bool:
    """Whether a table's cell has a ground other than white."""
    return _is_shaded(child(cell, "tcPr"))


def _symbol(code: str) -> str:
    try:
        value = int(code, 16)
    except ValueError:
        return ""
    if 0xF000 <= value <= 0xF0FF:
        return _SYMBOL.get(chr(value - 0xF000), "\ufffd")
    return chr(value) if value < 0x110000 else ""


_JOINTS: Final = {"sup": "^", "sub": "_", "den": "/"}


def _formula(element: Element) -> str:
    """A formula of Word on one line: x^2, k_1, a/b."""
    parts: list[str] = []
    for item in element.iter():
        name = tag(item)
        if name in _JOINTS and any(tag(inner) == "t" for inner in item.iter()):
            parts.append(_JOINTS[name])
        elif name == "t":
            parts.append(item.text or "")
    return "".join(parts)
