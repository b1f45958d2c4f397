"""The one shape that every source is read into. Frozen, plain, without Django.

Coordinates are PDF points, origin at the top left of the unrotated page as displayed. Character
spans are half-open and count Unicode code points of the text they belong to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ContentType = Literal["text", "image", "table", "record", "proposition"]
BlockKind = Literal[
    "paragraph", "heading", "caption", "list", "footnote", "record", "table", "reference", "formula"
]
DocumentType = Literal[
    "article", "pathway", "reaction", "record", "book", "label", "dataset", "note", "vocabulary"
]
PerturbationKind = Literal[
    "knockout", "knockdown", "overexpression", "treatment", "screen", "perturbation"
]
TermKind = Literal[
    "gene",
    "protein",
    "family",
    "complex",
    "chemical",
    "drug",
    "disease",
    "anatomy",
    "process",
    "organism",
    "other",
]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one page (numbered from 1)."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Line:
    """Where characters [start, end) of a text stand on a page."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading or other run of text in reading order.

    `section` is the path of headings above it, outermost first. `page` is where it starts (from 1),
    None without pages. `lines` place its characters on pages. `fields` keep a structured record's
    own values for citation. A caption names its figure or table by `fields`: {"figure": i} or
    {"table": i}, the place in the document's tuple; a "table" block is the table's text, caption
    first and then one line a row, with {"cells": [(start, end, row, column), …]} for the characters
    that state each cell.
    """

    text: str
    section: tuple[str, ...] = ()
    kind: BlockKind = "paragraph"
    page: int | None = None
    lines: tuple[Line, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FigureDraft:
    """A figure; `image` holds encoded bytes (PNG, JPEG or WebP) where the source carries them.

    A panel names its figure by `parent`, the place in the document's tuple before its own.
    `words` are those inside the picture as text recognition read them: for search, not for quotes.
    """

    label: str = ""
    caption: str = ""
    page: int | None = None
    box: Box | None = None
    image: bytes | None = None
    media_type: str = ""
    source_ref: str = ""
    parent: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table as rows of cell texts; the first `header_rows` rows are headers.

    A cell over several rows or columns has its text at its first place and '' under the rest;
    `spans` tells (row, column, rows, columns) of such cells. `cells` are the boxes of the cells
    where the source has pages.
    """

    label: str = ""
    caption: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    header_rows: int = 1
    spans: tuple[tuple[int, int, int, int], ...] = ()
    cells: tuple[tuple[Box | None, ...], ...] = ()
    page: int | None = None
    box: Box | None = None
    image: bytes | None = None
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class PageDraft:
    """One page of a paged source; width and height in points, `image` a WebP of the whole page."""

    number: int
    width: float
    height: float
    image: bytes | None = None
    method: Literal["text", "ocr", "empty"] = "text"
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Ids of the work, normalised: DOI lower case without resolver, PMID digits, PMCID 'PMC…',
    OpenAlex 'W…'.
    """

    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    openalex: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement of the source about two things, both as CURIE or name; `sign` is +1, -1 or 0
    (not signed).

    `record` is the source's own id of it. Of a table, one row gives one relation, in the order of
    the rows; `fields` keep the row's other columns, named as the source names them.
    """

    subject: str
    predicate: str
    object: str
    sign: int = 0
    subject_label: str = ""
    object_label: str = ""
    subject_kind: str = ""
    object_kind: str = ""
    record: str = ""
    pmids: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a perturbation does: `values[i]` is the effect on `genes[i]`, in the unit `statistic`.

    `genes` are symbols or CURIEs as the source gives them; positive means raised (of a screen:
    enriched). `p_values` is empty or as long as `genes`, NaN where the source has none.
    """

    name: str  # unique within its document
    perturbation: str  # CURIE or symbol of what was perturbed
    kind: PerturbationKind
    statistic: str  # "log2 fold change", "z", …
    genes: tuple[str, ...]
    values: tuple[float, ...]
    p_values: tuple[float, ...] = ()
    perturbation_label: str = ""
    context: str = ""  # cell line, tissue, time, dose: as the source says
    taxon: str = ""  # NCBI taxonomy id, "9606"


@dataclass(frozen=True, slots=True)
class Term:
    """An entity of a vocabulary. `curie` is prefix and local id: hgnc:11364, mesh:D003920,
    chebi:15377, doid:9351, mondo:0005148, fplx:NFkappaB, uniprot:P40763, umls:C0011849.

    `names` are all names, the preferred one first, each as the vocabulary spells it. A withdrawn
    term names its successors in `replaced_by` and is not matched.
    """

    curie: str
    label: str
    kind: TermKind
    names: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()  # names that are symbols: case matters more, context is needed
    xrefs: tuple[str, ...] = ()  # CURIEs
    parents: tuple[str, ...] = ()  # CURIEs of broader terms
    roles: tuple[str, ...] = ()
    taxon: str = ""
    withdrawn: bool = False
    replaced_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NormalizedDocument:
    """What every later stage sees of a record, whatever its source."""

    type: DocumentType
    source: str
    external_id: str
    title: str
    blocks: tuple[Block, ...] = ()
    figures: tuple[FigureDraft, ...] = ()
    tables: tuple[TableDraft, ...] = ()
    pages: tuple[PageDraft, ...] = ()
    identifiers: Identifiers = Identifiers()
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""  # ISO date, as precise as the source: 2019, 2019-03, 2019-03-14
    licence: str = ""
    language: str = ""  # ISO 639-1 where known
    retracted: bool = False
    tags: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    signatures: tuple[Signature, ...] = ()
    terms: tuple[Term, ...] = ()
    records: int = 1  # rows, entries, sets of the source that this document holds
    metadata: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""  # a sentence for the curator, for example why a document has no text

    @property
    def year(self) -> int | None:
        """The year of publication, None when the source gives none."""
        return int(self.published[:4]) if self.published[:4].isdigit() else None


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A passage to store: `char_start`/`char_end` span the document's text (blocks joined by
    blank lines).
    """

    content_type: ContentType
    text: str
    section: tuple[str, ...] = ()
    page_start: int | None = None
    page_end: int | None = None
    char_start: int = 0
    char_end: int = 0
    lines: tuple[Line, ...] = ()  # spans count characters of `text`
    fields: Mapping[str, Any] = field(default_factory=dict)
