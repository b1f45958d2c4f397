"""An article as JATS tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str, ...]
PartKind = Literal["heading", "paragraph", "list", "formula", "footnote", "figure", "table", "box"]


@dataclass(frozen=True, slots=True)
class JatsFigure:
    """A figure without its pixels: the file names only where they lie."""

    label: str
    caption: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JatsTable:
    """A table as a grid; text stands at the first cell of a span, '' under the rest."""

    label: str
    caption: str
    rows: tuple[tuple[str, ...], ...] = ()
    header_rows: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JatsPart:
    """One block of the text; figures and tables by their index."""

    kind: PartKind
    text: str
    path: Path = ()
    index: int = -1


@dataclass(frozen=True, slots=True)
class Related:
    """A link to another article; `scheme` doi, pmid or ''."""

    kind: str
    scheme: str
    target: str


@dataclass(frozen=True, slots=True)
class Cited:
    """One entry of the reference list."""

    doi: str = ""
    pmid: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class JatsArticle:
    """Front matter, text and floats of one article; sub-articles are named only."""

    ids: dict[str, str]
    kind: str
    title: str
    parts: tuple[JatsPart, ...] = ()
    figures: tuple[JatsFigure, ...] = ()
    tables: tuple[JatsTable, ...] = ()
    translated_titles: tuple[tuple[str, str], ...] = ()
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    licence: str = ""
    copyright: str = ""
    language: str = ""
    keywords: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    references: tuple[Cited, ...] = ()
    sub_articles: tuple[str, ...] = ()
    details: dict[str, str] = field(default_factory=dict)
