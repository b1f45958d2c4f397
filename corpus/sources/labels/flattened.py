"""The text of labels that were flattened: headings, lists and tables told again by their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.labels.shape import Part

# "6.1 Clinical Trials Experience", "6 ADVERSE REACTIONS"
_HEADING = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,2})\s+(\S.{2,100})")
_EXCERPT = re.compile(r"^[ \t]*EXCERPT:[ \t]*", re.MULTILINE)
_JOINED = ((re.compile(r"\b([Ss]ee)(?=[A-Z])"), r"\1 "), (re.compile(r"(?<=[a-z])(?=www\.)"), " "))
_INNER_SPACE = re.compile(r"\[ +| +\]| +(?=[.,;] |[.,;]$)")
_COLUMNS = re.compile(r" {3,}|\t+")
_BULLET = re.compile(r"\s*[*•]\s+")
_MAX_HEADING_WORDS: Final = 14
_MAX_PIECE: Final = 1_500  # characters


def mend(text: str) -> str:
    """Put back the space before a cross-reference ("[seeWarnings" is "[see Warnings") and take
    out those inside its brackets.
    """
    for joined, apart in _JOINED:
        text = joined.sub(apart, text)
    return _INNER_SPACE.sub(lambda found: found.group().strip(), text)


def flattened_parts(text: str, section: str) -> Iterator[Part]:
    """Yield the parts of one section's text. Numbered lines of their own are headings; starred
    lines are list items; runs of lines with wide gaps are table rows, a line each, cells by " | ".
    """
    path: tuple[str, ...] = (section,)
    plain = _EXCERPT.sub("\n", clean_text(text))
    for group in re.split(r"\n[ \t]*\n\s*", plain):
        lines = [line for line in group.split("\n") if line.strip()]
        if not lines:
            continue
        if len(lines) == 1 and (title := _heading(lines[0])):
            number, name = title
            path = (section,) if "." not in number else (section, name)
            yield Part("heading", f"{number} {name}", path)
        elif _is_table(lines):
            yield from _table(list(map(_row, lines)), path)
        else:
            yield from _prose(lines, path)


def _heading(line: str) -> tuple[str, str] | None:
    found = _HEADING.fullmatch(one_line(line))
    if not found or found.group(2).endswith((".", ",", ";", ":")):
        return None
    number, name = found.groups()
    # "1 Includes hypokalemia" is a footnote: headings of whole sections are in capitals.
    if "." not in number and not name.isupper():
        return None
    return (number, name) if len(name.split()) <= _MAX_HEADING_WORDS else None


def _is_table(lines: list[str]) -> bool:
    wide = sum(len(_COLUMNS.split(line.strip())) > 1 for line in lines)
    return len(lines) > 2 and wide * 2 >= len(lines)


def _table(rows: list[str], path: tuple[str, ...]) -> Iterator[Part]:
    """A long table in pieces, each under the table's first row."""
    head, piece, size = rows[0], [rows[0]], len(rows[0])
    for row in rows[1:]:
        if len(piece) > 1 and size + len(row) > _MAX_PIECE:
            yield Part("paragraph", "\n".join(piece), path)
            piece, size = [head], len(head)
        piece.append(row)
        size += len(row) + 1
    yield Part("paragraph", "\n".join(piece), path)


def _row(line: str) -> str:
    return " | ".join(mend(one_line(cell)) for cell in _COLUMNS.split(line.strip()))


def _prose(lines: list[str], path: tuple[str, ...]) -> Iterator[Part]:
    running: list[str] = []
    for line in lines:
        if bullet := _BULLET.match(line):
            yield from _joined(running, path)
            running = []
            yield Part("list", mend(one_line(line[bullet.end() :])), path)
        else:
            running.append(line)
    yield from _joined(running, path)


def _joined(lines: list[str], path: tuple[str, ...]) -> Iterator[Part]:
    if text := mend(one_line(" ".join(lines))):
        yield Part("paragraph", text, path)
