"""Vectors of passages: the missing ones only, and never twice for the same text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction

from corpus.encoding.base import Encoder as TextEncoder
from corpus.encoding.registry import encoders
from corpus.models import Chunk, ChunkVector, Encoder

HNSW_M = 16
HNSW_EF_CONSTRUCTION = 200  # the cheap way to recall: same size, longer build (SEARCHCOST 2)
INDEX_LOCK = 0x666C7578  # advisory lock: one process makes an index
BATCH_TEXTS = 16  # under a second of work: another team's turn is not kept waiting by a batch
TITLE_TOKENS = 48


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a passage as the encoder reads it: with the title before it."""

    chunk: Chunk
    number: int
    text: str


def ensure_encoder(name: str = "") -> Encoder:
    """The stored encoder of that name, with its index. Raises ModelUnavailable without weights."""
    model = encoders.get(name or settings.DEFAULT_ENCODER)
    row, created = Encoder.objects.get_or_create(
        name=model.name,
        defaults={
            "modality": model.modality,
            "dimension": model.dimension,
            "weights_sha256": model.weights_sha256,
        },
    )
    if created:
        make_index(row)
    return row


def make_index(encoder: Encoder) -> None:
    """The partial HNSW index of one encoder's vectors; making it again changes nothing."""
    number, dimension = int(encoder.pk), int(encoder.dimension)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INDEX_LOCK])
        cursor.execute(
            f"CREATE INDEX IF NOT EXISTS corpus_chunkvector_e{number} ON corpus_chunkvector "
            f"USING hnsw ((vector::halfvec({dimension})) halfvec_cosine_ops) "
            f"WITH (m={HNSW_M}, ef_construction={HNSW_EF_CONSTRUCTION}) "
            f"WHERE encoder_id = {number}"
        )


def lacks_vectors(document_id: int) -> bool:
    """Whether the default encoder has not yet seen all passages of a document."""
    row = Encoder.objects.filter(name=settings.DEFAULT_ENCODER).first()
    chunks = Chunk.objects.filter(document_id=document_id)
    return chunks.exists() if row is None else chunks.without_vector(row.pk).exists()


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts sent to the encoder, by document, and the documents that it did not come to."""

    sent: dict[int, int]
    unfinished: frozenset[int] = frozenset()


def embed_missing(
    document_ids: Iterable[int],
    *,
    encoder: str = "",
    over: Callable[[], bool] = lambda: False,
) -> Embedded:
    """Add the vectors that documents lack, until `over` says to stop; it is asked after each batch.

    A text that any passage of any corpus has a vector of is not sent: its vectors are copied.
    """
    row = ensure_encoder(encoder)
    pending = list(
        Chunk.objects.filter(document__in=list(document_ids), document__deletion=None)
        .without_vector(row.pk)
        .select_related("document")
        .order_by("document_id", "pk")
    )
    pending = _reuse(pending, row)
    sent: dict[int, int] = defaultdict(int)
    if not pending:
        return Embedded(sent)
    model = encoders.get(row.name)
    # Equal texts among the pending ones are sent once; the others copy it.
    first: dict[bytes, Chunk] = {}
    for chunk in pending:
        first.setdefault(bytes(chunk.text_sha256), chunk)
    for windows in _batches(first.values(), model):
        for window in windows:
            sent[window.chunk.document_id] += 1
        _save(windows, model.encode_passages([window.text for window in windows]), row)
        if over():
            left = Chunk.objects.filter(pk__in=[c.pk for c in pending]).without_vector(row.pk)
            return Embedded(sent, frozenset(left.values_list("document_id", flat=True)))
    _reuse([chunk for chunk in pending if first[bytes(chunk.text_sha256)] is not chunk], row)
    return Embedded(sent)


def _batches(chunks: Iterable[Chunk], model: TextEncoder) -> Iterator[list[Window]]:
    """Windows of whole passages: a passage has all its vectors or none, whenever a worker dies."""
    batch: list[Window] = []
    for chunk in chunks:
        batch += windows_of(chunk, model)
        if len(batch) >= BATCH_TEXTS:
            yield batch
            batch = []
    if batch:
        yield batch


def windows_of(chunk: Chunk, model: TextEncoder) -> list[Window]:
    """A passage as inputs of an encoder, which cover all of it, each under the document's title."""
    title = _shortened(chunk.document.title, model)
    reserve = model.count_tokens(title) + 1 if title else 0
    spans = model.windows(chunk.text, reserve=reserve)
    return [
        Window(
            chunk, number, f"{title}\n{chunk.text[start:end]}" if title else chunk.text[start:end]
        )
        for number, (start, end) in enumerate(spans)
    ]


def _shortened(title: str, model: TextEncoder) -> str:
    """The title, or as many of its words as leave the window to the passage."""
    words = title.split()
    while len(words) > 1 and model.count_tokens(" ".join(words)) > TITLE_TOKENS:
        words = words[: len(words) * 3 // 4]
    return " ".join(words)


def _save(windows: Sequence[Window], vectors: object, row: Encoder) -> None:
    rows = [
        ChunkVector(
            chunk=window.chunk,
            encoder=row,
            window=window.number,
            corpus_id=window.chunk.corpus_id,
            passage=window.chunk.parent_id,
            text_sha256=window.chunk.text_sha256,
            vector=vector.tolist(),
        )
        for window, vector in zip(windows, vectors, strict=True)  # type: ignore[call-overload]
    ]
    _write(rows)


def _write(rows: list[ChunkVector]) -> None:
    """Replace what the passages had of this encoder; a passage deleted meanwhile is passed over."""
    with transaction.atomic():
        alive = set(
            Chunk.objects.filter(pk__in={row.chunk_id for row in rows})
            .order_by("pk")
            .select_for_update(of=("self",), no_key=True)
            .values_list("pk", flat=True)
        )
        kept = [row for row in rows if row.chunk_id in alive]
        encoders_of = {row.encoder_id for row in kept}
        ChunkVector.objects.filter(chunk__in=alive, encoder__in=encoders_of).delete()
        ChunkVector.objects.bulk_create(kept)


def _reuse(pending: Sequence[Chunk], row: Encoder) -> list[Chunk]:
    """Copy known vectors of the same text; the passages that have none yet."""
    wanted = {bytes(chunk.text_sha256) for chunk in pending}
    known: dict[bytes, dict[int, ChunkVector]] = defaultdict(dict)
    for vector in ChunkVector.objects.filter(encoder=row, text_sha256__in=wanted).order_by(
        "chunk_id", "window"
    ):
        known[bytes(vector.text_sha256)].setdefault(vector.window, vector)
    copies = [
        ChunkVector(
            chunk=chunk,
            encoder=row,
            window=vector.window,
            corpus_id=chunk.corpus_id,
            passage=chunk.parent_id,
            text_sha256=vector.text_sha256,
            vector=vector.vector,
        )
        for chunk in pending
        for vector in known[bytes(chunk.text_sha256)].values()
    ]
    if copies:
        _write(copies)
    return [chunk for chunk in pending if not known[bytes(chunk.text_sha256)]]
