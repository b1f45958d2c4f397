"""Propositions: the single statements of passages, made where a corpus wants them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from corpus.chunking.propositions import Named, Proposition, propositions
from corpus.models import Chunk, Corpus, Document, IngestJob, JobFile, JobItem, Mention
from corpus.services import changes, corpora, fingerprint
from corpus.types import ContentType

PROPOSITION = "proposition"


@dataclass(frozen=True, slots=True)
class Made:
    """A statement and the passage that it is of."""

    passage: Chunk
    statement: Proposition


def switch(
    corpus: Corpus, on: bool, *, by: User, origin: str = "", inside_admin: bool = False
) -> IngestJob:
    """Say whether a corpus's passages are split into statements, and make a job that sees to it.

    Said again it makes what is missing, and costs nothing where all is there. Raises NotFound for a
    corpus that `by` may not see, NotAllowed below curator.
    """
    with transaction.atomic():
        who: dict[str, Any] = {"by": by, "origin": origin, "inside_admin": inside_admin}
        row = corpora.set_reading(corpus, "propositions", on, **who)
        return _job(row, by)


def _job(corpus: Corpus, by: User) -> IngestJob:
    """A job whose documents are stored: they begin at this stage."""
    job = IngestJob.objects.create(corpus=corpus, user=by, source=IngestJob.PROPOSITIONS)
    file = JobFile.objects.create(job=job, name="stored documents", size=0, state="read")
    standing = Document.objects.filter(corpus=corpus, deletion=None).order_by("pk")
    rows = standing.values_list("pk", "title", "external_id", "records").iterator()
    JobItem.objects.bulk_create(
        (
            JobItem(
                job=job,
                file=file,
                position=position,
                name=title or external_id,
                external_id=external_id,
                stage="propositions",
                document_id=pk,
                records=records,
            )
            for position, (pk, title, external_id, records) in enumerate(rows)
        ),
        batch_size=1_000,
    )
    return job


def remake(documents: Collection[int], over: Callable[[], bool]) -> frozenset[int]:
    """Give documents the propositions that their corpus wants, and take away those that it does
    not; documents not reached.
    """
    some = Exists(Chunk.objects.filter(document=OuterRef("pk")).exclude(parent=None))
    rows = Document.objects.filter(some | Q(corpus__propositions=True), deletion=None)
    rows = rows.filter(pk__in=documents).select_related("corpus").order_by("pk")
    left = dict.fromkeys(row.pk for row in rows)
    for document in rows:
        _remake(document)
        left.pop(document.pk)
        if over():
            break
    return frozenset(left)


def _remake(document: Document) -> None:
    """Make them outside the transaction; write only what differs, if the passages are still those.

    One replaced meanwhile has a job of its own that comes to this stage.
    """
    wanted = document.corpus.propositions
    passages = _passages(document) if wanted else []
    made = list(_made(document, passages))
    if not made and not document.chunks.exclude(parent=None).exists():
        return
    with transaction.atomic():
        standing = Corpus.objects.standing().select_for_update(no_key=True)
        corpus = standing.filter(pk=document.corpus_id).first()
        if corpus is None or corpus.propositions != wanted or not _are_same(document, passages):
            return
        _swap(corpus, document, made)


def _passages(document: Document) -> list[Chunk]:
    found = document.chunks.filter(parent=None).order_by(
        "char_start", "content_type", "chunk_index"
    )
    return list(found)


def _are_same(document: Document, passages: Sequence[Chunk]) -> bool:
    """Whether a document still stands and, where any were split, still has these passages."""
    if not Document.objects.filter(pk=document.pk, deletion=None).exists():
        return False
    now = document.chunks.filter(parent=None).order_by("pk").select_for_update(no_key=True)
    known = sorted((chunk.pk, bytes(chunk.text_sha256)) for chunk in passages)
    return not passages or known == [
        (pk, bytes(sha)) for pk, sha in now.values_list("pk", "text_sha256")
    ]


def _made(document: Document, passages: Sequence[Chunk]) -> Iterator[Made]:
    """Statements in the order of the text; what two neighbours say (the sentence that overlaps, the
    caption of a table in parts) belongs to the first.
    """
    names = _names(passages)
    before: dict[str, set[str]] = {}
    for number, passage in enumerate(passages):
        found = propositions(
            passage.text,
            content_type=cast(ContentType, passage.content_type),
            title=document.title,
            document_type=document.type,
            is_first=number == 0,
            captioned=bool(passage.fields.get("captioned")),
            names=names.get(passage.pk, ()),
        )
        told = before.get(passage.content_type, set())
        yield from (Made(passage, one) for one in found if one.text not in told)
        before[passage.content_type] = {one.text for one in found}


def _names(passages: Sequence[Chunk]) -> dict[int, list[Named]]:
    found: dict[int, list[Named]] = {}
    rows = Mention.objects.filter(chunk__in=passages).order_by("chunk", "start", "end", "node")
    for chunk, start, end, kind in rows.values_list("chunk", "start", "end", "node__kind"):
        found.setdefault(chunk, []).append(Named(start, end, kind))
    return found


def _swap(corpus: Corpus, document: Document, made: Sequence[Made]) -> None:
    stored: dict[tuple[int | None, str], list[Chunk]] = {}
    for chunk in document.chunks.exclude(parent=None).order_by("chunk_index"):
        stored.setdefault((chunk.parent_id, chunk.text), []).append(chunk)
    new: list[Chunk] = []
    moved: list[Chunk] = []
    for index, one in enumerate(made):
        same = stored.get((one.passage.pk, one.statement.text))
        row = same.pop(0) if same else Chunk(document=document, corpus=corpus, parent=one.passage)
        if _fill(row, one, index, document.title):
            (moved if row.pk else new).append(row)
    gone = [chunk.pk for rest in stored.values() for chunk in rest]
    if not (new or moved or gone):
        return
    Chunk.objects.filter(pk__in=gone).delete()
    Chunk.objects.bulk_update(moved, FILLED)
    Chunk.objects.bulk_create(new)
    changes.note(corpus, kind="document", key=document.pk, op="upsert")
    changes.bump(corpus, chunks=len(new) - len(gone))


SHARED = ("section_id", "section_path", "page_start", "page_end", "char_start", "char_end")
FILLED = ("content_type", "chunk_index", "text", "text_sha256", "fields", *SHARED)


def _fill(row: Chunk, one: Made, index: int, title: str) -> bool:
    """Give a row its values; whether any is other than it was."""
    statement = one.statement
    values: dict[str, Any] = {
        "content_type": PROPOSITION,
        "chunk_index": index,
        "text": statement.text,
        "text_sha256": fingerprint.of_text(title, statement.text),
        "fields": {"start": statement.start, "end": statement.end},
        **{name: getattr(one.passage, name) for name in SHARED},
    }
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return bool(changed)
