"""CSL-JSON, as Zotero, Crossref and citation processors exchange it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.references.files import link_files
from corpus.sources.references.idtext import known, without_ids
from corpus.sources.references.people import turned
from corpus.sources.references.shape import Reference

_OURS: Final = frozenset({"title", "DOI", "PMID", "PMCID", "container-title", "issued"})
_DETAILS: Final = {
    "volume": "volume", "issue": "issue", "pages": "page", "publisher": "publisher",
    "isbn": "ISBN", "url": "URL", "edition": "edition", "series": "collection-title",
}  # fmt: skip


def read_csl(text: str, filename: str) -> Iterator[Reference | Broken]:
    """Yield the items of a list, of {"items": […]}, or a single item."""
    items = _items(text, filename)
    if not any(isinstance(item, dict) and _OURS & item.keys() for item in items):
        raise NotThisSource(f"{filename} is JSON, but holds no references in CSL-JSON.")
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            yield _reference(number, item)
        else:
            yield Broken(f"item {number}", f"Item {number} is no JSON object: leave it out.")


def _items(text: str, filename: str) -> list[Any]:
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ParseError(f"{filename} is nested too deeply to be a reference list.") from error
    except ValueError as error:
        raise ParseError(f"{filename} is not JSON ({error}): export it again.") from error
    if isinstance(value, dict):
        inner = value.get("items")
        value = inner if isinstance(inner, list) else [value]
    return value if isinstance(value, list) else []


def _reference(number: int, item: Mapping[str, Any]) -> Reference:
    notes = [_text(item.get(name)) for name in ("note", "annote")]
    details = {name: _text(item.get(source)) for name, source in _DETAILS.items()}
    details["editors"] = "; ".join(_people(item.get("editor")))
    attached = item.get("attachments")
    return Reference(
        line=number,
        key=_text(item.get("citation-key")) or _text(item.get("id")),
        entry_type=_text(item.get("type")).lower(),
        title=_text(item.get("title")),
        authors=_people(item.get("author")),
        journal=_text(item.get("container-title")),
        published=_date(item.get("issued")),
        abstract=_text(item.get("abstract")),
        notes=tuple(note for raw in notes if (note := without_ids(raw)).strip()),
        keywords=_keywords(item.get("keyword")),
        files=link_files(_paths(attached)) if isinstance(attached, list) else (),
        language=_text(item.get("language")),
        details={name: value for name, value in details.items() if value},
        **known(
            doi=_text(item.get("DOI")), pmid=_text(item.get("PMID")),
            pmcid=_text(item.get("PMCID")), links=_text(item.get("URL")), notes="\n".join(notes),
        ),
    )  # fmt: skip


def _text(value: object) -> str:
    """A text or number; of a list the first one, as Crossref gives titles."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return str(value)


def _people(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(name for person in value if isinstance(person, dict) and (name := _name(person)))


def _name(person: Mapping[str, Any]) -> str:
    if literal := one_line(_text(person.get("literal")) or _text(person.get("name"))):
        return literal
    parts = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
    name = one_line(" ".join(_text(person.get(part)) for part in parts))
    return name if "given" in person else turned(name)


def _date(value: object) -> str:
    if not isinstance(value, dict):
        return loose_date(_text(value))
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        found = iso_date(*[_text(part) for part in parts[0][:3]] or [""])
        if found:
            return found
    raw = _text(value.get("raw")) or _text(value.get("literal"))
    pieces = raw.replace("/", "-").split("-")
    exact = iso_date(*pieces) if 1 < len(pieces) < 4 and len(pieces[0]) == 4 else ""
    return exact or loose_date(raw)


def _keywords(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        words = [_text(word) for word in value]
    else:
        text = _text(value)
        words = text.split(";" if ";" in text else ",")
    return tuple(filter(None, map(one_line, words)))


def _paths(attached: list[Any]) -> Iterator[str]:
    for file in attached:
        if isinstance(file, str):
            yield file
        elif isinstance(file, dict):
            yield _text(file.get("path")) or _text(file.get("filename"))
