"""The receipt of a deletion, and what one would take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q

from accounts.models import User
from corpus.models import (
    Chunk,
    Corpus,
    Deletion,
    Document,
    EdgeEvidence,
    Figure,
    Mention,
    Page,
    RelationDraft,
    Section,
    Signature,
    Table,
    Term,
)
from corpus.services import holders

# Every receipt names all of these, in this order.
KINDS = (
    "documents",
    "passages",
    "vectors",
    "propositions",
    "mentions",
    "sections",
    "pages",
    "figures",
    "tables",
    "images",
    "files",
    "relations",
    "signatures",
    "terms",
    "evidence",
    "edges",
    "lexical_entries",
    "records_of_jobs",
    "answers_marked",
)


def receipt(deletion: Deletion, reader: User) -> dict[str, Any]:
    """A deletion as commands, API and pages give it to a reader.

    `left` is the probe, made as the receipt is asked for: what of the deleted is still found, by
    kind; empty until the deletion is done, and None for what this host cannot tell.
    """
    counts = deletion.counts
    done = deletion.state == "done"
    return {
        "deletion": str(deletion.public_id),
        "state": deletion.state,
        "corpus": deletion.corpus_slug,
        "whole_corpus": deletion.whole,
        "asked": counts.get("asked", 0),
        **{kind: counts.get(kind, 0) for kind in KINDS},
        "answers": holders.named(deletion, reader).get("answers_marked", []),
        "document_ids": [str(public_id) for public_id in deletion.documents],
        "left": left(deletion) if done else {},
        "requested_at": deletion.created_at.isoformat(),
        "finished_at": deletion.finished_at.isoformat() if deletion.finished_at else None,
    }


def left(deletion: Deletion) -> dict[str, int | None]:
    """What tables and indexes still hold of it: all zero when it is gone."""
    documents = Q(document__in=deletion.numbers)
    rows: dict[str, int | None] = {"documents": _documents(deletion)}
    if not deletion.whole:
        for kind, model in _PARTS.items():
            rows[kind] = model.objects.filter(documents).count()
        rows["mentions"] = Mention.objects.filter(chunk__document__in=deletion.numbers).count()
    return rows | holders.left(deletion)


_PARTS: dict[str, Any] = {
    "passages": Chunk,
    "sections": Section,
    "pages": Page,
    "figures": Figure,
    "tables": Table,
    "relations": RelationDraft,
    "signatures": Signature,
    "terms": Term,
    "evidence": EdgeEvidence,
}


def _documents(deletion: Deletion) -> int:
    if deletion.whole:
        corpora = Corpus.objects.filter(public_id=deletion.corpus_public_id)
        return Document.objects.filter(corpus__in=corpora.values("pk")).count() + corpora.count()
    return Document.objects.filter(Q(pk__in=deletion.numbers)).count()


def consequences(document: Document) -> dict[str, int]:
    """What would go with a document, and what above it would be marked."""
    counters: dict[str, Callable[[], int]] = {
        "passages": document.chunks.filter(parent=None).count,
        "propositions": document.chunks.exclude(parent=None).count,
        "figures": document.figures.count,
        "tables": document.tables.count,
        "pages": document.pages.count,
    }
    chosen = Document.objects.filter(pk=document.pk)
    above = holders.affected(document.corpus, chosen)
    return {kind: count() for kind, count in counters.items()} | {
        kind: len(ids) for kind, ids in above.items()
    }
