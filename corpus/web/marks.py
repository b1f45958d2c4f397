"""Marking what a source says: in its text, on its page, in its fields and cells.

All text of a source is escaped here; only <mark> is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

Span = tuple[int, int]
MOST_VALUES = 60  # of one field: a pathway with 400 participants would hide the rest of its record


def marked(text: str, spans: Iterable[Span]) -> SafeString:
    """The text with [start, end) spans inside <mark>. Overlapping spans are one mark."""
    parts: list[str] = []
    at = 0
    for start, end in merged(spans, len(text)):
        parts += [escape(text[at:start]), "<mark>", escape(text[start:end]), "</mark>"]
        at = end
    parts.append(escape(text[at:]))
    return mark_safe("".join(parts))


def merged(spans: Iterable[Span], length: int) -> list[Span]:
    """Spans in order, cut to [0, length), without empty ones; those that meet are joined."""
    out: list[Span] = []
    for start, end in sorted((max(0, s), min(length, e)) for s, e in spans):
        if start >= end:
            continue
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box on a page, in points from its top left."""

    x: float
    y: float
    width: float
    height: float


def boxes(lines: Sequence[Sequence[float]], page: int, start: int, end: int) -> list[Rectangle]:
    """Where characters [start, end) of a passage stand on a page.

    `lines` are the passage's own: [start, end, page, x0, y0, x1, y1]. A line that is quoted in part
    is cut in proportion to its characters, which is right to about a letter's width.
    """
    found = []
    for line_start, line_end, line_page, x0, y0, x1, y1 in lines:
        first, last = max(start, line_start), min(end, line_end)
        if int(line_page) != page or first >= last:
            continue
        per_character = (x1 - x0) / max(line_end - line_start, 1)
        left = x0 + (first - line_start) * per_character
        width = (last - first) * per_character
        found.append(Rectangle(round(left, 1), round(y0, 1), round(width, 1), round(y1 - y0, 1)))
    return found


def page_of(lines: Sequence[Sequence[float]], at: int) -> int | None:
    """The page on which the passage's character `at` stands; None where no line holds it."""
    return next((int(line[2]) for line in lines if line[0] <= at < line[1]), None)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record; `prose` is running text, which stands in the source's type face."""

    label: str
    value: SafeString
    prose: bool


# The database keeps no order of keys; records are read in this one, other fields after it.
ORDER = (
    *("name", "title", "kind", "stId", "species", "compartments", "part_of", "summary"),
    *("inputs", "catalysts", "outputs", "regulators", "participants", "contains", "follows"),
)
NAMED = {"stId": "Stable id", "go": "GO terms", "contains": "Contains events"}


def record_fields(fields: Mapping[str, Any], quote: str = "") -> list[Field]:
    """A record's own fields, empty ones left out, the quoted words marked."""
    known = {key: at for at, key in enumerate(ORDER)}
    keys = sorted(fields, key=lambda key: (known.get(key, len(known)), key))
    return [
        Field(label_of(key), field_value(fields[key], quote), _is_prose(fields[key]))
        for key in keys
        if fields[key] not in (None, "", [], {})
    ]


def _is_prose(value: Any) -> bool:
    return isinstance(value, str) and len(value) > 60


def label_of(key: str) -> str:
    """`literature_references` as `Literature references`."""
    words = NAMED.get(key, key.replace("_", " ").strip())
    return words[:1].upper() + words[1:]


def field_value(value: Any, quote: str) -> SafeString:
    """A value as text: lists with commas, long ones cut with their true length."""
    if isinstance(value, Mapping):
        text = "; ".join(f"{label_of(str(k))}: {_plain(v)}" for k, v in value.items() if v)
        return marked(text, shared_spans(text, quote))
    if isinstance(value, list | tuple):
        items = [_item(item, quote) for item in value[:MOST_VALUES]]
        more = len(value) - len(items)
        rest = format_html(" and {} more", more) if more > 0 else ""
        return format_html("{}{}", format_html_join(", ", "{}", ((item,) for item in items)), rest)
    text = _plain(value)
    return marked(text, shared_spans(text, quote))


def _item(item: Any, quote: str) -> SafeString:
    """One value of a list; of a named thing the name may be quoted, its id stands beside it."""
    name = _plain(item)
    shown = marked(name, [(0, len(name))] if _stands_in(name.casefold(), quote.casefold()) else [])
    ident = item.get("id") if isinstance(item, Mapping) else ""
    if not ident or ident == name:
        return shown
    return format_html('{} <span class="id dim">{}</span>', shown, ident)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        keys = ("name", "label", "title", "id")
        return next((str(value[key]) for key in keys if value.get(key)), "")
    return str(value)


SHORTEST = 3  # characters: below, a common piece says nothing


def shared_spans(text: str, quote: str) -> list[Span]:
    """Where the quote, or its longest pieces, stand in a field's text.

    A quote of a record is taken from the text made of its fields, so a field holds a part of it:
    its whole text, or some of the values between its commas.
    """
    if not quote or not text:
        return []
    low, needle = text.casefold(), quote.casefold()
    if len(low) != len(text):  # a letter whose lower case is longer: spans would be off
        low, needle = text, quote
    at = low.find(needle)
    if at >= 0:
        return [(at, at + len(needle))]
    if low.strip() and low.strip() in needle:
        return [(0, len(text))]
    return [span for span in _pieces(low) if _stands_in(low[span[0] : span[1]], needle)]


def _pieces(text: str) -> list[Span]:
    out, start = [], 0
    for separator in (", ", "; ", ". "):
        if separator in text:
            for piece in text.split(separator):
                out.append((start, start + len(piece)))
                start += len(piece) + len(separator)
            return out
    return [(0, len(text))]


def _stands_in(piece: str, quote: str) -> bool:
    """Whether a piece occurs in the quote as a word of its own."""
    if len(piece) < SHORTEST:
        return False
    at = quote.find(piece)
    while at >= 0:
        before = quote[at - 1] if at else " "
        after = quote[at + len(piece)] if at + len(piece) < len(quote) else " "
        if not before.isalnum() and not after.isalnum():
            return True
        at = quote.find(piece, at + 1)
    return False
