"""The first page's head: title, authors, and what stands before the text begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.pdf.model import Line
from corpus.sources.pdf.titles import OPENING, is_known_title, plain_title, unspaced
from corpus.sources.pdf.typography import Typography

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]+")
_FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|indd|tex|qxd|dvi|xlsx?)$|^(?:microsoft word|untitled)", re.I
)
_MIN_TITLE: Final = 12


def find_title(lines: Sequence[Line], typography: Typography) -> list[Line]:
    """The lines of the title: the largest type in the upper part of the first page.

    Lines are those of the first page in reading order. Empty when nothing stands out.
    """
    best: list[Line] = []
    for group in _groups(lines):
        letters = sum(line.letters for line in group)
        if letters < _MIN_TITLE or len(group[0].words) + len(group) < 4:
            continue
        if group[0].size < 1.15 * typography.size:
            continue
        if not best or group[0].size > best[0].size + 0.5:
            best = group
    return best


def _groups(lines: Sequence[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        near = (
            last is not None
            and abs(last.size - line.size) < 0.6
            and 0 < line.base - last.base < 1.9 * line.size
        )
        if near:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def title_of(lines: Sequence[Line], document: Any, filename: str) -> str:
    """The title as printed, else as the file's own data say, else the file's name."""
    printed = one_line(" ".join(line.text for line in lines))
    if len(printed) >= _MIN_TITLE:
        return re.sub(r"(?<=\w)- (?=[a-z])", "", printed)
    told = one_line((document.metadata or {}).get("title") or "")
    if len(told) >= _MIN_TITLE and not _FILE_NAME.search(told):
        return told
    return one_line(filename.rsplit(".", 1)[0]) or "Untitled PDF"


def authors_of(document: Any) -> str:
    """Authors as the file's own data say; often wrong or missing, never guessed from the page."""
    return one_line((document.metadata or {}).get("author") or "")[:500]


def find_doi(lines: Sequence[Line]) -> str:
    """The first DOI on the first page."""
    for line in lines:
        match = _DOI.search(line.text.replace(" ", "") if "doi" in line.text.lower() else line.text)
        if match:
            return match.group().rstrip(".)").lower()
    return ""


def count_front(lines: Sequence[Line], typography: Typography) -> int:
    """How many of the first page's lines (title taken out) stand before abstract or text."""
    for number, line in enumerate(lines):
        text = line.text
        styled = line.words[0].bold or line.words[0].font not in typography.fonts
        if is_known_title(plain_title(text)) or (
            OPENING.match(unspaced(text)) and (styled or text.isupper())
        ):
            return number
    for number in range(len(lines)):
        following = lines[number : number + 4]
        if len(following) == 4 and all(
            typography.is_body(item) and item.letters > 30 for item in following
        ):
            return number
    return 0
