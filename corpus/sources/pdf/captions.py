"""Captions: lines that open with "Figure 2" or "Table S1" and are not a sentence of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from corpus.sources.pdf.model import Line, PageContent, Rect, Rule, union
from corpus.sources.pdf.typography import Typography

CaptionKind = Literal["figure", "table"]
_FIGURE = r"fig(?:ure|ura|ur|s)?|scheme|chart|plate|esquema|sch\u00e9ma|abbildung|abb|\u56fe|\u5716"
_TABLE = r"table|tab|tabela|tabla|tabella|tableau|tabelle|\u8868"
_LABEL = re.compile(
    rf"\s*(?P<cont>continued\s+|suppl(?:ementary|ement)?\.?\s+|extended\s+data\s+|appendix\s+)?"
    rf"(?P<name>{_FIGURE}|{_TABLE})\.?\s*(?P<number>[A-Z]?\d{{1,3}}[a-z]?|[IVX]{{1,5}})"
    rf"(?P<mark>\s*[.:|\u2013\u2014-])?(?=\s|$|[.:|(\u2013\u2014A-Z-])(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_GRAPHICAL = re.compile(r"\s*graphical abstract\b\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_CONTINUED = re.compile(
    r"[\s(.:\u2013\u2014-]*cont(?:inued|inuation|\.|d\.?|'d)?[\s).]*", re.IGNORECASE
)
_SENTENCE_GOES_ON = re.compile(r"\s*(?:[,;)]|and\b|or\b|to\b|[a-z]{2,}\b)")
# In leadings: lines of one caption stand no further apart.
_STEP: Final = 1.55


@dataclass(slots=True, eq=False)
class Caption:
    """A caption and the lines it stands in; `text` without its label. A table that has none has an
    empty one.
    """

    kind: CaptionKind
    label: str
    text: str
    page: int
    lines: list[Line] = field(default_factory=list)
    continued: bool = False

    @property
    def rect(self) -> Rect:
        return union(line.rect for line in self.lines) if self.lines else Rect(0, 0, 0, 0)


def take_captions(
    page: PageContent, lines: list[Line], typography: Typography, rules: Sequence[Rule]
) -> list[Caption]:
    """Find the captions among `lines` (sorted by place) and take their lines out of the list."""
    captions: list[Caption] = []
    used: set[int] = set()
    for line in list(lines):
        if id(line) in used:
            continue
        match = _LABEL.match(line.text)
        if match is None or not _opens_caption(line, match, lines, typography):
            continue
        body = _grow(line, match, lines, used, rules)
        used |= {id(member) for member in body}
        captions.append(_caption(match, body, page.number))
    lines[:] = [line for line in lines if id(line) not in used]
    return captions


def _caption(match: re.Match[str], lines: list[Line], page: int) -> Caption:
    kind: CaptionKind = "table" if re.fullmatch(_TABLE, match["name"], re.IGNORECASE) else "figure"
    first = match["rest"] or ""
    text = " ".join([first.strip(), *(line.text for line in lines[1:])]).strip()
    continued = bool(match["cont"] and match["cont"].lower().startswith("continued"))
    if _CONTINUED.fullmatch(text):
        continued = True
    name = match["name"].capitalize()
    prefix = "" if continued or not match["cont"] else _prefix(match["cont"])
    return Caption(kind, f"{prefix}{name} {match['number']}", text, page, lines, continued)


def _prefix(printed: str) -> str:
    kinds = {"e": "Extended Data ", "a": "Appendix "}
    return kinds.get(printed.strip()[0].lower(), "Supplementary ")


def _opens_caption(
    line: Line, match: re.Match[str], lines: Sequence[Line], typography: Typography
) -> bool:
    if match["name"][0].islower() and not match["cont"]:
        return False
    above = _directly_above(line, lines)
    styled = _label_is_set_apart(line, typography)
    if above is not None and _runs_on(above, line):
        return line.words[0].bold and not above.words[-1].bold
    rest = match["rest"] or ""
    if _SENTENCE_GOES_ON.match(rest) and not match["mark"] and not _changes_style(line):
        return False
    if styled:
        return True
    return bool(match["mark"]) or not rest.strip()


def _label_is_set_apart(line: Line, typography: Typography) -> bool:
    first = line.words[0]
    if first.bold or line.size <= 0.96 * typography.size:
        return True
    return first.font not in typography.fonts


def _changes_style(line: Line) -> bool:
    """Whether the label is set otherwise than what follows it, as labels often are."""
    return len(line.words) > 2 and line.words[0].style != line.words[-1].style


def _directly_above(line: Line, lines: Sequence[Line]) -> Line | None:
    best: Line | None = None
    for other in lines:
        if other is line or other.base >= line.base - 0.3 * line.size:
            continue
        if min(other.rect.x1, line.rect.x1) - max(other.rect.x0, line.rect.x0) < 10:
            continue
        if best is None or other.base > best.base:
            best = other
    return best


def _runs_on(above: Line, line: Line) -> bool:
    """Whether a line continues the paragraph above it."""
    close = line.base - above.base <= 1.45 * line.size
    alike = abs(above.size - line.size) <= 0.04 * line.size and above.style[0] == line.style[0]
    return close and alike


def _grow(
    first: Line,
    match: re.Match[str],
    lines: Sequence[Line],
    used: set[int],
    rules: Sequence[Rule],
) -> list[Line]:
    """The lines of the caption that `first` opens: close below, set alike, no rule between."""
    body = [first]
    is_table = re.fullmatch(_TABLE, match["name"], re.IGNORECASE) is not None
    candidates = sorted(
        (other for other in lines if id(other) not in used and other is not first),
        key=lambda other: (other.base, other.rect.x0),
    )
    body += _on_the_same_line(first, candidates)
    size = 0.0 if not (match["rest"] or "").strip() and len(body) == 1 else first.size
    for other in candidates:
        last = body[-1]
        if other in body or other.base <= last.base + 0.3 * last.size:
            continue
        extent = union(line.rect for line in body)
        if min(other.rect.x1, extent.x1) - max(other.rect.x0, extent.x0) < 5:
            continue
        leading = _STEP * max(other.size, size or other.size)
        if other.base - last.base > leading:
            break
        if size and abs(other.size - size) > 0.07 * size:
            break
        if _LABEL.match(other.text) or _rule_between(last, other, rules):
            break
        if other.rect.x0 < extent.x0 - 12 and other.rect.x1 > extent.x1 + 30 and len(body) > 1:
            break
        if is_table and size and _is_row(other, candidates, extent):
            break
        size = size or other.size
        body.append(other)
    return body


def _on_the_same_line(first: Line, candidates: Sequence[Line]) -> list[Line]:
    """A title set off from its label by a wide space."""
    words = len(first.words)
    if words > 3:
        return []
    for other in candidates:
        gap = other.rect.x0 - first.rect.x1
        if abs(other.base - first.base) < 0.2 * first.size and 0 <= gap < 3 * first.size:
            return [other]
    return []


def _is_row(line: Line, lines: Sequence[Line], extent: Rect) -> bool:
    """Whether other pieces stand on the line's baseline: then it is a row of the table."""
    for other in lines:
        if other is line or abs(other.base - line.base) > 0.3 * line.size:
            continue
        if other.rect.x0 > extent.x0 - 5 and other.rect.x0 < extent.x1:
            return True
    return False


def _rule_between(above: Line, below: Line, rules: Sequence[Rule]) -> bool:
    for rule in rules:
        if not rule.is_horizontal or rule.x1 - rule.x0 < 40:
            continue
        between = above.base - 1 < rule.y0 < below.base - 0.4 * below.size
        if between and min(rule.x1, below.rect.x1) - max(rule.x0, below.rect.x0) > 10:
            return True
    return False
