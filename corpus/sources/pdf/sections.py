"""Headings: lines that name what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from corpus.sources.pdf.levels import Heading, rank
from corpus.sources.pdf.model import Line
from corpus.sources.pdf.runins import SENTENCE_ENDS, leading_run, run_in, without_rare_run_ins
from corpus.sources.pdf.titles import REFERENCES, is_known_title, number_of, plain_title, unspaced
from corpus.sources.pdf.typography import Typography

MAX_LINES: Final = 5
MAX_LETTERS: Final = 170
_ENUMERATED = re.compile(r"(?:[ivx]{1,4}|[a-z])\)\s")
_END_OF_SENTENCE = re.compile(r"[.;,]$")
# Labels of what stands before and after the text; they open no section.
_NO_HEADING = re.compile(
    r"(?:how to )?cite (?:this|as)\b|citation\s*:|como citar|source of support|"
    r"licen[cs]e statement|"
    r"(?:key\s?words?(?: and phrases)?|palavras-chave|palabras clave)\s*:\s*\S|edited by\b|"
    r"reviewed by\b|correspondence\b|corresponding author|abbreviations?\s*:.|received\s*:|"
    r"accepted\s*:|e-?mail\s*:|S\d+\s+(?:movie|video|table|fig|file|text|data|appendix)\b",
    re.IGNORECASE,
)
_RUN_IN_LABEL = re.compile(r"abbreviations?\s*:", re.IGNORECASE)
_MARKED_NAME = re.compile(r"\[\d+(?:,\d+)*\]\W*$")
_CREDITS = re.compile(r"contribui|contribution", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Flowing:
    """The flow of a document's text: headings and lines in reading order."""

    items: list[Heading | Line] = field(default_factory=list)


def find_headings(lines: Sequence[Line], typography: Typography) -> Flowing:
    """Part the flow into headings and text lines; run-in headings are split off their line."""
    flow = Flowing()
    index = 0
    references: Heading | None = None
    while index < len(lines):
        group = _heading_group(lines, index, typography)
        heading = _heading(group) if group else None
        if heading is not None and _is_label(heading):
            heading = None
        if heading is not None and (references is None or _ends_references(heading, references)):
            is_list = REFERENCES.fullmatch(plain_title(heading.text)) is not None
            references = heading if is_list else None
            flow.items.append(heading)
            index += len(group)
            continue
        parts = run_in(lines, index, typography)
        if parts and not _opens_section(parts[0], references, flow):
            parts = []
        if parts:
            references = None
            flow.items += parts
        else:
            flow.items.append(lines[index])
        index += 1
    flow.items = without_rare_run_ins(flow.items)
    rank([item for item in flow.items if isinstance(item, Heading)])
    return flow


def _is_label(heading: Heading) -> bool:
    """Whether a line is a label of the front or back matter, or an author with a raised number."""
    author = heading.lines[0].page == 1 and _MARKED_NAME.search(heading.text) is not None
    return author or _NO_HEADING.match(heading.text) is not None


def _is_run_in_label(text: str) -> bool:
    return bool(_NO_HEADING.match(text) or _RUN_IN_LABEL.match(text))


def _opens_section(title: Heading | Line, references: Heading | None, flow: Flowing) -> bool:
    """Whether a run-in title is one: in a reference list, only a known one in bold is."""
    if references is not None:
        return bool(title.style[2]) and is_known_title(title.text)
    return not (_is_run_in_label(title.text) or _names_people(flow, title.text))


def _names_people(flow: Flowing, text: str) -> bool:
    """Whether a run-in title stands under contributions of authors: it is a name, "A. Silva:"."""
    last = next((item for item in reversed(flow.items) if isinstance(item, Heading)), None)
    under = last is not None and _CREDITS.search(last.text) is not None
    return under and not is_known_title(text)


def _ends_references(heading: Heading, references: Heading) -> bool:
    """In a reference list only a title set like its own, or a known one, is a heading."""
    if is_known_title(heading.text):
        return True
    return heading.style == references.style and not heading.number


def _heading(lines: list[Line]) -> Heading:
    text = " ".join(line.text for line in lines)
    text = re.sub(r"(?<=\w)- (?=[a-z])", "", text)
    text = unspaced(text)
    return Heading(text, lines, _style_key(lines[0]), number_of(text))


def _style_key(line: Line) -> tuple[object, ...]:
    letters = [char for char in line.text if char.isalpha()]
    caps = len(letters) > 3 and all(char.isupper() for char in letters)
    font, size, bold, italic = line.style
    return (size, bold, italic, caps, font)


def _heading_group(lines: Sequence[Line], index: int, typography: Typography) -> list[Line]:
    """The lines of a heading that starts at `index`, empty when none does."""
    first = lines[index]
    if not _may_be_heading(first, lines, index, typography):
        return []
    group = [first]
    for line in lines[index + 1 : index + MAX_LINES]:
        last = group[-1]
        same = _set_alike(line, last) and line.column == last.column and line.page == last.page
        if not same or line.base - last.base > 1.7 * line.size or line.base <= last.base:
            break
        if _is_enumerated(line):
            break
        if is_known_title(group[0].text) and len(group) == 1 and len(lines) > 1:
            break
        group.append(line)
    text = " ".join(line.text for line in group)
    if sum(map(str.isalpha, text)) < 3 or len(text) > MAX_LETTERS:
        return []
    return group if _stands_apart(group, lines, index, typography) else []


def _set_alike(line: Line, last: Line) -> bool:
    """Whether two lines are of one heading: a name in italics may stand in it."""
    if line.style == last.style:
        return not _opens_below(last, line)
    bold = line.share(bold=True) > 0.85 and last.share(bold=True) > 0.85
    return bold and abs(line.size - last.size) < 0.3


def _opens_below(title: Line, line: Line) -> bool:
    """Whether an indented line that opens with a name in italics follows a title in italics."""
    indented = line.rect.x0 > title.rect.x0 + 0.7 * line.size
    return indented and title.share(italic=True) > 0.85 >= line.share(italic=True)


def _may_be_heading(line: Line, lines: Sequence[Line], index: int, typography: Typography) -> bool:
    text = line.text
    known = is_known_title(text)
    if not any(map(str.isalpha, text)) or line.size < (0.7 if known else 0.85) * typography.size:
        return False
    if "=" in text or text.count(",") > 4:
        return False
    first = next((char for char in text if char.isalpha()), "")
    if first.islower() and not number_of(text) and not _ENUMERATED.match(text):
        return False
    run = leading_run(line.words)
    if run < len(line.words) and line.words[run - 1].text.endswith((".", ":")) and run > 1:
        return False  # a run-in heading
    if known and (line.letters < 45):
        return _set_apart(line, typography) or _alone(line, lines, index, typography)
    if line.share(bold=True) > 0.85 or line.size >= 1.09 * typography.size:
        return True
    if line.style[0] not in typography.fonts and line.share(italic=True) < 0.5:
        return _uniform(line) and not _END_OF_SENTENCE.search(text)
    plain = line.style[0] in typography.fonts and line.share(italic=True) < 0.5
    if plain and not text.isupper() and (not number_of(text) or line.letters > 60):
        return False
    if line.share(italic=True) > 0.85 or number_of(text):
        return _alone(line, lines, index, typography) and not text.endswith((",", ";"))
    letters = [char for char in text if char.isalpha()]
    caps = len(letters) > 4 and sum(map(str.isupper, letters)) > 0.9 * len(letters)
    return caps and _alone(line, lines, index, typography)


def _set_apart(line: Line, typography: Typography) -> bool:
    return (
        line.share(bold=True) > 0.5
        or line.size >= 1.04 * typography.size
        or line.style[0] not in typography.fonts
        or line.text.isupper()
    )


def _uniform(line: Line) -> bool:
    return len({word.font for word in line.words}) == 1


def _alone(line: Line, lines: Sequence[Line], index: int, typography: Typography) -> bool:
    """A short run of lines with free space above, or after the end of a paragraph."""
    above = lines[index - 1] if index else None
    end = index + 1
    while end < len(lines) and _goes_on(lines[end - 1], lines[end]):
        end += 1
    if end - index >= MAX_LINES:
        return False
    if above is None:
        fresh = True
    elif above.column != line.column or above.page != line.page:
        fresh = not _runs_over(above, lines[end : end + 1], typography)
    else:
        step = line.base - above.base
        ended = above.text.endswith(SENTENCE_ENDS) or step > 1.3 * typography.leading
        heading = above.style != line.style and above.share(bold=True) > 0.8
        own_face = line.style[0] not in typography.fonts or line.share(italic=True) > 0.85
        fresh = ended or heading or (own_face and _is_enumerated(line))
    return fresh and not lines[end - 1].text.endswith((",", ";"))


def _runs_over(above: Line, below: Sequence[Line], typography: Typography) -> bool:
    """Whether a sentence runs through the lines at the top of a column, names in italics."""
    open_above = typography.is_body(above) and not above.text.endswith(SENTENCE_ENDS)
    return open_above and any(line.text[:1].islower() for line in below)


def _goes_on(line: Line, below: Line) -> bool:
    """Whether the next line is set alike, close below, and opens nothing of its own."""
    if below.page != line.page or below.column != line.column:
        return False
    close = 0 < below.base - line.base < 1.45 * below.size
    alike = below.style == line.style and not _opens_below(line, below)
    return close and alike and not _is_enumerated(below)


def _is_enumerated(line: Line) -> bool:
    text = line.text
    return bool(number_of(text) or _ENUMERATED.match(text))


def _stands_apart(
    group: list[Line], lines: Sequence[Line], index: int, typography: Typography
) -> bool:
    """Not a bold phrase inside a paragraph: what follows must be set otherwise or be further."""
    end = index + len(group)
    text = group[-1].text
    if text.endswith((",", ";")) or (text.endswith(".") and len(group) > 2):
        return False
    above = lines[index - 1] if index else None
    if above is not None and above.page == group[0].page and above.column == group[0].column:
        step = group[0].base - above.base
        beside = abs(step) < 0.3 * group[0].size
        if _goes_on(above, group[0]):
            return False  # the rest of a paragraph that is set like this
        if beside or (step < 1.25 * typography.leading and above.text.endswith(("-", ","))):
            return False
    return end >= len(lines) or not _goes_on(group[-1], lines[end])
