"""What an article says about itself: ids, names, dates, licence, links, references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from corpus.sources.dates import iso_date
from corpus.sources.jats.inline import text_of
from corpus.sources.jats.shape import Cited, Related
from corpus.sources.markup import Element, tag

_XLINK = "{http://www.w3.org/1999/xlink}href"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_CREATIVE = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([a-z-]+)(?:/(\d\.\d))?")
_DATE_RANK: Final = ("epub", "pub", "epub-ppub", "ppub", "preprint", "collection")
_PHRASES: Final = (
    ("non-commercial-no derivatives", "CC BY-NC-ND"),
    ("noncommercial-noderivs", "CC BY-NC-ND"),
    ("attribution non-commercial", "CC BY-NC"),
    ("attribution noncommercial", "CC BY-NC"),
    ("creative commons attribution", "CC BY"),
    ("public domain", "public domain"),
)


def first(meta: Element | None, path: str) -> Element | None:
    """The first match below, None without an element to look in."""
    return None if meta is None else meta.find(path)


def ids(meta: Element | None) -> dict[str, str]:
    """Article ids by type (doi, pmid, pmc, publisher-id); the first of a type counts."""
    found: dict[str, str] = {}
    for item in [] if meta is None else meta.findall("{*}article-id"):
        text = text_of(item)
        if text:
            found.setdefault(item.get("pub-id-type", ""), text)
    return found


def authors(meta: Element | None) -> tuple[str, ...]:
    """Names of the authors in order; groups by their own name."""
    if meta is None:
        return ()
    people = [
        contributor
        for group in meta.findall("{*}contrib-group")
        for contributor in group.iter("{*}contrib")
        if contributor.get("contrib-type", "author") == "author"
        and not any(tag(above) == "collab" for above in contributor.iterancestors())
    ]
    return tuple(name for person in people if (name := _person(person)))


def _person(contributor: Element) -> str:
    for child in contributor:
        if tag(child) == "name-alternatives":
            return _person(child)
        if tag(child) == "name":
            parts = ("given-names", "surname", "suffix")
            return " ".join(filter(None, (text_of(child.find(f"{{*}}{part}")) for part in parts)))
        if tag(child) in ("string-name", "anonymous"):
            return text_of(child)
        if tag(child) == "collab":
            own = child.find("{*}institution")
            return text_of(own) if own is not None else _own_text(child)
    return ""


def _own_text(collab: Element) -> str:
    """A group's name without the list of its members inside it."""
    for members in collab.findall("{*}contrib-group"):
        members.clear()
    return text_of(collab)


def published(meta: Element | None) -> str:
    """The date of the version of record: electronic before print, a full date before a year."""
    if meta is None:
        return ""
    dates = [(_rank(item), _date(item)) for item in meta.findall("{*}pub-date")]
    dates = [(rank, date) for rank, date in dates if date]
    exact = [(rank, date) for rank, date in dates if len(date) > 4]
    return min(exact or dates, default=(0, ""))[1]


def _rank(item: Element) -> int:
    kind = item.get("pub-type") or item.get("date-type") or ""
    return _DATE_RANK.index(kind) if kind in _DATE_RANK else len(_DATE_RANK)


def _date(item: Element) -> str:
    parts = (text_of(item.find(f"{{*}}{part}")) for part in ("year", "month", "day"))
    return iso_date(*parts)


def licence(meta: Element | None) -> str:
    """A short name such as 'CC BY 4.0' where it can be told, else the first words of the text."""
    permissions = first(meta, "{*}permissions")
    if permissions is None:
        return _old_licence(meta)
    for element in permissions.iter("{*}license", "{*}license_ref", "{*}ext-link"):
        found = _CREATIVE.search((element.get(_XLINK) or element.text or "").lower())
        if found:
            return _creative(found.group(1), found.group(2) or "")
    return _phrase(text_of(permissions.find("{*}license")))


def _old_licence(meta: Element | None) -> str:
    """NLM 2 kept licence and copyright without a frame."""
    text = text_of(first(meta, "{*}license")) or text_of(first(meta, "{*}copyright-statement"))
    return _phrase(text)


def _creative(kind: str, version: str) -> str:
    if kind == "zero":
        return f"CC0 {version}".strip()
    if kind == "mark":
        return "public domain"
    return f"CC {kind.upper()} {version}".strip()


def _phrase(text: str) -> str:
    lowered = text.lower()
    for phrase, name in _PHRASES:
        if phrase in lowered:
            return name
    return text if len(text) <= 120 else text[:120].rsplit(" ", 1)[0] + " …"


def related(article: Element, meta: Element | None) -> tuple[Related, ...]:
    """Links to other articles: retraction, correction, preprint and so on."""
    items = [] if meta is None else list(meta.iter("{*}related-article"))
    return tuple(
        Related(
            item.get("related-article-type", ""),
            item.get("ext-link-type", ""),
            (item.get(_XLINK) or text_of(item)).strip(),
        )
        for item in items
    )


def references(article: Element) -> tuple[Cited, ...]:
    """The entries of the article's own reference lists."""
    return tuple(_cited(ref) for back in article.findall("{*}back") for ref in back.iter("{*}ref"))


def _cited(ref: Element) -> Cited:
    found = {item.get("pub-id-type", ""): text_of(item) for item in ref.iter("{*}pub-id")}
    link = next(
        (text_of(item) for item in ref.iter("{*}ext-link") if "doi.org/" in text_of(item)), ""
    )
    body = next((child for child in ref if tag(child) not in ("label", "")), None)
    return Cited(found.get("doi", "") or link, found.get("pmid", ""), _reference_text(body))


def _reference_text(body: Element | None) -> str:
    """The reference as printed; one given only in fields has its values joined."""
    if body is None or tag(body) not in ("element-citation", "nlm-citation", "citation"):
        return text_of(body)
    if any((child.tail or "").strip() for child in body):
        return text_of(body)
    told = [child for child in body if tag(child) != "pub-id"]
    values = [_names(child) if len(child) else text_of(child) for child in told]
    return ". ".join(value.rstrip(".") for value in values if value)


def _names(group: Element) -> str:
    people = [_reference_name(child) for child in group.iter("{*}name", "{*}string-name")]
    return ", ".join(filter(None, people)) or text_of(group)


def _reference_name(name: Element) -> str:
    parts = (text_of(name.find("{*}surname")), text_of(name.find("{*}given-names")))
    return " ".join(filter(None, parts)) or text_of(name)


def keywords(meta: Element | None) -> tuple[str, ...]:
    """Keywords of all groups, once each."""
    words = [] if meta is None else [text_of(item) for item in meta.iter("{*}kwd")]
    return tuple(dict.fromkeys(word for word in words if word))


def subjects(meta: Element | None) -> tuple[str, ...]:
    """Subjects and the kind of article as the journal prints it."""
    names = [] if meta is None else [text_of(item) for item in meta.iter("{*}subject")]
    return tuple(dict.fromkeys(name for name in names if name))


def language(element: Element) -> str:
    """xml:lang, '' where it is missing (as it often is)."""
    return element.get(_XML_LANG, "")


def titles(meta: Element | None) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The title, and (language, title) of its translations."""
    group = first(meta, "{*}title-group")
    main = text_of(first(group, "{*}article-title"))
    subtitle = text_of(first(group, "{*}subtitle"))
    if subtitle:
        main = f"{main.rstrip(':')}: {subtitle}"
    return main, tuple(_translations(group))


def _translations(group: Element | None) -> Iterator[tuple[str, str]]:
    if group is None:
        return
    for item in group.findall("{*}trans-title-group"):
        yield language(item), text_of(item.find("{*}trans-title"))
    for item in group.findall("{*}trans-title"):
        yield language(item), text_of(item)
