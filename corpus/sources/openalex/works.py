"""One work of OpenAlex, whatever the age of its schema.

Until 2024 a work had concepts and a host venue, then topics and locations, from 2026 on a primary
topic alone. A field of an unexpected shape is taken as absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.ids import openalex as openalex_id
from corpus.sources.openalex.abstracts import Abstract, plain, rebuild

Json = Mapping[str, Any]
_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}")
_MIN_CONCEPT_SCORE: Final = 0.3
_MAX_TAGS: Final = 60


@dataclass(frozen=True, slots=True)
class Location:
    """A place where the work can be read."""

    venue: str = ""
    kind: str = ""
    licence: str = ""
    version: str = ""
    is_oa: bool = False
    url: str = ""
    pdf: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """One work; texts are clean, ids as OpenAlex prints them."""

    id: str
    title: str
    abstract: Abstract = field(default_factory=Abstract)
    type: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    published: str = ""
    language: str = ""
    retracted: bool = False
    paratext: bool = False
    licence: str = ""
    oa_status: str = ""
    oa_url: str = ""
    locations: tuple[Location, ...] = ()
    tags: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    funders: tuple[str, ...] = ()
    biblio: Mapping[str, str] = field(default_factory=dict)
    revised: str = ""
    cited_by: int = 0
    reference_count: int = 0


def work_from(value: Json) -> Work:
    """Read one work; the caller refuses one without id, or with neither title nor abstract."""
    names = _dict(value, "ids")
    primary = _dict(value, "primary_location")
    best = _dict(value, "best_oa_location")
    access = _dict(value, "open_access")
    return Work(
        id=openalex_id(_text(value, "id") or _text(names, "openalex")),
        title=plain(_text(value, "title") or _text(value, "display_name")),
        abstract=rebuild(value.get("abstract_inverted_index")),
        type=_text(value, "type"),
        doi=_text(value, "doi") or _text(names, "doi"),
        pmid=_text(names, "pmid"),
        pmcid=_text(names, "pmcid"),
        authors=tuple(_authors(value)),
        venue=_venue(primary) or plain(_text(_dict(value, "host_venue"), "display_name")),
        published=_published(value),
        language=_text(value, "language"),
        retracted=value.get("is_retracted") is True,
        paratext=value.get("is_paratext") is True,
        licence=_text(best, "license") or _text(primary, "license"),
        oa_status=_text(access, "oa_status"),
        oa_url=_text(access, "oa_url"),
        locations=tuple(map(_location, _dicts(value, "locations") or _present(primary))),
        tags=tuple(_tags(value)),
        references=tuple(_works(value, "referenced_works")),
        related=tuple(_works(value, "related_works")),
        funders=tuple(_funders(value)),
        biblio=_biblio(_dict(value, "biblio")),
        revised=_text(value, "updated_date"),
        cited_by=_count(value, "cited_by_count"),
        reference_count=_count(value, "referenced_works_count"),
    )


def _text(value: Json, key: str) -> str:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, (str, int)):
        return ""
    return one_line(str(found))


def _count(value: Json, key: str) -> int:
    found = value.get(key)
    usable = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**9
    return int(found or 0) if usable else 0


def _dict(value: Json, key: str) -> Json:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _dicts(value: Json, key: str) -> list[Json]:
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _present(value: Json) -> list[Json]:
    return [value] if value else []


def _authors(value: Json) -> Iterator[str]:
    for item in _dicts(value, "authorships"):
        name = _text(_dict(item, "author"), "display_name") or _text(item, "raw_author_name")
        if name := plain(name):
            yield name


def _venue(location: Json) -> str:
    named = _text(_dict(location, "source"), "display_name")
    return plain(named or _text(location, "raw_source_name"))


def _published(value: Json) -> str:
    found = _DATE.match(_text(value, "publication_date")) or _DATE.match(
        _text(value, "publication_year")
    )
    return found.group() if found else ""


def _location(value: Json) -> Location:
    return Location(
        venue=_venue(value),
        kind=_text(_dict(value, "source"), "type"),
        licence=_text(value, "license"),
        version=_text(value, "version"),
        is_oa=value.get("is_oa") is True,
        url=_text(value, "landing_page_url"),
        pdf=_text(value, "pdf_url"),
    )


def _tags(value: Json) -> list[str]:
    """Topics first, then keywords, headings and the concepts that fit well; each once."""
    named = [
        *_present(_dict(value, "primary_topic")),
        *_dicts(value, "topics"),
        *_dicts(value, "keywords"),
        *(item for item in _dicts(value, "concepts") if _fits(item)),
    ]
    texts = [_text(item, "display_name") or _text(item, "keyword") for item in named]
    texts += [_text(item, "descriptor_name") for item in _dicts(value, "mesh")]
    unique: dict[str, str] = {}
    for text in map(plain, texts):
        if text:
            unique.setdefault(text.lower(), text)
    return list(unique.values())[:_MAX_TAGS]


def _fits(concept: Json) -> bool:
    score = concept.get("score")
    return isinstance(score, (int, float)) and score >= _MIN_CONCEPT_SCORE


def _works(value: Json, key: str) -> Iterator[str]:
    found = value.get(key)
    ids = map(openalex_id, found) if isinstance(found, list) else ()
    yield from dict.fromkeys(identifier for identifier in ids if identifier)


def _funders(value: Json) -> Iterator[str]:
    names = [_text(item, "funder_display_name") for item in _dicts(value, "grants")]
    names += [_text(item, "funder_display_name") for item in _dicts(value, "awards")]
    names += [_text(item, "display_name") for item in _dicts(value, "funders")]
    yield from dict.fromkeys(filter(None, map(plain, names)))


def _biblio(value: Json) -> dict[str, str]:
    first, last = _text(value, "first_page"), _text(value, "last_page")
    pages = f"{first}-{last}" if first and last and first != last else first or last
    found = {"volume": _text(value, "volume"), "issue": _text(value, "issue"), "pages": pages}
    return {key: text for key, text in found.items() if text}
