"""Headings that open a paragraph on its first line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from corpus.sources.pdf.levels import Heading
from corpus.sources.pdf.model import Line, Word, make_line
from corpus.sources.pdf.titles import is_known_title, number_of
from corpus.sources.pdf.typography import Typography

SENTENCE_ENDS: Final = (".", "?", "!", ":")


def run_in(lines: Sequence[Line], index: int, typography: Typography) -> list[Heading | Line]:
    """[heading, rest of the line] where a paragraph opens with a heading on its own line."""
    line = lines[index]
    if len(line.words) < 2:
        return []
    count = leading_run(line.words)
    if not count or count == len(line.words):
        return []
    head, rest = line.words[:count], line.words[count:]
    text = " ".join(word.text for word in head)
    letters = sum(map(str.isalpha, text))
    first = next((char for char in text if char.isalpha()), "")
    if letters < 3 or len(text) > 110 or (first.islower() and not number_of(text)):
        return []
    bold = all(word.bold for word in head if any(map(str.isalpha, word.text)))
    known = bold and is_known_title(text)
    if line.size < (0.7 if known else 0.8) * typography.size:
        return []
    ends = text.endswith((".", ":")) or text.endswith(("\u2014", "\u2013", "-"))
    if not ends and not known and not (bold and rest[0].text[:1] in ":.\u2014\u2013-"):
        return []
    if not _opens_paragraph(line, lines, index, typography):
        return []
    number = number_of(text)
    if not (bold or number or is_known_title(text) or all(word.italic for word in head)):
        return []
    heading = Heading(text, [make_line(head, line.page)], _run_in_key(head), number, run_in=True)
    heading.lines[0].column = line.column
    tail = make_line(rest, line.page)
    tail.column = line.column
    return [heading, tail]


def leading_run(words: Sequence[Word]) -> int:
    """How many words at the start share a style that the next ones do not have."""
    first = (words[0].bold, words[0].italic, words[0].font)
    count = 0
    for word in words:
        same = (word.bold, word.italic, word.font) == first
        if not same and not (word.bold and first[0]) and any(map(str.isalnum, word.text)):
            break
        count += 1
    return count


def _run_in_key(words: Sequence[Word]) -> tuple[object, ...]:
    first = words[0]
    return ("run-in", round(first.size * 2) / 2, first.bold, first.italic, first.font)


def _opens_paragraph(line: Line, lines: Sequence[Line], index: int, typography: Typography) -> bool:
    above = lines[index - 1] if index else None
    if above is None or above.column != line.column or above.page != line.page:
        return True
    step = line.base - above.base
    ended = above.text.endswith(SENTENCE_ENDS)
    return step > 1.25 * typography.leading or ended or above.rect.width < 0.6 * line.rect.width


def without_rare_run_ins(flow: Sequence[Heading | Line]) -> list[Heading | Line]:
    """Italic run-ins count only as a habit: a genus name at a line's start is no heading."""
    counts = Counter(item.style for item in flow if isinstance(item, Heading) and item.run_in)
    items: list[Heading | Line] = []
    index = 0
    while index < len(flow):
        item = flow[index]
        rare = (
            isinstance(item, Heading)
            and item.run_in
            and not item.style[2]
            and not item.number
            and not is_known_title(item.text)
            and counts[item.style] < 3
        )
        following = flow[index + 1] if index + 1 < len(flow) else None
        if rare and isinstance(item, Heading) and isinstance(following, Line):
            whole = make_line([*item.lines[0].words, *following.words], following.page)
            whole.column = following.column
            items.append(whole)
            index += 2
            continue
        items.append(item)
        index += 1
    return items
