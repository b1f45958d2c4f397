"""Structured product labelling (SPL, HL7 v3): sections by LOINC code, text, tables, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Final

from lxml import etree

from corpus.sources.cleaning import one_line
from corpus.sources.labels.grids import read_grid
from corpus.sources.labels.sections import section_name
from corpus.sources.labels.shape import LabelTable, Part, PartKind
from corpus.sources.markup import Element, inline_text, tag

NS: Final = "{urn:hl7-org:v3}"
_BLOCKS: Final = frozenset({"paragraph", "list", "table", "renderMultiMedia", "caption"})
_LEFT_OUT: Final = frozenset({"footnote", "footnoteRef", "renderMultiMedia"})
Path = tuple[str, ...]
Media = Mapping[str, Element]


def child(element: Element | None, *names: str) -> Element | None:
    """The first element down a path of local names, None where it ends."""
    for name in names:
        if element is None:
            return None
        element = element.find(f"{NS}{name}")
    return element


def text_of(element: Element | None) -> str:
    """Text on one line, without footnotes, their marks and figures."""
    return inline_text(element, skip=lambda part: tag(part) in _LEFT_OUT)


def sections(root: Element) -> list[Element]:
    """The outermost sections of a label."""
    return root.findall(f"{NS}component/{NS}structuredBody/{NS}component/{NS}section")


def media_of(root: Element) -> Media:
    """The pictures of a label by their ID."""
    return {media.get("ID") or "": media for media in root.iter(f"{NS}observationMedia")}


def parts_of(section: Element, media: Media, path: Path = ()) -> Iterator[Part]:
    """Yield a section's heading, text, highlights and inner sections in order.

    A section stands under its standard name; one without a code of its own stands under its title,
    and one with neither under the section around it. Highlights (the summary that opens a label)
    stand under "Highlights" within their section.
    """
    title = text_of(child(section, "title"))
    name = section_name(code_of(section)) or title
    inner = (*path, name) if name else path
    if title:
        yield Part("heading", title, inner)
    yield from _text(child(section, "text"), inner, media)
    for highlight in section.findall(f"{NS}excerpt/{NS}highlight/{NS}text"):
        yield from _text(highlight, (*inner, "Highlights"), media)
    for below in section.findall(f"{NS}component/{NS}section"):
        yield from parts_of(below, media, inner)


def code_of(section: Element) -> str:
    """The section's LOINC code, '' without one."""
    return attribute(child(section, "code"), "code")


def attribute(element: Element | None, name: str) -> str:
    """An attribute's text, clean; '' without the element or the attribute."""
    return one_line(element.get(name) or "") if element is not None else ""


def _text(text: Element | None, path: Path, media: Media) -> Iterator[Part]:
    if text is None:
        return
    loose = etree.Element(f"{NS}paragraph")
    loose.text = text.text
    for element in text:
        if tag(element) in _BLOCKS:
            yield from _paragraph(loose, path, media)
            yield from _block(element, path, media)
            loose = etree.Element(f"{NS}paragraph")
            loose.text = element.tail
        else:
            loose.append(deepcopy(element))
    yield from _paragraph(loose, path, media)


def _block(element: Element, path: Path, media: Media) -> Iterator[Part]:
    name = tag(element)
    if name == "list":
        yield from _list(element, path, media)
    elif name == "table":
        yield from _table(element, path)
    elif name == "renderMultiMedia":
        yield from _figure(element, path, media)
    else:
        yield from _paragraph(element, path, media)


def _paragraph(
    element: Element, path: Path, media: Media, kind: PartKind = "paragraph"
) -> Iterator[Part]:
    if text := text_of(element):
        yield Part(kind, text, path)
    yield from _footnotes(element, path)
    for figure in element.iter(f"{NS}renderMultiMedia"):
        yield from _figure(figure, path, media)


def _list(element: Element, path: Path, media: Media) -> Iterator[Part]:
    """Items one by one; an inner list's items follow the item around them."""
    if text := text_of(child(element, "caption")):
        yield Part("paragraph", text, path)
    for item in element.findall(f"{NS}item"):
        inner = [part for part in item if tag(part) in ("list", "table")]
        bare = deepcopy(item)
        for part in [part for part in bare if tag(part) in ("list", "table")]:
            bare.remove(part)
        for part in bare.iter(f"{NS}paragraph"):
            part.tail = f" {part.tail or ''}"
        yield from _paragraph(bare, path, media, "list")
        for part in inner:
            yield from _block(part, path, media)


def _table(element: Element, path: Path) -> Iterator[Part]:
    rows, header_rows, spans = read_grid(element, text_of)
    caption = text_of(child(element, "caption"))
    if rows:
        table = LabelTable(caption, rows, header_rows, spans)
        yield Part("table", caption, path, table)
    yield from _footnotes(element, path)


def _footnotes(element: Element, path: Path) -> Iterator[Part]:
    for note in element.iter(f"{NS}footnote"):
        if text := text_of(note):
            yield Part("footnote", text, path)


def _figure(element: Element, path: Path, media: Media) -> Iterator[Part]:
    """A figure's caption, else its description, with the name of its file."""
    wanted = element.get("referencedObject") or ""
    shown = media.get(wanted)
    caption = text_of(child(element, "caption")) or text_of(child(shown, "text"))
    file = attribute(child(shown, "value", "reference"), "value")
    if caption or file:
        yield Part("figure", caption, path, file=file)
