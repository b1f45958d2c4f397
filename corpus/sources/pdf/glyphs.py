"""Glyphs of a page to words and lines, without what no reader of the page sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from corpus.sources.cleaning import clean_text
from corpus.sources.pdf.fontmaps import FontMaps
from corpus.sources.pdf.ground import Ground
from corpus.sources.pdf.model import Line, PageContent, Rect, Word, make_line
from corpus.sources.pdf.mupdf import mupdf
from corpus.sources.pdf.narrowspaces import narrow_space
from corpus.sources.pdf.raised import in_cell, in_text
from corpus.sources.pdf.turn import JobTurn

# Ligatures are expanded (TEXT_PRESERVE_LIGATURES is off), text that is clipped away is left out.
FLAGS: Final = mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_CLIP | mupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
_PAINTED: Final = 16 | 32  # char_flags: filled, stroked; neither is render mode 3
_UNKNOWN: Final = 128 | 256  # char_flags: the code is a glyph number, not Unicode
_BOLD_FLAG, _ITALIC_FLAG = 16, 2
_BOLD_NAME = re.compile(r"bold|black|heavy|semib|demi|[-.,](?:b|bd)$|[-.]bi?\b", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"ital|obliq|[-.,](?:i|it)$|[-.]b?i\b", re.IGNORECASE)
MIN_SIZE: Final = 1.5
_LIGHT: Final = 0xE0  # a colour whose three parts are all above this may be invisible on white
# Codes of the Symbol font as some programs write them: F061 is its alpha.
_GREEK_LETTERS: Final = (
    "\u03b1\u03b2\u03c7\u03b4\u03b3\u03ba\u03bb\u03bc\u03c0\u03b8\u03c1\u03c3\u03c9\u0394"
)
_GREEK: Final = dict(zip("abcdgklmpqrswD", _GREEK_LETTERS, strict=True))
_SIGNS: Final = {
    0xA3: "\u2264", 0xB0: "\u00b0", 0xB1: "\u00b1", 0xB3: "\u2265", 0xB4: "\u00d7",
    0xB7: "\u2022", 0x2D: "\u2212", 0x3D: "=", 0x2B: "+", 0x3C: "<", 0x3E: ">",
}  # fmt: skip
_SYMBOLS: Final = {0xF000 + ord(code): letter for code, letter in _GREEK.items()} | {
    0xF000 + code: sign for code, sign in _SIGNS.items()
}


def read_glyphs(page: Any, content: PageContent) -> None:
    """Fill the lines of a page: upright ones, turned ones, and texts that are hidden."""
    raw = page.get_text("rawdict", flags=FLAGS, clip=mupdf.INFINITE_RECT())
    reader = _Reader(page, content)
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            reader.read(line)
    reader.finish()


class _Reader:
    def __init__(self, page: Any, content: PageContent) -> None:
        self._content = content
        self._fonts = FontMaps(page)
        self._ground = Ground(page, content)
        self._page = Rect(0, 0, content.width, content.height)
        self._invisible: list[tuple[Line, JobTurn]] = []
        self._seen: dict[tuple[str, int, int], None] = {}

    def read(self, raw: dict[str, Any]) -> None:
        direction = _direction(raw["dir"], raw.get("wmode", 0))
        turn = JobTurn(direction, self._content.width, self._content.height)
        kept: dict[str, list[Word]] = {"shown": [], "invisible": [], "outside": [], "hidden": []}
        for word, state, colour in _words(raw["spans"], self._content, turn, self._fonts):
            kept[self._seen_as(word, state, colour, turn)].append(word)
        if kept["shown"]:
            self._add(make_line(kept["shown"], self._content.number), turn)
        if kept["invisible"]:
            self._invisible.append((make_line(kept["invisible"], self._content.number), turn))
        if kept["hidden"]:
            self._content.hidden.append(" ".join(word.text for word in kept["hidden"]))
        self._content.outside += bool(kept["outside"])

    def _seen_as(self, word: Word, state: str, colour: int, turn: JobTurn) -> str:
        """Whether a reader sees a word, by its state, its place and what lies around it."""
        rect = turn.back(word.rect)
        if not self._page.holds((rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2):
            return "outside"
        if state in ("invisible", "hidden"):
            return state
        behind = self._ground.lies_behind(rect)
        if behind and self._ground.is_covered(rect):
            return "invisible"
        doubtful = behind or state == "light"
        if doubtful and any(map(str.isalnum, word.text)) and self._ground.swallows(rect, colour):
            return "hidden"
        return "shown"

    def _add(self, line: Line, turn: JobTurn) -> None:
        rect = turn.back(line.rect)
        key = (line.text, round(rect.x0 / 3), round(rect.y0 / 3))
        near = [(key[0], key[1] + dx, key[2] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        if any(place in self._seen for place in near):
            return  # struck twice for a bolder look
        self._seen[key] = None
        if turn.degrees == 0:
            self._content.lines.append(line)
        else:
            self._content.turned.setdefault(turn.degrees, []).append(line)

    def finish(self) -> None:
        """Invisible and covered text is the text of a scan where it lies on one."""
        if not self._invisible:
            return
        if not self._content.lines and self._lies_on_a_scan():
            self._content.ocr_layer = True
            for line, turn in self._invisible:
                self._add(line, turn)
        else:
            self._content.hidden += [line.text for line, _ in self._invisible]

    def _lies_on_a_scan(self) -> bool:
        area = self._content.width * self._content.height
        return any(picture.rect.area > 0.5 * area for picture in self._content.pictures)


def _direction(vector: tuple[float, float], wmode: int) -> int:
    """0 for upright or vertical writing, 90 for text that climbs, 270 for text that falls."""
    x, y = vector
    if wmode == 1 or abs(x) > 0.7:
        return 0
    return 90 if y < 0 else 270


def _words(
    spans: list[dict[str, Any]], content: PageContent, turn: JobTurn, fonts: FontMaps
) -> Iterator[tuple[Word, str, int]]:
    """Words of one raw line, as if it stood upright, with their state (shown, invisible, light,
    hidden since too small) and colour.
    """
    builder: _Builder | None = None
    space = float("inf") if turn.degrees else narrow_space(spans)
    for span in spans:
        state = _state(span)
        style = _style(span)
        is_number = span["char_flags"] & _UNKNOWN
        for char in span["chars"]:
            text = char["c"]
            is_space = False
            if is_number or not "!" <= text <= "~":  # all but what most text is made of
                text = _letter(text, span, content, fonts)
                is_space = text.isspace()
            if is_space or (builder is not None and builder.ends_before(char["bbox"], space)):
                if builder is not None and (built := builder.build(turn)):
                    yield built
                builder = None
            if is_space:
                continue
            content.glyphs += 1
            if builder is None:
                builder = _Builder(span, style, state)
            builder.add(text, char["bbox"], span)
    if builder is not None and (built := builder.build(turn)):
        yield built


def _letter(text: str, span: dict[str, Any], content: PageContent, fonts: FontMaps) -> str:
    """A glyph's letter or space; the replacement sign, which is counted, where none is known."""
    if span["char_flags"] & _UNKNOWN or text == "\0":
        known = fonts.letter(span["font"], ord(text))
        if known or text.isspace():
            return known or text
        content.unread_glyphs += 1
        return "\ufffd"
    return _SYMBOLS.get(ord(text), text) if "\uf000" <= text <= "\uf0ff" else text


class _Builder:
    """Collects the glyphs of one word."""

    __slots__ = ("boxes", "mixed", "spans", "state", "style", "texts")

    def __init__(self, span: dict[str, Any], style: tuple[str, bool, bool], state: str) -> None:
        self.texts: list[str] = []
        self.boxes: list[tuple[float, float, float, float]] = []
        self.spans: list[dict[str, Any]] = []
        self.style, self.state = style, state
        self.mixed = False  # glyphs of several spans: some may be raised

    def add(self, text: str, box: tuple[float, float, float, float], span: dict[str, Any]) -> None:
        if self.texts and text == self.texts[-1] and _same_place(self.boxes[-1], box):
            return
        self.texts.append(text)
        self.boxes.append(box)
        self.spans.append(span)
        self.mixed = self.mixed or span is not self.spans[0]

    def ends_before(self, box: tuple[float, float, float, float], space: float) -> bool:
        """Whether a glyph stands at least `space` ems to the right of the last one."""
        size: float = self.spans[-1]["size"]
        return box[0] - self.boxes[-1][2] >= space * size

    def build(self, turn: JobTurn) -> tuple[Word, str, int] | None:
        text = _cleaned(in_text(self.texts, self.spans) if self.mixed else "".join(self.texts))
        if not text or not text.strip("\ufffd"):
            return None
        main = max(self.spans, key=lambda span: span["size"]) if self.mixed else self.spans[0]
        lefts, tops, rights, lows = zip(*self.boxes, strict=True)
        rect = turn.to(Rect(min(lefts), min(tops), max(rights), max(lows)))
        base = turn.to(Rect(*main["origin"], *main["origin"])).y0
        rect = _tightened(rect, main["size"], base)
        font, bold, italic = _style(main) if main is not self.spans[0] else self.style
        spans = self.spans if self.mixed else self.spans[:1]
        raised = all(span["flags"] & 1 for span in spans)
        bare = _cleaned(in_cell(self.texts, self.spans)) if raised or self.mixed else text
        bare = "" if bare == text else bare
        word = Word(text, rect, base, round(main["size"], 2), font, bold, italic, raised, bare)
        return word, self.state, self.spans[0]["color"]


def _cleaned(text: str) -> str:
    plain = text.isascii() and text.isprintable()
    return text if plain else clean_text(text).replace("\n", "").strip()


def _tightened(rect: Rect, size: float, base: float) -> Rect:
    """Some fonts claim boxes three lines high: such a box is cut to the letters."""
    if rect.height <= 1.7 * size or not rect.y0 < base < rect.y1:
        return rect
    return rect._replace(y0=max(rect.y0, base - 0.95 * size), y1=min(rect.y1, base + 0.3 * size))


def _same_place(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether two glyph boxes lie nearly on each other, whatever way the text runs."""
    first = Rect(*a)
    return first.area > 0 and first.overlap(Rect(*b)) > 0.6 * first.area


def _state(span: dict[str, Any]) -> str:
    if span["alpha"] == 0 or not span["char_flags"] & _PAINTED:
        return "invisible"
    if span["size"] < MIN_SIZE:
        return "hidden"
    colour = span["color"]
    if min(colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF) > _LIGHT:
        return "light"
    return "shown"


def _style(span: dict[str, Any]) -> tuple[str, bool, bool]:
    font = span["font"].rsplit("+", 1)[-1]
    bold = bool(span["flags"] & _BOLD_FLAG) or _BOLD_NAME.search(font) is not None
    italic = bool(span["flags"] & _ITALIC_FLAG) or _ITALIC_NAME.search(font) is not None
    return font, bold, italic
