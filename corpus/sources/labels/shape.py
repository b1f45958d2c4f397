"""The shape of a drug label, whatever file it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from corpus.types import Relation

PartKind = Literal["heading", "paragraph", "list", "footnote", "table", "figure", "record"]
Grid = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LabelTable:
    """A table of a label as a grid."""

    caption: str
    rows: Grid
    header_rows: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a label in reading order, with the path of section names above it."""

    kind: PartKind
    text: str
    path: tuple[str, ...] = ()
    table: LabelTable | None = None
    file: str = ""  # of a figure
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """One label. `set_id` names it through all its versions; a repackager's label has its own."""

    set_id: str
    title: str
    parts: tuple[Part, ...]
    form: str
    published: str = ""
    sections: tuple[str, ...] = ()  # standard names of the sections that were found
    relations: tuple[Relation, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
