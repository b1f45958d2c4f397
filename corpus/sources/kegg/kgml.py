"""KGML: a pathway map as entries, relations between them and reactions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.markup import Element, parse_tree, tag


@dataclass(frozen=True, slots=True)
class KgmlEntry:
    """A node of the map. `names` are KEGG ids, none for 'undefined'; a group has `components`,
    `label` is what the map prints.
    """

    id: str
    names: tuple[str, ...]
    type: str
    label: str = ""
    components: tuple[str, ...] = ()
    reactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KgmlRelation:
    """An arrow between two entries; `subtypes` are (name, value), none where the map tells none."""

    entry1: str
    entry2: str
    type: str
    subtypes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KgmlReaction:
    """A reaction of the map; the ids of its compounds are KEGG ids."""

    id: str
    names: tuple[str, ...]
    type: str
    substrates: tuple[str, ...] = ()
    products: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KgmlPathway:
    """A map as one record."""

    name: str
    organism: str
    title: str
    link: str = ""
    entries: tuple[KgmlEntry, ...] = ()
    relations: tuple[KgmlRelation, ...] = ()
    reactions: tuple[KgmlReaction, ...] = ()


def read_kgml(data: bytes, filename: str) -> KgmlPathway:
    """Read one map. Raises NotThisSource for XML of another kind, ParseError for broken XML or a
    map without a name.
    """
    root = parse_tree(data, filename)
    if tag(root) != "pathway":
        raise NotThisSource(f"{filename} holds <{tag(root)}>, not a KGML pathway.")
    name = _text(root, "name").removeprefix("path:")
    if not name:
        raise ParseError(f"{filename} is a KGML pathway without a name: fetch it again.")
    return KgmlPathway(
        name=name,
        organism=_text(root, "org"),
        title=_text(root, "title") or name,
        link=_text(root, "link"),
        entries=tuple(_entries(root)),
        relations=tuple(_relations(root)),
        reactions=tuple(_reactions(root)),
    )


def _entries(root: Element) -> Iterator[KgmlEntry]:
    for element in root.iterchildren("entry"):
        graphics = element.find("graphics")
        yield KgmlEntry(
            id=_text(element, "id"),
            names=_ids(element),
            type=_text(element, "type"),
            label=_text(graphics, "name") if graphics is not None else "",
            components=tuple(_text(part, "id") for part in element.iterchildren("component")),
            reactions=tuple(_text(element, "reaction").split()),
        )


def _relations(root: Element) -> Iterator[KgmlRelation]:
    for element in root.iterchildren("relation"):
        yield KgmlRelation(
            _text(element, "entry1"),
            _text(element, "entry2"),
            _text(element, "type"),
            tuple(
                (_text(part, "name"), _text(part, "value"))
                for part in element.iterchildren("subtype")
            ),
        )


def _reactions(root: Element) -> Iterator[KgmlReaction]:
    for element in root.iterchildren("reaction"):
        yield KgmlReaction(
            _text(element, "id"),
            _ids(element),
            _text(element, "type"),
            tuple(name for part in element.iterchildren("substrate") for name in _ids(part)),
            tuple(name for part in element.iterchildren("product") for name in _ids(part)),
        )


def _ids(element: Element) -> tuple[str, ...]:
    return tuple(name for name in _text(element, "name").split() if name != "undefined")


def _text(element: Element, attribute: str) -> str:
    return one_line(element.get(attribute) or "")
