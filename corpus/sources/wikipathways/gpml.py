"""GPML, the form of 2013 and that of 2021, as nodes, groups and lines.

The two differ in names: GraphId and elementId, GraphRef and elementRef, Database and dataSource.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import clean_text, one_line
from corpus.sources.markup import Element, child_text, parse_tree, tag

_NAMESPACE = re.compile(r"https?://pathvisio\.org/GPML/", re.IGNORECASE)
_WPID = re.compile(r"WP\d{1,6}")
_STAMP = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")


@dataclass(frozen=True, slots=True)
class Node:
    """A DataNode; `group` is the id of the group it lies in, `states` its marks (P, Ub)."""

    id: str
    label: str
    type: str
    database: str = ""
    xref: str = ""
    group: str = ""
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group of nodes. Nodes name it by `id`, lines by `ref`."""

    id: str
    ref: str
    style: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An Interaction. Ends are ids of what they touch, '' where they touch nothing; an arrowhead
    stands at either end.
    """

    id: str
    start: str
    end: str
    start_head: str = ""
    end_head: str = ""
    anchors: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Publication:
    """A cited work; `database` says what its id is."""

    ref: str
    id: str
    database: str
    title: str = ""
    source: str = ""
    year: str = ""


@dataclass(frozen=True, slots=True)
class Gpml:
    """A drawing as one record."""

    wpid: str
    title: str
    organism: str
    description: str
    version: str = ""
    revised: str = ""
    authors: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()
    groups: tuple[Group, ...] = ()
    lines: tuple[Line, ...] = ()
    publications: tuple[Publication, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    labels: int = 0


def read_gpml(data: bytes, filename: str) -> Gpml:
    """Read a drawing. Raises NotThisSource for XML of another kind, ParseError for broken XML or
    one without a title.
    """
    root = parse_tree(data, filename)
    namespace = root.nsmap.get(root.prefix) or ""
    if tag(root) != "Pathway" or not _NAMESPACE.match(namespace):
        raise NotThisSource(f"{filename} holds <{tag(root)}>, not a GPML pathway.")
    title = _get(root, "Name", "title")
    if not title:
        raise ParseError(f"{filename} is a GPML pathway without a name: fetch it again.")
    version = _get(root, "Version", "version")
    return Gpml(
        wpid=_wpid(root, filename),
        title=title,
        organism=_get(root, "Organism", "organism"),
        description=_description(root),
        version=version,
        revised=_date(_get(root, "Last-Modified") or version),
        authors=tuple(_authors(root)),
        nodes=tuple(map(_node, _find(root, "DataNode"))),
        groups=tuple(map(_group, _find(root, "Group"))),
        lines=tuple(map(_line, _find(root, "Interaction"))),
        publications=tuple(_publications(root)),
        terms=tuple(_terms(root)),
        labels=sum(1 for _ in _find(root, "Label")),
    )


def _wpid(root: Element, filename: str) -> str:
    name = filename.rsplit("/", 1)[-1]
    xref = next(root.iterchildren("{*}Xref"), None)
    own = _get(xref, "identifier", "ID") if xref is not None else ""
    for text in (_get(root, "Version", "version"), own, name):
        if found := _WPID.match(text):
            return found.group()
    return one_line(name.rsplit(".", 1)[0])


def _find(root: Element, name: str) -> Iterator[Element]:
    """Direct children of the drawing (2013), or of the list named for them (2021)."""
    for child in root.iterchildren():
        if tag(child) == name:
            yield child
        elif tag(child) == f"{name}s":
            yield from (inner for inner in child.iterchildren() if tag(inner) == name)


def _get(element: Element, *names: str) -> str:
    return next((text for name in names if (text := one_line(element.get(name) or ""))), "")


def _description(root: Element) -> str:
    texts = [
        "".join(map(str, child.itertext()))
        for child in root.iterchildren()
        if tag(child) == "Description"
        or (tag(child) == "Comment" and "description" in _get(child, "Source", "source").lower())
    ]
    return clean_text("\n\n".join(texts)).strip()


def _date(text: str) -> str:
    found = _STAMP.match(text)
    return "-".join(found.groups()) if found else ""


def _authors(root: Element) -> Iterator[str]:
    listed = _get(root, "Author").strip("[]")
    yield from (name for part in listed.split(",") if (name := part.strip()))
    yield from (name for item in _find(root, "Author") if (name := _get(item, "name", "username")))


def _node(element: Element) -> Node:
    database, xref = _xref(element)
    return Node(
        id=_get(element, "GraphId", "elementId"),
        label=_get(element, "TextLabel", "textLabel"),
        type=_get(element, "Type", "type") or "Unknown",
        database=database,
        xref=xref,
        group=_get(element, "GroupRef", "groupRef"),
        states=tuple(
            label
            for state in element.iterdescendants("{*}State")
            if (label := _get(state, "textLabel"))
        ),
    )


def _xref(element: Element) -> tuple[str, str]:
    found = next(element.iterchildren("{*}Xref"), None)
    if found is None:
        return "", ""
    return _get(found, "Database", "dataSource"), _get(found, "ID", "identifier")


def _group(element: Element) -> Group:
    new = _get(element, "elementId")
    return Group(
        id=_get(element, "GroupId") or new,
        ref=_get(element, "GraphId") or new,
        style=_get(element, "Style", "type") or "Group",
        parent=_get(element, "GroupRef", "groupRef"),
    )


def _line(element: Element) -> Line:
    points = list(element.iterdescendants("{*}Point"))
    anchors = (_get(item, "GraphId", "elementId") for item in element.iterdescendants("{*}Anchor"))
    first, last = (points[0], points[-1]) if points else (element, element)
    citations = [
        one_line(item.text or "") or _get(item, "elementRef")
        for item in element.iterchildren()
        if tag(item) in ("BiopaxRef", "CitationRef")
    ]
    return Line(
        id=_get(element, "GraphId", "elementId"),
        start=_get(first, "GraphRef", "elementRef"),
        end=_get(last, "GraphRef", "elementRef"),
        start_head=_head(first),
        end_head=_head(last) if len(points) > 1 else "",
        anchors=tuple(filter(None, anchors)),
        citations=tuple(filter(None, citations)),
    )


def _head(point: Element) -> str:
    head = _get(point, "ArrowHead", "arrowHead")
    return "" if head in ("Line", "Undirected") else head


def _publications(root: Element) -> Iterator[Publication]:
    for item in root.iterdescendants("{*}PublicationXref"):
        ref = next((one_line(str(v)) for k, v in item.attrib.items() if str(k).endswith("}id")), "")
        yield Publication(
            ref,
            child_text(item, "{*}ID"),
            child_text(item, "{*}DB"),
            child_text(item, "{*}TITLE"),
            child_text(item, "{*}SOURCE"),
            child_text(item, "{*}YEAR"),
        )
    for item in _find(root, "Citation"):
        database, xref = _xref(item)
        yield Publication(_get(item, "elementId"), xref, database)


def _terms(root: Element) -> Iterator[tuple[str, str]]:
    """(ontology id, name) of the terms a drawing is filed under."""
    for item in root.iterdescendants("{*}openControlledVocabulary"):
        yield child_text(item, "{*}ID"), child_text(item, "{*}TERM")
    for item in _find(root, "Annotation"):
        if _get(item, "type") == "Ontology":
            database, xref = _xref(item)
            yield xref if ":" in xref else f"{database}:{xref}", _get(item, "value")
