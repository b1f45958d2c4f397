"""Plain text: paragraphs at blank lines, wrapped lines joined, headings where they are plain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.prose import Outline, Prose

_LONG_LINE: Final = 140  # whoever writes such lines does not wrap them: each is a paragraph
_MAX_HEADING: Final = 100
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?P<dot>\.?)\s+(?P<rest>[A-Z]\S.*)")
_BULLET = re.compile(r"\s*(?:[-*•‣–·]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+)(?=\S)")
_RULE = re.compile(r"\s*([=\-~^\"'#*+_])\1{2,}\s*")
_KNOWN = re.compile(
    r"abstract|summary|background|introduction|aims?|objectives?|(?:materials? and )?methods?|"
    r"results?|discussion|conclusions?|acknowledge?ments?|references|bibliography|funding|appendix|"
    r"protocol|procedure|materials|reagents|notes|limitations|supplementary materials?",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(r"[ACGTUN\s-]+")
_TURN = re.compile(r"\s*\f\s*")


def read_plain(text: str) -> Prose:
    """Read a plain text: a first line that stands alone is its title."""
    chunks = list(_chunks(clean_text(_TURN.sub(_over_page, text))))
    title = ""
    if len(chunks) > 1 and _is_title(chunks[0]):
        title = one_line(chunks[0].lines[0])
        chunks = chunks[1:]
    outline = Outline(title)
    for number, chunk in enumerate(chunks):
        follower = chunks[number + 1] if number + 1 < len(chunks) else None
        level = _level(chunk, follower)
        if level:
            outline.heading(level, chunk.lines[0])
        else:
            _body(chunk, outline)
    return Prose("", "", title, tuple(outline.parts), metadata={"format": "plain text"})


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Lines between blank ones; `mark` is the sign that a heading is underlined with."""

    lines: tuple[str, ...]
    mark: str = ""


def _over_page(turn: re.Match[str]) -> str:
    """A page turn ends a paragraph, unless a sentence runs over it."""
    before = turn.string[max(turn.start() - 1, 0) : turn.start()]
    after = turn.string[turn.end() : turn.end() + 1]
    runs_on = (before.isalnum() or before in ",;-") and after.islower()
    return "\n" if runs_on else "\n\n"


def _chunks(text: str) -> Iterator[_Chunk]:
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        if not line.strip():
            yield from _made(lines)
            lines = []
        elif _RULE.fullmatch(line):
            if lines and len(line.strip()) >= 3:
                yield from _made(lines[:-1])
                yield _Chunk((lines[-1],), line.strip()[0])
                lines = []
        else:
            lines.append(line.rstrip())


def _made(lines: list[str]) -> Iterator[_Chunk]:
    if lines:
        yield _Chunk(tuple(lines))


def _is_title(chunk: _Chunk) -> bool:
    line = chunk.lines[0].strip()
    if len(chunk.lines) != 1 or len(line) > 200 or _KNOWN.fullmatch(line.rstrip(":")):
        return False
    return bool(chunk.mark) or not (line.endswith((".", ";", ",", ":")) or _BULLET.match(line))


def _level(chunk: _Chunk, follower: _Chunk | None) -> int:
    """The rank of a heading (1 the highest), 0 for text. Only a line that stands alone, is short
    and ends without a full stop can be one, and something must follow it.
    """
    line = chunk.lines[0].strip()
    if len(chunk.lines) != 1 or len(line) > _MAX_HEADING or follower is None:
        return 0
    if chunk.mark:
        return "=-~^\"'#*+_".index(chunk.mark) + 1
    if _KNOWN.fullmatch(line.rstrip(":")):
        return 1
    if line.endswith((".", ",", ";", "?", "!")):
        return 0
    numbered = _NUMBERED.fullmatch(line)
    if numbered and len(line.split()) <= 14 and not _counts_on(numbered, follower):
        return numbered["number"].count(".") + 1
    return 1 if _is_capitals(line) else 0


def _counts_on(numbered: re.Match[str], follower: _Chunk) -> bool:
    """Whether the next line has the next number: then both are items of a list."""
    other = _NUMBERED.fullmatch(follower.lines[0].strip())
    if other is None or len(follower.lines) > 1:
        return False
    return other["number"].count(".") == numbered["number"].count(".")


def _is_capitals(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    if len(letters) < 4 or len(line.split()) > 12 or _SEQUENCE.fullmatch(line):
        return False
    shown = sum(char.isalnum() for char in line)
    return all(char.isupper() for char in letters) and len(letters) * 10 >= shown * 8


def _body(chunk: _Chunk, outline: Outline) -> None:
    lines = chunk.lines
    if sum("\t" in line.strip() for line in lines) > 1:  # columns: lines mean something
        outline.add("paragraph", "\n".join(one_line(line.replace("\t", " | ")) for line in lines))
    elif _BULLET.match(lines[0]) and (len(lines) == 1 or _BULLET.match(lines[-1]) or _hangs(lines)):
        for item in _items(lines):
            outline.add("list", item)
    elif max(map(len, lines)) > _LONG_LINE:
        for line in lines:
            outline.add("paragraph", one_line(line))
    else:
        outline.add("paragraph", _joined(lines))


def _hangs(lines: tuple[str, ...]) -> bool:
    """Whether an item's further lines are set in, or another item follows."""
    return any(line[:1].isspace() or _BULLET.match(line) for line in lines[1:])


def _items(lines: tuple[str, ...]) -> Iterator[str]:
    item: list[str] = []
    for line in lines:
        if _BULLET.match(line) and item:
            yield _unmarked(item)
            item = []
        item.append(line)
    yield _unmarked(item)


def _unmarked(lines: list[str]) -> str:
    """An item without its bullet; a number stays, since the text may refer to it."""
    return re.sub(r"^[-*•‣–·]\s+", "", _joined(tuple(lines)))


def _joined(lines: tuple[str, ...]) -> str:
    """Wrapped lines as one; a word cut at its own hyphen keeps it."""
    text = one_line(lines[0])
    for line in map(one_line, lines[1:]):
        glued = len(text) > 1 and text[-1] == "-" and text[-2].isalnum() and line[:1].isalnum()
        text += line if glued else f" {line}"
    return text
