"""Writing the change log."""

from __future__ import annotations

from django.db.models import F

from corpus.models import Change, Corpus


def note(corpus: Corpus, *, kind: str, key: int, op: str) -> None:
    """Tell the followers, in the transaction of the change itself."""
    Change.objects.create(
        corpus=corpus, corpus_public_id=corpus.public_id, kind=kind, key=key, op=op
    )


def bump(corpus: Corpus, *, documents: int = 0, chunks: int = 0, changed: int = 1) -> None:
    """Grow the corpus's counts, and its revision by the documents that have changed.

    Last in a transaction: it locks the corpus's row.
    """
    Corpus.objects.filter(pk=corpus.pk).update(
        revision=F("revision") + changed,
        document_count=F("document_count") + documents,
        chunk_count=F("chunk_count") + chunks,
    )
