"""A small library whose passages are stored, embedded and indexed for real."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import tantivy
from django.conf import settings
from django.db import transaction

from corpus.models import Chunk, Corpus, Document
from corpus.services import changes, fingerprint
from corpus.services.embedding import embed_missing
from retrieval.legs.lexical import reader_of
from retrieval.lexical import position
from retrieval.lexical.follower import LexicalFollower
from tests.factories import ChunkFactory, DocumentFactory


@transaction.atomic
def add(corpus: Corpus, external_id: str, *texts: str, **values: Any) -> Document:
    """A document with one passage a text, noted in the change log."""
    section = values.pop("section", [])
    document = DocumentFactory(corpus=corpus, external_id=external_id, **values)
    for index, text in enumerate(texts):
        ChunkFactory(
            document=document,
            chunk_index=index,
            text=text,
            text_sha256=fingerprint.of_text(document.title, text),
            section_path=section,
        )
    changes.note(corpus, kind="document", key=document.pk, op="upsert")
    changes.bump(corpus, documents=1, chunks=len(texts))
    corpus.refresh_from_db()
    return document


@transaction.atomic
def drop(document: Document) -> None:
    """Delete a document as a curator would."""
    count = document.chunks.count()
    changes.note(document.corpus, kind="document", key=document.pk, op="delete")
    changes.bump(document.corpus, documents=-1, chunks=-count)
    document.delete()


def index() -> LexicalFollower:
    """Indexes of all corpora, as their passages are now.

    A test's transaction is still open, so its changes would count as not yet applied: the position
    is put behind them.
    """
    follower = LexicalFollower(settings.LEXICAL_ROOT)
    follower.rebuild_all()
    at = position.read(settings.LEXICAL_ROOT)
    assert at is not None
    position.write(settings.LEXICAL_ROOT, replace(at, xid=2**62))
    return follower


def embed() -> None:
    """Vectors of all passages that lack one."""
    embed_missing(Document.objects.values_list("pk", flat=True))


def indexed_chunks(corpus: Corpus) -> list[int]:
    """Database ids of the passages in a corpus's index, sorted; twice if they stand there twice."""
    opened = reader_of(settings.LEXICAL_ROOT).open(corpus.public_id)
    if opened is None:
        return []
    found = opened.searcher.search(tantivy.Query.all_query(), 100_000, count=False).hits
    addresses = [address for _, address in found]
    return sorted(int(n or 0) for n in opened.searcher.fast_field_values("chunk", addresses))


def stored_chunks(corpus: Corpus) -> list[int]:
    """Database ids of the passages of a corpus, sorted."""
    return sorted(Chunk.objects.filter(corpus=corpus).values_list("pk", flat=True))
