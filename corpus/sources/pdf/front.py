"""The first page's head: title, authors, and what stands before the text begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.pdf.model import Line
from corpus.sources.pdf.titles import OPENING, plain_title, unspaced
from corpus.sources.pdf.typography import Typography

_FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|indd|tex|qxd|dvi|xlsx?)$|^(?:microsoft word|untitled)", re.I
)
_ARTICLE_KIND = re.compile(
    r"(?:original |systematic |mini |nano )?"
    r"(?:research|review|short|brief|case|clinical|technical|original|"
    r"data|letter|editorial|perspective|artigo|open)?\s*"
    r"(?:article|paper|communication|report|note|review|study|research|investigation|access|original)"
    r"(?: open access)?",
    re.IGNORECASE,
)
_JOURNAL = re.compile(
    r"\bjournal\b|\bproceedings\b|^(?:bmc|plos|frontiers in|annals of|archives of)\b|"
    r"^[\w\s&]{4,40}(?:sciences|letters|research|reports|reviews)$|^(?:issn|vol)\b",
    re.IGNORECASE,
)
_CITE_AS = re.compile(r"\W*(?:please |how to )?cite (?:this|as)\b.*:\s*", re.IGNORECASE)
_MIN_TITLE: Final = 12
_MIN_LINES: Final = 4  # a page with less text is all text


def find_title(lines: Sequence[Line], typography: Typography, told: str = "") -> list[Line]:
    """The lines of the title on the first page; empty when nothing stands out.

    The title that the file tells is taken where the page has it. Else it is large type that is
    long enough and is no journal's name: those stand at the very top and are short.
    """
    groups = [group for group in _groups(lines) if _is_candidate(group, typography)]
    wanted = _folded(told)
    for group in groups:
        if len(wanted) >= _MIN_TITLE and _folded(_text(group)) == wanted:
            return group
    if len(lines) < _MIN_LINES:
        return []
    best = max(groups, key=lambda group: _weight(group, typography), default=[])
    return best if best and _weight(best, typography) > 0 else []


def _is_candidate(group: Sequence[Line], typography: Typography) -> bool:
    letters = sum(line.letters for line in group)
    words = sum(len(line.words) for line in group)
    return letters >= _MIN_TITLE and words >= 3 and group[0].size >= 1.15 * typography.size


def _weight(group: Sequence[Line], typography: Typography) -> float:
    text = _text(group)
    letters = len(text)
    weight = group[0].size / typography.size * min(letters, 60) / 60
    if _JOURNAL.search(text):
        weight *= 0.3
    return weight


def _text(group: Sequence[Line]) -> str:
    return one_line(" ".join(line.text for line in group))


def _folded(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _groups(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one size, one below the other; kinds of article ("Research Article") are no
    title.
    """
    groups: list[list[Line]] = []
    for line in lines:
        if _ARTICLE_KIND.fullmatch(line.text.strip()):
            groups.append([])
            continue
        last = groups[-1][-1] if groups and groups[-1] else None
        near = (
            last is not None
            and abs(last.size - line.size) < 0.6
            and 0 < line.base - last.base < 1.9 * line.size
        )
        if near:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [group for group in groups if group]


def told_title(document: Any) -> str:
    """The title that the file's own data tell, '' when it is a file name or missing."""
    told = one_line((document.metadata or {}).get("title") or "")
    return told if len(told) >= _MIN_TITLE and not _FILE_NAME.search(told) else ""


def title_of(lines: Sequence[Line], told: str, filename: str) -> str:
    """The title as printed, else as the file's own data say, else the file's name."""
    printed = _text(lines)
    if len(printed) >= _MIN_TITLE:
        return re.sub(r"(?<=\w)- (?=[a-z])", "", printed)
    if told:
        return told
    return one_line(filename.rsplit(".", 1)[0]) or "Untitled PDF"


def authors_of(document: Any) -> str:
    """Authors as the file's own data say; often wrong or missing, never guessed from the page."""
    return one_line((document.metadata or {}).get("author") or "")[:500]


def count_front(lines: Sequence[Line], typography: Typography) -> int:
    """How many of the first page's lines (title taken out) stand before abstract or text."""
    for number, line in enumerate(lines):
        text = line.text
        styled = line.words[0].bold or line.words[0].font not in typography.fonts
        if OPENING.fullmatch(plain_title(text)) or (
            OPENING.match(unspaced(text)) and (styled or text.isupper())
        ):
            return number
    for number in range(len(lines)):
        following = lines[number : number + 4]
        if len(following) == 4 and all(
            typography.is_body(item) and item.letters > 30 for item in following
        ):
            return number
    return _first_paragraph(lines, typography)


def cited_as(head: Sequence[Line], rest: Sequence[Line]) -> list[Line]:
    """The citation below a label "Please cite this article as:", though it is read after other
    text: lines of the first page that stand right below the label, flush with it.
    """
    last = label = next((line for line in head if _CITE_AS.fullmatch(line.text)), None)
    found: list[Line] = []
    for line in sorted(rest, key=lambda item: item.base):
        if label is None or last is None:
            break
        below = 0 < line.base - last.base < 1.7 * line.size and line.page == label.page
        if below and abs(line.rect.x0 - label.rect.x0) < 2:
            found.append(line)
            last = line
    return found


def _first_paragraph(lines: Sequence[Line], typography: Typography) -> int:
    """Where the first long lines of upright type stand: an abstract in a face of its own."""
    for number in range(len(lines) - 2):
        following = lines[number : number + 3]
        if all(
            line.letters > 45
            and line.size >= 0.95 * typography.size
            and line.column == following[0].column
            and line.share(italic=True) < 0.5
            and line.share(bold=True) < 0.5
            for line in following
        ):
            return number
    return 0
