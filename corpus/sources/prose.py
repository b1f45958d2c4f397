"""What an uploaded text is read into, whatever its format: sections, figures, tables in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from corpus.sources.cleaning import one_line
from corpus.sources.tables import table_block, titled
from corpus.types import (
    Block,
    BlockKind,
    DocumentType,
    FigureDraft,
    Identifiers,
    NormalizedDocument,
    TableDraft,
)

Path = tuple[str, ...]
PartKind = Literal[
    "heading", "paragraph", "list", "footnote", "formula", "reference", "figure", "table"
]
MAX_DEPTH: Final = 12
_REFERENCES = re.compile(
    r"(?:\d+\.?\s+)?(?:references|reference list|bibliography|literature(?: cited)?|works cited)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?P<label>(?:supplementary |supplemental |extended data )?"
    r"(?P<kind>fig(?:ure)?|scheme|chart|plate|box|table)\b\.?\s*(?:S|A)?\d{1,3}[A-Za-z]?)"
    r"\s*(?:[.:|\u2013\u2014]|$|\s(?=[A-Z(]))\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Part:
    """One block of the text; a figure or table by its index."""

    kind: PartKind
    text: str = ""
    path: Path = ()
    index: int = -1


@dataclass(frozen=True, slots=True)
class Prose:
    """One uploaded file. Its texts are clean already; `fallback` names it where it has no title.

    `language` is a code of two letters, `published` an ISO date. `notes` are sentences for the
    curator.
    """

    sha256: str
    fallback: str
    title: str = ""
    parts: tuple[Part, ...] = ()
    figures: tuple[FigureDraft, ...] = ()
    tables: tuple[TableDraft, ...] = ()
    identifiers: Identifiers = field(default_factory=Identifiers)
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    licence: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Outline:
    """Collects the parts of a text and knows under which headings it stands.

    The headings whose text is `title` are the document's title, and are no section.
    """

    def __init__(self, title: str = "") -> None:
        self.parts: list[Part] = []
        self.figures: list[FigureDraft] = []
        self.tables: list[TableDraft] = []
        self._title = folded(title)
        self._above: list[tuple[int, str]] = []

    @property
    def path(self) -> Path:
        """The headings above what comes next, outermost first."""
        return tuple(text for _, text in self._above)

    def heading(self, level: int, text: str) -> None:
        """Open a section; it closes all of the same or a lower rank (1 is the highest)."""
        text = one_line(text)
        if not text:
            return
        if self._title and folded(text) == self._title and not self._has_sections:
            self._above = []
            return
        self._above = [item for item in self._above if item[0] < level][: MAX_DEPTH - 1]
        self._above.append((level, text))
        self.parts.append(Part("heading", text, self.path))

    def add(self, kind: PartKind, text: str) -> None:
        """Add a block of clean text, if there is any; below "References" it is a reference."""
        if not text.strip():
            return
        if kind in ("paragraph", "list") and any(map(_REFERENCES.fullmatch, self.path)):
            kind = "reference"
        self.parts.append(Part(kind, text, self.path))

    def figure(self, figure: FigureDraft) -> None:
        """Add a figure where the text stands now."""
        self.parts.append(Part("figure", "", self.path, len(self.figures)))
        self.figures.append(figure)

    def table(self, table: TableDraft) -> None:
        """Add a table where the text stands now; one without any text is left out."""
        if any(cell for row in table.rows for cell in row):
            self.parts.append(Part("table", "", self.path, len(self.tables)))
            self.tables.append(table)

    def take_caption(self, kind: str) -> tuple[str, str]:
        """Take back the paragraph just added if it is a caption ('figure' or 'table') and return
        its label and text.
        """
        last = self.parts[-1] if self.parts else None
        if last is None or last.kind != "paragraph":
            return "", ""
        found, label, text = labelled(last.text)
        if found != kind:
            return "", ""
        self.parts.pop()
        return label, text

    @property
    def _has_sections(self) -> bool:
        return any(part.kind == "heading" for part in self.parts)


def folded(text: str) -> str:
    """Letters and digits alone, in lower case: how two titles are compared."""
    return "".join(char for char in text.casefold() if char.isalnum())


def labelled(text: str) -> tuple[str, str, str]:
    """Split a caption into ('figure', 'table' or ''), label and text: 'Fig. 2. Doses' names a
    figure.
    """
    found = _LABEL.match(text)
    if not found:
        return "", "", text
    kind = "table" if found["kind"].lower() == "table" else "figure"
    return kind, one_line(found["label"]), found["rest"].strip()


def stem(filename: str) -> str:
    """A file's name as the title of last resort."""
    return one_line(filename.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]) or "Untitled"


def as_document(source: str, prose: Prose, *, kind: DocumentType) -> NormalizedDocument:
    """Turn an upload into a document; its id is the file's SHA-256."""
    blocks = tuple(_blocks(prose))
    return NormalizedDocument(
        type=kind,
        source=source,
        external_id=prose.sha256,
        title=prose.title or prose.fallback,
        blocks=blocks,
        figures=prose.figures,
        tables=prose.tables,
        identifiers=prose.identifiers,
        authors=prose.authors,
        journal=prose.journal,
        published=prose.published,
        licence=prose.licence,
        language=prose.language,
        tags=prose.tags,
        metadata={key: value for key, value in prose.metadata.items() if value not in ("", [], 0)},
        note=" ".join(prose.notes),
    )


def hidden_note(count: int) -> tuple[str, ...]:
    """A sentence on texts that no reader of the file sees: it is how orders to a language model are
    slipped in, so they are counted and never stored.
    """
    if not count:
        return ()
    what = "1 hidden text was" if count == 1 else f"{count} hidden texts were"
    return (f"{what} left out: a reader of the file would not see it.",)


def _blocks(prose: Prose) -> Iterator[Block]:
    for part in prose.parts:
        block = _block(part, prose)
        if block.text:
            yield block


def _block(part: Part, prose: Prose) -> Block:
    if part.kind == "figure":
        figure = prose.figures[part.index]
        text = titled(figure.label, figure.caption)
        return Block(text, part.path, "caption", fields={"figure": part.index})
    if part.kind == "table":
        return table_block(prose.tables[part.index], part.index, part.path)
    return Block(part.text, part.path, cast(BlockKind, part.kind))
