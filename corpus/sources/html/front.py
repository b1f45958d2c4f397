"""What a page says about its article: citation and Dublin Core meta tags, JSON-LD."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from corpus.sources import ids
from corpus.sources.cleaning import one_line
from corpus.sources.dates import iso_date, loose_date
from corpus.sources.languages import two_letters
from corpus.sources.markup import Element, inline_text
from corpus.types import Identifiers

_CREATIVE = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([a-z-]+)(?:/(\d\.\d))?")
_SITE = re.compile(r"\s+(?:[|»•·–—]|-)\s+[^|»•·–—]{2,60}$")
_ARTICLES: Final = frozenset(
    {"scholarlyarticle", "medicalscholarlyarticle", "article", "newsarticle", "report", "book",
     "blogposting", "medicalwebpage", "webpage", "chapter", "techarticle"}
)  # fmt: skip
_MAX_JSON: Final = 1_000_000
_MAX_NAMES: Final = 500
Meta = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Front:
    """The page's own data; '' and () for what it does not tell."""

    title: str = ""
    authors: tuple[str, ...] = ()
    identifiers: Identifiers = field(default_factory=Identifiers)
    published: str = ""
    journal: str = ""
    licence: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()


def read_front(root: Element) -> Front:
    """Meta tags first, since publishers keep them for indexes; JSON-LD for what they leave out."""
    meta, linked = _meta(root), _linked(root)

    def first(*names: str) -> str:
        return next((meta[name][0] for name in names if meta.get(name)), "")

    names = next((found for key in _AUTHORS if (found := meta.get(key))), None)
    title = first("citation_title", "dc.title", "dcterms.title") or _text(
        linked.get("headline") or linked.get("name")
    )
    identifiers = ids.identifiers(
        doi_=first("citation_doi", "prism.doi", "doi", "dc.identifier.doi") or _doi(meta, linked),
        pmid_=first("citation_pmid", "ncbi_uid" if "ncbi_db" in meta else ""),
        pmcid_=first("citation_pmcid", "citation_pmc"),
    )
    return Front(
        title=title or first("og:title", "twitter:title") or _page_title(root),
        authors=tuple(map(_turned, names or _people(linked.get("author"))))[:_MAX_NAMES],
        identifiers=identifiers,
        published=_date(first(*_DATES) or _text(linked.get("datePublished"))),
        journal=first("citation_journal_title", "prism.publicationname", "dc.source",
                      "citation_conference_title") or _journal(linked),
        licence=_licence(root, first("dc.rights", "dcterms.license", "prism.copyright"), linked),
        language=two_letters(root.get("lang", "") or root.get(
            "{http://www.w3.org/XML/1998/namespace}lang", "")
            or first("citation_language", "dc.language", "og:locale")),
        tags=_tags(meta),
    )  # fmt: skip


_AUTHORS: Final = ("citation_author", "dc.creator", "citation_authors", "author", "article:author")
_DATES: Final = (
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date",
    "dcterms.issued", "prism.publicationdate", "article:published_time", "citation_year",
)  # fmt: skip


def _meta(root: Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in root.iter("meta"):
        name = element.get("name") or element.get("property") or element.get("itemprop") or ""
        content = one_line(element.get("content") or "")
        if name and content:
            found.setdefault(name.strip().lower().replace("dcterms.creator", "dc.creator"), [])
            found[name.strip().lower().replace("dcterms.creator", "dc.creator")].append(content)
    return found


def _linked(root: Element) -> dict[str, Any]:
    """The first article-like object of the page's JSON-LD."""
    for element in root.iter("script"):
        if element.get("type", "").split(";")[0].strip().lower() == "application/ld+json":
            for item in _objects(element.text or ""):
                kinds = item.get("@type")
                kinds = kinds if isinstance(kinds, list) else [kinds]
                if any(str(kind).lower() in _ARTICLES for kind in kinds):
                    return item
    return {}


def _objects(text: str) -> Iterator[dict[str, Any]]:
    if len(text) > _MAX_JSON:
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return  # a page's script need not be well-formed: then it tells nothing
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, dict):
            yield item
            graph = item.get("@graph")
            yield from (
                (node for node in graph or [] if isinstance(node, dict))
                if isinstance(graph, list)
                else ()
            )


def _text(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("name") or value.get("@value") or value.get("@id") or value.get("url")
    return one_line(str(value)) if isinstance(value, (str, int)) else ""


def _people(value: object) -> list[str]:
    people = value if isinstance(value, list) else [value]
    return [name for person in people if (name := _text(person))]


def _turned(name: str) -> str:
    """'Mensah, Ada' as Ada Mensah; what has no single comma stays."""
    family, comma, given = name.partition(",")
    plain = comma and given.strip() and "," not in given and len(name) < 80
    return f"{given.strip()} {family.strip()}" if plain else name


def _doi(meta: Meta, linked: Mapping[str, Any]) -> str:
    told = [*meta.get("dc.identifier", []), *meta.get("dcterms.identifier", []),
            *_strings(linked.get("@id")), *_strings(linked.get("sameAs")),
            *_strings(linked.get("identifier")), *_strings(linked.get("doi"))]  # fmt: skip
    return next((found for text in told if (found := ids.doi(text))), "")


def _strings(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    values = [item.get("value") if isinstance(item, dict) else item for item in items]
    return [item for item in values if isinstance(item, str)]


def _journal(linked: Mapping[str, Any]) -> str:
    part: object = linked.get("isPartOf")
    for _ in range(4):  # issue, volume, periodical
        part = part[0] if isinstance(part, list) and part else part
        if not isinstance(part, dict):
            return ""
        if _text(part.get("name")):
            return _text(part.get("name"))
        part = part.get("isPartOf")
    return ""


def _licence(root: Element, told: str, linked: Mapping[str, Any]) -> str:
    links = [element.get("href", "") for element in root.iter("a", "link")
             if "license" in element.get("rel", "").lower()]  # fmt: skip
    for text in (told, _text(linked.get("license")), *links):
        if found := _CREATIVE.search(text.lower()):
            kind, version = found.group(1), found.group(2) or ""
            name = "CC0" if kind == "zero" else f"CC {kind.upper()}"
            return "public domain" if kind == "mark" else f"{name} {version}".strip()
    return told[:120]


def _tags(meta: Meta) -> tuple[str, ...]:
    words: list[str] = []
    for name in ("citation_keywords", "citation_keyword", "keywords", "dc.subject"):
        values = meta.get(name, [])
        if values:
            words = [word for value in values for word in re.split(r"\s*[;,]\s*", value)]
            break
    return tuple(dict.fromkeys(word for word in words if 0 < len(word) <= 80))[:50]


def _date(text: str) -> str:
    found = re.match(r"\s*(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?", text)
    if found:
        return iso_date(found.group(1), found.group(2) or "", found.group(3) or "")
    return loose_date(text)


def _page_title(root: Element) -> str:
    """The title of the window without the name of the site behind it."""
    title = inline_text(root.find(".//title"))
    shorter = _SITE.sub("", title)
    return shorter if len(shorter) >= 15 else title
