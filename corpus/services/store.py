"""Putting a document in, whole, in one transaction: readers see the old one or the new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.db import transaction

from corpus import chunking
from corpus.encoding.base import Vectors
from corpus.encoding.registry import encoders
from corpus.models import Chunk, Corpus, Document, Figure, Page, Section, Table
from corpus.services import changes, fingerprint, rows, works
from corpus.services.works import identity
from corpus.sources.imagery import imaging_of
from corpus.types import Box, ChunkDraft, FigureDraft, NormalizedDocument, TableDraft
from flux_site.kernel import blobs


@dataclass(frozen=True, slots=True)
class Origin:
    """Which record of which file a document is read from."""

    file_sha256: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be swapped in: passages cut, pictures stored."""

    document: NormalizedDocument
    chunks: Sequence[ChunkDraft]
    content_sha256: str
    origin: Origin
    pipeline: str = fingerprint.PIPELINE


def known(corpus: Corpus, document: NormalizedDocument) -> Document | None:
    """The stored document of the same source and id, if there is one."""
    return Document.objects.filter(
        corpus=corpus,
        source=document.source,
        external_id=document.external_id,
        deletion=None,
    ).first()


def prepare(
    document: NormalizedDocument,
    origin: Origin,
    content_sha256: str,
    chunker: str = fingerprint.LAYOUT,
) -> Prepared:
    """Cut passages and write pictures: the part that needs no transaction and may be done twice."""
    pictures = [
        *(figure.image for figure in document.figures),
        *(table.image for table in document.tables),
        *(page.image for page in document.pages),
    ]
    for picture in filter(None, pictures):
        blobs.put(picture)
    chunks = chunking.chunk(
        document, strategy=cast(chunking.Strategy, chunker), embed=_sentence_vectors
    )
    return Prepared(document, chunks, content_sha256, origin, fingerprint.pipeline(chunker))


def _sentence_vectors(sentences: Sequence[str]) -> Vectors:
    """What the semantic chunker compares: the default encoder's vectors of what it can read."""
    encoder = encoders.get(settings.DEFAULT_ENCODER)
    starts = [encoder.windows(text)[:1] for text in sentences]
    return encoder.encode_passages(
        [
            text[slice(*first[0])] if first else text
            for text, first in zip(sentences, starts, strict=True)
        ]
    )


@transaction.atomic
def swap_in_all(corpus: Corpus, batch: Sequence[Prepared]) -> list[Document]:
    """Store documents in place of the former ones, and find the papers that they are of.

    Passages whose text stays keep id and vectors. The caller holds the corpus's row, so that nobody
    else makes a document of the same record meanwhile.
    """
    scope = works.scope_of(corpus)
    lock_papers(corpus, batch)
    touched = works.Touched()
    stored = _stored(corpus, batch)
    swapped = []
    for prepared in batch:
        name = (prepared.document.source, prepared.document.external_id)
        swap = _swap_in(corpus, prepared, stored.get(name))
        stored[name] = swap.document
        told = works.describe(swap.document, prepared.document, scope, is_new=swap.is_new)
        touched.add(told)
        swapped.append(swap)
    if swapped:
        changes.bump(
            corpus,
            documents=sum(swap.is_new for swap in swapped),
            chunks=sum(swap.more_chunks for swap in swapped),
            changed=len(swapped),
        )
    works.settle(scope, touched)
    documents = [swap.document for swap in swapped]
    if works.scope_of(corpus) != scope:  # it changed hands while this was stored
        works.note([document.pk for document in documents])
    return documents


def _stored(corpus: Corpus, batch: Sequence[Prepared]) -> dict[tuple[str, str], Document]:
    """The documents to be replaced by source and id, held; one on its way out is not found, and a
    new one is made beside it.
    """
    names = [prepared.document.external_id for prepared in batch]
    rows = Document.objects.filter(corpus=corpus, external_id__in=names, deletion=None)
    held = rows.select_for_update(no_key=True).order_by("pk")
    return {(row.source, row.external_id): row for row in held}


def lock_papers(corpus: Corpus, batch: Sequence[Prepared]) -> None:
    """Hold the works of a corpus's scope, where a document has or had one.

    Before the first row that is locked or written: whoever makes the works of a scope writes rows
    of others' documents and corpora too. Locking twice in a transaction is locking once.
    """
    has_paper = any(identity.of_record(prepared.document).keys for prepared in batch)
    if has_paper or _known_papers(corpus, batch):
        works.lock(works.scope_of(corpus))


def _known_papers(corpus: Corpus, batch: Sequence[Prepared]) -> bool:
    """Whether a document to be replaced belongs to a paper."""
    names = [prepared.document.external_id for prepared in batch]
    return Document.objects.filter(
        corpus=corpus, external_id__in=names, work__isnull=False
    ).exists()


@dataclass(frozen=True, slots=True)
class Swap:
    """What storing a document came to."""

    document: Document
    is_new: bool
    more_chunks: int


def _swap_in(corpus: Corpus, prepared: Prepared, former: Document | None) -> Swap:
    draft = prepared.document
    document = former or Document(corpus=corpus, source=draft.source, external_id=draft.external_id)
    columns = _columns(prepared)
    for name, value in columns.items():
        setattr(document, name, value)
    document.save(update_fields=[*columns, "updated_at"] if former else None)
    before = document.chunks.count() if former else 0  # with their propositions
    kept = _clear(document) if former else {}
    sections = _sections(document, prepared.chunks)
    chunks = _chunks(document, prepared.chunks, sections, kept)
    _pages(document, draft)
    _parts(document, draft, chunks)
    rows.write(document, draft)
    changes.note(corpus, kind="document", key=document.pk, op="upsert")
    after = document.chunks.count() if former else len(chunks)
    return Swap(document, former is None, after - before)


def _columns(prepared: Prepared) -> dict[str, Any]:
    draft = prepared.document
    return {
        "type": draft.type,
        "title": draft.title,
        "identifiers": fingerprint.plain(draft.identifiers),
        "authors": list(draft.authors),
        "journal": draft.journal,
        "published": draft.published,
        "year": draft.year,
        "licence": draft.licence[:255],
        "language": draft.language,
        "tags": [tag[:80] for tag in draft.tags],
        "metadata": fingerprint.plain(draft.metadata),
        "records": draft.records,
        "note": draft.note,
        "content_sha256": prepared.content_sha256,
        "pipeline": prepared.pipeline,
        "lexicon": "",  # its passages are stamped again
        "file_sha256": prepared.origin.file_sha256,
        "file_position": prepared.origin.position,
    }


Kept = dict[tuple[str, str], list[Chunk]]


def _clear(document: Document) -> Kept:
    """Remove what a former version had but its passages, which are given by kind and text."""
    for parts in (document.sections, document.pages, document.figures, document.tables):
        parts.all().delete()
    rows.clear(document)
    kept: Kept = defaultdict(list)
    for chunk in document.chunks.filter(parent=None).order_by("chunk_index"):
        kept[chunk.content_type, chunk.text].append(chunk)
    return kept


def _sections(document: Document, chunks: Sequence[ChunkDraft]) -> dict[tuple[str, ...], Section]:
    paths = dict.fromkeys(chunk.section for chunk in chunks if chunk.section)
    rows = [
        Section(document=document, position=position, path=list(path))
        for position, path in enumerate(paths)
    ]
    return dict(zip(paths, Section.objects.bulk_create(rows), strict=True))


def _chunks(
    document: Document,
    drafts: Sequence[ChunkDraft],
    sections: dict[tuple[str, ...], Section],
    stored: Kept,
) -> list[Chunk]:
    """The passages, in the order of the drafts: stored ones of the same text stay, the others go.
    Propositions go with theirs, and are made anew by their own stage.
    """
    index: dict[str, int] = defaultdict(int)
    rows: list[Chunk] = []
    new: list[Chunk] = []
    kept: list[Chunk] = []
    for draft in drafts:
        same = stored.get((draft.content_type, draft.text))
        row = same.pop(0) if same else Chunk(document=document, corpus_id=document.corpus_id)
        (kept if row.pk else new).append(row)
        _fill(row, draft, index[draft.content_type], sections.get(draft.section), document.title)
        index[draft.content_type] += 1
        rows.append(row)
    if gone := [chunk.pk for rest in stored.values() for chunk in rest]:
        Chunk.objects.filter(pk__in=gone).delete()
    if kept:
        Chunk.objects.bulk_update(
            kept, [f.name for f in Chunk._meta.concrete_fields if f.name not in UNTOUCHED]
        )
    Chunk.objects.bulk_create(new)
    return rows


UNTOUCHED = {"id", "public_id", "document", "corpus", "parent", "content_type", "text"}


def _fill(row: Chunk, draft: ChunkDraft, index: int, section: Section | None, title: str) -> None:
    row.content_type, row.chunk_index, row.text = draft.content_type, index, draft.text
    row.text_sha256 = fingerprint.of_text(title, draft.text)
    row.section, row.section_path = section, list(draft.section)
    row.page_start, row.page_end = draft.page_start, draft.page_end
    row.char_start, row.char_end = draft.char_start, draft.char_end
    row.lines = [[line.start, line.end, line.box.page, *_corners(line.box)] for line in draft.lines]
    row.fields = fingerprint.plain(draft.fields)


def _corners(box: Box) -> list[float]:
    return [round(value, 2) for value in (box.x0, box.y0, box.x1, box.y1)]


def _place(box: Box | None) -> list[float] | None:
    return [box.page, *_corners(box)] if box else None


def _pages(document: Document, draft: NormalizedDocument) -> None:
    Page.objects.bulk_create(
        Page(
            document=document,
            number=page.number,
            width=page.width,
            height=page.height,
            image_sha256=_sha256(page.image),
            method=page.method,
            report=fingerprint.plain(page.report),
        )
        for page in draft.pages
    )


def _parts(document: Document, draft: NormalizedDocument, chunks: Sequence[Chunk]) -> None:
    """Figures and tables, each tied to the passage that carries its caption."""
    captions = {
        (kind, chunk.fields[kind]): chunk
        for chunk in reversed(chunks)
        for kind in ("figure", "table")
        if kind in chunk.fields
    }
    _figures(document, draft.figures, captions)
    Table.objects.bulk_create(
        Table(
            **_placed(document, position, table),
            chunk=captions.get(("table", position)),
            rows=[list(row) for row in table.rows],
            header_rows=table.header_rows,
            spans=[list(span) for span in table.spans],
            cells=[[_place(box) for box in row] for row in table.cells],
        )
        for position, table in enumerate(draft.tables)
    )


def _figures(
    document: Document,
    drafts: Sequence[FigureDraft],
    captions: dict[tuple[str, int], Chunk],
) -> None:
    """Figures, then their panels, which name them."""
    rows = [
        Figure(
            **_placed(document, position, figure),
            chunk=captions.get(("figure", position)),
            words=figure.words,
            **_imaging(figure, drafts),
        )
        for position, figure in enumerate(drafts)
    ]
    Figure.objects.bulk_create(
        row for row, figure in zip(rows, drafts, strict=True) if figure.parent is None
    )
    panels = []
    for row, figure in zip(rows, drafts, strict=True):
        if figure.parent is not None:
            row.parent = rows[figure.parent]
            panels.append(row)
    Figure.objects.bulk_create(panels)


def _imaging(figure: FigureDraft, drafts: Sequence[FigureDraft]) -> dict[str, Any]:
    whole = drafts[figure.parent].caption if figure.parent is not None else ""
    shown = imaging_of(figure.caption, whole, image=figure.image)
    return {"kind": shown.kind, "kind_confidence": shown.confidence}


def _placed(document: Document, position: int, part: FigureDraft | TableDraft) -> dict[str, Any]:
    return {
        "document": document,
        "position": position,
        "label": part.label[:80],
        "caption": part.caption,
        "page": part.page,
        "box": _corners(part.box) if part.box else None,
        "image_sha256": _sha256(part.image),
        "media_type": part.media_type,
    }


def _sha256(image: bytes | None) -> str:
    return str(fingerprint.plain(image)) if image else ""
