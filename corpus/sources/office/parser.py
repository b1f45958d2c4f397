"""A .docx to its text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from corpus.sources import ids
from corpus.sources.base import ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.languages import two_letters
from corpus.sources.markup import Element, inline_text, tag
from corpus.sources.office.body import BodyReader
from corpus.sources.office.inline import InlineReader, paragraphs
from corpus.sources.office.package import Package
from corpus.sources.office.styles import Style, attribute, child, children, language_of, read_styles
from corpus.sources.prose import Part, Prose, hidden_note, stem
from corpus.types import Identifiers

MAX_BYTES: Final = 128 * 1024 * 1024
_NO_TITLE = re.compile(
    r"microsoft word|untitled|document ?\d*$|dokument ?\d*$|\.docx?$|^title$|word document",
    re.IGNORECASE,
)
_FIRST: Final = 15  # blocks in which a paper names its own DOI


def parse(data: bytes, filename: str) -> Iterator[Prose]:
    """Yield the one text of a file, its tracked changes accepted; macros are never run.

    Raises ParseError for what is damaged, protected, an older .doc or holds no text, NotThisSource
    for slides and workbooks.
    """
    if len(data) > MAX_BYTES:
        raise ParseError(
            f"{filename} is larger than {MAX_BYTES >> 20} MB: make its images smaller."
        )
    package = Package(data, filename)
    part = package.main_part()
    root = package.tree(part)
    body = child(root, "body")
    if body is None:
        raise ParseError(f"{filename} holds no text of a word processor: save it as .docx.")
    style_root = package.tree(_beside(part, "styles.xml"))
    styles = read_styles(style_root)
    core = _core(package)
    title = _printed_title(body, styles) or _told_title(core)
    reader = BodyReader(package, part, styles, _notes(package, part, styles), title)
    reader.read(body)
    prose = _prose(data, filename, reader, title, core)
    yield _told(prose, package, language_of(style_root), core)


def _beside(part: str, name: str) -> str:
    return f"{part.rsplit('/', 1)[0]}/{name}" if "/" in part else name


def _core(package: Package) -> dict[str, str]:
    """The properties of the file: title, creator, created, language, keywords."""
    root = package.tree("docProps/core.xml")
    return {tag(item): inline_text(item) for item in children(root)}


def _told_title(core: dict[str, str]) -> str:
    title = core.get("title", "")
    return "" if len(title) < 8 or _NO_TITLE.search(title) else title


def _printed_title(body: Element, styles: dict[str, Style]) -> str:
    """The first paragraph in the style Title, else a first heading that stands before all text."""
    reader = InlineReader(styles)
    for paragraph in islice(paragraphs(body), 20):
        style = styles.get(attribute(child(paragraph, "pPr", "pStyle"), "val"), Style())
        text = reader.read(paragraph).text
        if text and style.name == "title":
            return text
        if text:
            return text if style.level == 1 and _is_alone(body, styles) else ""
    return ""


def _is_alone(body: Element, styles: dict[str, Style]) -> bool:
    """Whether one heading only has the first rank: then it is the title."""
    used = (attribute(item, "val") for item in body.iter("{*}pStyle"))
    return sum(styles.get(name, Style()).level == 1 for name in used) == 1


def _notes(
    package: Package, part: str, styles: dict[str, Style]
) -> dict[tuple[str, str], str]:  # fmt: skip
    """Texts of foot- and endnotes by kind and id, without the lines that part them off."""
    found: dict[tuple[str, str], str] = {}
    for kind in ("footnote", "endnote"):
        root = package.tree(_beside(part, f"{kind}s.xml"))
        reader = InlineReader(styles)
        for note in children(root):
            if tag(note) == kind and attribute(note, "type") in ("", "normal"):
                texts = [reader.read(paragraph).text for paragraph in paragraphs(note)]
                found[kind, attribute(note, "id")] = one_line(" ".join(texts))
    return found


def _prose(
    data: bytes, filename: str, reader: BodyReader, title: str, core: dict[str, str]
) -> Prose:  # fmt: skip
    outline = reader.outline
    if not outline.parts:
        raise ParseError(f"{filename} holds no text that a reader sees: open it and look.")
    return Prose(
        sha256=hashlib.sha256(data).hexdigest(),
        fallback=stem(filename),
        title=title,
        parts=tuple(outline.parts),
        figures=tuple(outline.figures),
        tables=tuple(outline.tables),
        identifiers=Identifiers(doi=_own_doi(outline.parts)),
        metadata={
            # What the file says; too often wrong (a template's) to be shown as fact.
            "author_field": core.get("creator", "")[:500],
            "created": core.get("created", "")[:10],
        },
        notes=hidden_note(reader.hidden),
    )


def _own_doi(parts: list[Part]) -> str:
    for part in parts[:_FIRST]:
        if "doi" in part.text.lower() and part.kind != "reference":
            return ids.doi(part.text.split()[-1]) or ids.doi(part.text)
    return ""


def _told(prose: Prose, package: Package, language: str, core: dict[str, str]) -> Prose:
    notes = list(prose.notes)
    if any(name.lower().endswith("vbaproject.bin") for name in package.names):
        notes.append("The file carries macros; none of them is opened or run.")
    words = re.split(r"\s*[;,]\s*", core.get("keywords", ""))
    return replace(
        prose,
        language=two_letters(core.get("language", "") or language),
        tags=tuple(dict.fromkeys(word for word in words if 0 < len(word) <= 80)),
        notes=tuple(notes),
    )
