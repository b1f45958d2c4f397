"""Pieces of lines put together, and lines that run over a gutter taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from corpus.sources.pdf.model import Line, Word, make_line, union

# In ems: words of one line stand closer than this; what stands further apart is another cell or
# column.
JOIN_GAP = 0.75
LABEL_GAP = 2.2
MEND_GAP = 2.6
_LABEL_LENGTH = 4
_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}")


def assemble(lines: Iterable[Line], *, loose: bool = False) -> list[Line]:
    """Join pieces that stand on one baseline close to each other; the result is sorted by place.

    `loose` is for the text layer of a scan, whose words do not stand quite level.
    """
    lines = _unstacked(list(lines))
    if loose:
        return _assemble_loose(lines)
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.base, item.rect.x0)):
        row = _row_for(rows, line)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    joined = [piece for row in rows for piece in _join_row(row)]
    return sorted(joined, key=lambda item: (item.rect.y0, item.rect.x0))


def _assemble_loose(lines: list[Line]) -> list[Line]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: item.centre[1]):
        if rows and abs(_middle(rows[-1]) - line.centre[1]) <= 0.45 * line.rect.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    joined: list[Line] = []
    for row in rows:
        row.sort(key=lambda item: item.rect.x0)
        groups = [[row[0]]]
        for piece in row[1:]:
            if piece.rect.x0 - groups[-1][-1].rect.x1 <= 1.6 * piece.size:
                groups[-1].append(piece)
            else:
                groups.append([piece])
        joined += [make_line([w for p in group for w in p.words], row[0].page) for group in groups]
    return sorted(joined, key=lambda item: (item.rect.y0, item.rect.x0))


def _middle(row: Sequence[Line]) -> float:
    return sum(line.centre[1] for line in row) / len(row)


def _unstacked(lines: list[Line]) -> list[Line]:
    """Vertical writing comes as one glyph a line: its columns become one line, right to left."""
    single = [line for line in lines if line.letters == 1 and line.text > "\u2e80"]
    if len(single) < 4 or len(single) < 0.5 * len(lines):
        return lines
    columns: dict[int, list[Line]] = {}
    for line in single:
        columns.setdefault(round(line.centre[0] / (0.8 * line.size)), []).append(line)
    words: list[Word] = []
    for key in sorted(columns, reverse=True):
        glyphs = [line.words[0] for line in sorted(columns[key], key=lambda item: item.base)]
        first = glyphs[0]
        rect = union(glyph.rect for glyph in glyphs)
        text = "".join(glyph.text for glyph in glyphs)
        words.append(Word(text, rect, first.base, first.size, first.font))
    ids = {id(line) for line in single}
    rest = [line for line in lines if id(line) not in ids]
    return [make_line(words, single[0].page), *rest]


def split_at(lines: Iterable[Line], x: float) -> list[Line]:
    """Cut every line that has a wide gap across `x` there."""
    result: list[Line] = []
    for line in lines:
        if not line.rect.x0 < x < line.rect.x1:
            result.append(line)
            continue
        left = [word for word in line.words if (word.rect.x0 + word.rect.x1) / 2 < x]
        right = [word for word in line.words if (word.rect.x0 + word.rect.x1) / 2 >= x]
        if left and right and _gap(left, right) > JOIN_GAP * line.size:
            result += [make_line(left, line.page), make_line(right, line.page)]
        else:
            result.append(line)
    return result


def split_wide(line: Line, gap: float) -> list[Line]:
    """Cut a line wherever two words stand further apart than `gap` points."""
    groups: list[list[Word]] = [[line.words[0]]]
    for word in line.words[1:]:
        if word.rect.x0 - groups[-1][-1].rect.x1 > gap:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [make_line(group, line.page) for group in groups]


def _gap(left: Sequence[Word], right: Sequence[Word]) -> float:
    return min(word.rect.x0 for word in right) - max(word.rect.x1 for word in left)


def _row_for(rows: list[list[Line]], line: Line) -> list[Line] | None:
    for row in reversed(rows[-12:]):
        last = row[-1]
        if abs(last.base - line.base) <= 0.18 * max(last.size, line.size):
            return row
        if _is_script_of(last, line) or _is_script_of(line, last):
            return row
    return None


def _is_script_of(small: Line, large: Line) -> bool:
    """Whether a short piece is a sub- or superscript that touches the other."""
    if small.size > 0.82 * large.size or small.letters > 12:
        return False
    if abs(small.base - large.base) > 0.6 * large.size:
        return False
    left = abs(small.rect.x0 - large.rect.x1)
    right = abs(large.rect.x0 - small.rect.x1)
    return min(left, right) < 0.3 * large.size


def _join_row(row: list[Line]) -> list[Line]:
    row.sort(key=lambda item: item.rect.x0)
    groups: list[list[Line]] = [[row[0]]]
    for piece in row[1:]:
        last = groups[-1][-1]
        gap = piece.rect.x0 - last.rect.x1
        size = max(min(last.size, piece.size), 4.0)
        is_label = len(groups[-1]) == 1 and last.letters <= _LABEL_LENGTH
        numbered = _NUMBER.fullmatch(last.text) and last.size == piece.size
        tied = is_label and (_looks_like_label(last) or (numbered and _same_face(last, piece)))
        limit = LABEL_GAP if tied else JOIN_GAP
        if -0.5 * size <= gap <= limit * size:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [_joined(group) for group in groups]


def _same_face(number: Line, title: Line) -> bool:
    """Whether a number belongs to a title: set in one face, the bold of one included."""
    first, second = number.style[0].split("-")[0], title.style[0].split("-")[0]
    return first == second and (number.style[0] == title.style[0] or title.words[0].bold)


def mend(lines: Sequence[Line], gutters: Sequence[float]) -> list[Line]:
    """Join the halves of a justified line that wide word spaces have parted.

    The line above, itself mended, or the one below must run on where the space is: between columns,
    and between cells of a table, it does not.
    """
    mended: list[Line] = []
    for line in sorted(lines, key=lambda item: (round(item.base), item.rect.x0)):
        last = mended[-1] if mended else None
        if last is not None and _are_halves(last, line, chain(mended, lines), gutters):
            mended[-1] = make_line([*last.words, *line.words], line.page)
        else:
            mended.append(line)
    return sorted(mended, key=lambda item: (item.rect.y0, item.rect.x0))


def _are_halves(left: Line, right: Line, lines: Iterable[Line], gutters: Sequence[float]) -> bool:
    size = left.size
    gap = right.rect.x0 - left.rect.x1
    level = abs(left.base - right.base) < 0.15 * size and abs(size - right.size) < 0.05 * size
    if not level or not 0 < gap <= MEND_GAP * size:
        return False
    if any(left.rect.x1 - 3 < x < right.rect.x0 + 3 for x in gutters):
        return False
    return any(
        abs(abs(other.base - left.base) - 1.2 * size) < 0.4 * size
        and abs(other.size - size) < 0.08 * size
        and other.rect.x0 < max(left.rect.x1 - size, left.rect.x0 + 1)
        and other.rect.x1 > min(right.rect.x0 + size, right.rect.x1 - 1)
        and other.letters > 12
        for other in lines
    )


def _looks_like_label(line: Line) -> bool:
    """A list mark or the number of a reference or heading."""
    text = line.text
    return text[-1] in ".)]" or text in "\u2022\u2013\u2014-*\u25aa\u25cf\u25e6\uf0b7"


def _joined(group: list[Line]) -> Line:
    if len(group) == 1:
        return group[0]
    words: list[Word] = []
    for piece in group:
        if words and _touches(words[-1], piece.words[0]):
            words[-1] = _glued(words[-1], piece.words[0])
            words += piece.words[1:]
        else:
            words += piece.words
    return make_line(words, group[0].page)


def _touches(left: Word, right: Word) -> bool:
    """Whether two pieces are one word: only a script set apart from its base touches like this."""
    close = right.rect.x0 - left.rect.x1 < 0.12 * max(left.size, right.size)
    return close and abs(left.size - right.size) > 0.15 * max(left.size, right.size)


def _glued(left: Word, right: Word) -> Word:
    main = left if left.size >= right.size else right
    rect = left.rect._replace(
        y0=min(left.rect.y0, right.rect.y0),
        x1=max(left.rect.x1, right.rect.x1),
        y1=max(left.rect.y1, right.rect.y1),
    )
    caret = "^" if right.raised and left.text[-1].isdigit() and right.text[0].isdigit() else ""
    text = left.text + caret + right.text
    bare = (left.bare or left.text) + caret + (right.bare or right.text)
    return Word(
        text,
        rect,
        main.base,
        main.size,
        main.font,
        main.bold,
        main.italic,
        bare="" if bare == text else bare,
    )
