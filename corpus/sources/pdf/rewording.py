"""Words of a text layer that make no sense, replaced by what was recognised at their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpus.sources.pdf.model import Line, PageContent, Rect, Word, make_line
from corpus.sources.pdf.ocr.model import Recognised
from corpus.sources.pdf.ocr.typeset import kept
from corpus.sources.pdf.turn import JobTurn

Seen = tuple[str, Rect]


def mend(content: PageContent, doubtful: Sequence[Word], found: Recognised | None) -> int:
    """Put recognised words in the place of doubtful ones; how many doubtful ones were mended.

    One that was not recognised goes if nothing of it can be read, and stays if only a sign is
    missing.
    """
    seen = _as_shown(found) if found is not None else []
    wanted = {id(word) for word in doubtful}
    turn = JobTurn(content.rotation, content.width, content.height)
    mended = 0
    for lines in (content.lines, *content.turned.values()):
        for line in list(lines):
            if not any(id(word) in wanted for word in line.words):
                continue
            words: list[Word] = []
            for word in line.words:
                new = _new(word, turn, seen) if id(word) in wanted else [word]
                mended += id(word) in wanted and bool(new)
                words += new or ([word] if "\ufffd" in word.text else [])
            _put(lines, line, words)
    return mended


def _as_shown(found: Recognised) -> list[Seen]:
    turn = JobTurn(found.turn, found.width, found.height, found.skew)
    words = (word for line in found.lines for word in kept(line))
    return [(word.text, turn.to(Rect(*word.box))) for word in words]


def _new(word: Word, turn: JobTurn, seen: Sequence[Seen]) -> list[Word]:
    """The recognised words within a doubtful one, in its type and on its baseline."""
    place = turn.to(word.rect)
    inside = [
        (text, rect)
        for text, rect in seen
        if place.holds((rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2, 1.0)
    ]
    if turn.degrees or len(inside) == 1:
        return [replace(word, text=" ".join(text for text, _ in inside))] if inside else []
    return [
        replace(word, text=text, rect=Rect(rect.x0, word.rect.y0, rect.x1, word.rect.y1))
        for text, rect in sorted(inside, key=lambda item: item[1].x0)
    ]


def _put(lines: list[Line], line: Line, words: list[Word]) -> None:
    at = lines.index(line)
    lines[at : at + 1] = [make_line(words, line.page)] if words else []
