"""An abstract that no heading names: the prose between the head of a paper and its introduction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.sources.pdf.fineprint import says_fine_print
from corpus.sources.pdf.model import Line
from corpus.sources.pdf.shape import PdfBlock
from corpus.sources.pdf.titles import ABSTRACT, INTRODUCTION, plain_title

SECTION: Final = ("Abstract",)
LAST_PAGE: Final = 2  # an abstract may go on overleaf
_SHORTEST: Final = 200  # characters; a shorter text is a motto or a note of the editors
_LOWER: Final = 0.6  # share of words in small letters: addresses and citations have fewer
_SENTENCES: Final = 2
_SENTENCE_END = re.compile(r"[a-z)%\d][.?!](?=\s+[A-Z0-9\"(]|\s*$)")
_LABEL = re.compile(r"\W*[A-Z][\w ]{2,30}:")  # "Keywords:", "Funding:", "Citation:"


def abstract_start(groups: Sequence[Sequence[Line]], count: int) -> int:
    """Where the abstract begins among the first page's lines, parted into `groups`.

    `count` lines stand before the text: `count` comes back where the last of them are no prose, or
    where the text opens with the abstract's own heading.
    """
    start, found = 0, count
    lines = [line for group in groups for line in group]
    if any(ABSTRACT.match(plain_title(line.text)) for line in lines[count : count + 1]):
        return count
    for group in groups:
        if start >= count:
            break
        text = " ".join(line.text for line in group)
        found = min(found, start) if _is_prose(text) else count
        start += len(group)
    return found


def name_abstract(blocks: Sequence[PdfBlock]) -> list[PdfBlock]:
    """Blocks of the text; prose on the first pages before the introduction is the abstract."""
    first = next((n for n, block in enumerate(blocks) if block.kind == "heading"), 0)
    if not first or INTRODUCTION.fullmatch(plain_title(blocks[first].text)) is None:
        return list(blocks)
    return [
        replace(block, section=SECTION)
        if block.page <= LAST_PAGE and _is_prose(block.text)
        else block
        for block in blocks[:first]
    ] + list(blocks[first:])


def _is_prose(text: str) -> bool:
    if len(text) < _SHORTEST or _LABEL.match(text) or says_fine_print(text):
        return False
    words = text.split()
    lower = sum(word[:1].islower() for word in words)
    return lower >= _LOWER * len(words) and len(_SENTENCE_END.findall(text)) >= _SENTENCES
