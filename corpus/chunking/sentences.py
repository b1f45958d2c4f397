"""Where the sentences of scientific prose end."""

from __future__ import annotations

import re

from corpus.chunking.abbreviations import ALWAYS, LEADS_ON, MAY_END, OPENERS, UNITS

Span = tuple[int, int]

# A full stop with what may follow it closely: closing quotes and brackets, or a citation, in
# brackets or as plain digits that were raised in print ("activity.12,13 The"). Full-width stops end
# a sentence without a space.
_END = re.compile(
    r"(?<![.!?\u2026])(?P<stop>[.!?\u2026]++)"
    r"(?P<closing>[)\]\"'\u201d\u2019\u00bb]*)"
    r"(?P<cites>(?<=[^\W\d][.])\d{1,3}(?:[,\u2013-]\d{1,3})*|\[\d[\d,\s\u2013-]*\])?"
    r"(?P<gap>\s+|$)"
    r"|[\u3002\uff01\uff1f]+[\u300d\u300f\uff09\u201d]*(?P<gap2>\s*)"
    r"|(?P<blank>\n[ \t]*\n\s*)"
)
_WORD_BEFORE = re.compile(r"[^\s(\[{,;/\u2013\u2014]+$")
_DOTTED = re.compile(r"(?:[^\W\d]\.)+[^\W\d]")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W_]+)*")
_OPENING_MARKS = " \t\n([{\"'\u201c\u2018\u00ab\u00bf\u00a1*\u2020\u2021\u2022\u2013\u2014-"
# Names that keep a small first letter at the start of a sentence: p53, mTOR, miR-21, siRNA, eIF4E,
# pH.
_SMALL_NAME = re.compile(r"[a-z]{1,3}-?[A-Z0-9]")
_GREEK_NAME = re.compile(r"[\u03b1-\u03c9]-?[\w]")
_NUMBERING = re.compile(r"[(\[]?(?:\d{1,3}|[ivxIVX]+|[A-Za-z])")
_MAX_BRACKET = 300


def split(text: str) -> list[Span]:
    """Return the spans (start, end) of the sentences of a text, in order, without the white space
    around them.

    Every character that is no white space lies in exactly one span. Full stops of abbreviations
    ("et al.", "Fig. 2", "e.g."), initials, species ("E. coli") and decimals end nothing; a blank
    line always does.
    """
    spans: list[Span] = []
    start = _skip_space(text, 0)
    for match in _END.finditer(text):
        if match.start() < start:
            continue
        if _ends_here(text, start, match):
            end = _content_end(text, start, match)
            if end > start:
                spans.append((start, end))
            start = _skip_space(text, match.end())
    end = len(text.rstrip())
    if start < end:
        spans.append((start, end))
    return spans


def sentences(text: str) -> list[str]:
    """The sentences themselves."""
    return [text[start:end] for start, end in split(text)]


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _content_end(text: str, start: int, match: re.Match[str]) -> int:
    end = match.start() if match["blank"] is not None else match.end()
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    if match["blank"] is not None or match["stop"] is None or match.end() == len(text):
        return True
    if "\n\n" in match["gap"]:
        return True
    following = text[match.end() : match.end() + 60]
    if not _may_start(following):
        return False
    if _inside_bracket(text, start, match.start(), match["closing"] or ""):
        return False
    if match["stop"] != ".":
        return True
    return _full_stop_ends(text, start, match, following)


def _may_start(following: str) -> bool:
    plain = following.lstrip(_OPENING_MARKS)
    if not plain:
        return True
    first = plain[0]
    if first.isdigit() or first.isupper() or not first.isalpha():
        return first not in ",;:.)]}%=<>\u2264\u2265+\u00b1/"
    if first.islower():
        return bool(_SMALL_NAME.match(plain) or _GREEK_NAME.match(plain))
    return True  # scripts without case


def _inside_bracket(text: str, start: int, stop: int, closing: str) -> bool:
    """Whether a bracket that opened in this sentence is still open after the stop and its
    closing marks.
    """
    piece = text[max(start, stop - _MAX_BRACKET) : stop] + closing
    depth = 0
    for char in piece:
        if char in "([":
            depth += 1
        elif char in ")]" and depth:
            depth -= 1
    if not depth:
        return False
    return bool(re.search(r"[)\]]", text[stop + 1 : stop + _MAX_BRACKET]))


def _full_stop_ends(text: str, start: int, match: re.Match[str], following: str) -> bool:
    found = _WORD_BEFORE.search(text, max(start, match.start() - 40), match.start())
    word = found.group() if found else ""
    plain = following.lstrip(_OPENING_MARKS)
    opener = _FIRST_WORD.match(plain)
    opens = opener is not None and opener.group() in OPENERS
    lowered = word.lower().lstrip("\"'\u201c\u2018")
    if match["closing"] or match["cites"]:
        return True
    if found is not None and found.start() == start and _NUMBERING.fullmatch(word):
        return False  # "1. Introduction": the number belongs to what follows
    if word == "0" and plain[:1].isdigit():
        return False  # "P = 0. 05"
    if lowered in ("no", "nos", "nr"):
        return not plain[:1].isdigit()
    if lowered in UNITS:
        return not plain[:1].islower()
    if lowered in LEADS_ON:
        return opens and lowered not in ALWAYS
    if lowered in MAY_END or _DOTTED.fullmatch(word):
        return opens
    if len(word) == 1 and word.isalpha() and word.isupper():
        return opens  # an initial or a genus, unless "vitamin D. The"
    return True
