"""What stands between two lines of dashes at the top of a Markdown file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.ids import identifiers
from corpus.sources.languages import two_letters

MAX_LINES: Final = 400
_FIELD = re.compile(r"(?P<key>[A-Za-z][\w .-]{0,40}?)\s*:(?:\s+(?P<value>.*))?")
_ITEM = re.compile(r"\s*-\s+(?P<value>.*)")
_NAME = re.compile(r"\s*(?:-\s+)?(?:name|family|literal)\s*:\s*(?P<value>.*)")
_DAY = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)")


def split_front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    """Return (values by lower-case key, the text behind); no values when there is no such head.

    Read by hand, line by line: `key: value`, `[a, b]` and lists of `- item`. Nothing is run or
    built from it, as a YAML reader might.
    """
    lines = text.split("\n", MAX_LINES)
    if not lines or lines[0].strip() != "---":
        return {}, text
    for number, line in enumerate(lines[1:MAX_LINES], start=1):
        if line.strip() in ("---", "..."):
            found = _fields(lines[1:number])
            return (found, "\n".join(lines[number + 1 :])) if found else ({}, text)
    return {}, text


def _fields(lines: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        field = None if line[:1].isspace() else _FIELD.fullmatch(line.rstrip())
        if field:
            key = field["key"].strip().lower()
            found.setdefault(key, []).extend(_values(field["value"] or ""))
        elif key and (item := _NAME.fullmatch(line) or _ITEM.fullmatch(line)):
            found[key] += _values(item["value"])
        elif key and line.strip() and found[key] and line[:1].isspace():
            found[key][-1] += f" {line.strip()}"  # a value that goes on in the next line
    return {name: [text for value in values if (text := one_line(value))]
            for name, values in found.items()}  # fmt: skip


def _values(value: str) -> list[str]:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return [_bare(part) for part in value[1:-1].split(",") if part.strip()]
    return [] if value in ("", "|", ">", "|-", ">-") else [_bare(value)]


def _bare(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.sub(r"\s+#.*", "", value)


def about(front: Mapping[str, list[str]]) -> dict[str, Any]:
    """The fields of a Prose that a head gives: title, authors, published, identifiers, …"""

    def first(*keys: str) -> str:
        return next((front[key][0] for key in keys if front.get(key)), "")

    authors = [name for key in ("author", "authors") for name in front.get(key, [])]
    tags = [tag for key in ("tags", "keywords", "categories") for tag in front.get(key, [])]
    if len(tags) == 1:
        tags = re.split(r"\s*[,;]\s*", tags[0])
    return {
        "title": first("title"),
        "authors": tuple(authors),
        "published": date_of(first("date", "published", "year")),
        "identifiers": identifiers(
            doi_=first("doi"), pmid_=first("pmid"), pmcid_=first("pmcid", "pmc")
        ),
        "journal": first("journal", "venue"),
        "licence": first("license", "licence"),
        "language": two_letters(first("lang", "language")),
        "tags": tuple(dict.fromkeys(tag.lstrip("#") for tag in tags if tag.strip("# "))),
    }


def date_of(text: str) -> str:
    """An ISO date out of 2021-3-4, 2021/03 or 'March 2021'."""
    found = _DAY.search(text)
    if found:
        return iso_date(found.group(1), found.group(2) or "", found.group(3) or "")
    return loose_date(text)
