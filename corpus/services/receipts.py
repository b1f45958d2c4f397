"""The receipt of a deletion, and what one would take."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Team, User
from accounts.web.formats import counted
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
    "quotes_dropped",
    "answers_marked",
)


# Kinds in words: one, several. What is not named here has no meaning for people.
WORDS = {
    "documents": ("document", ""),
    "passages": ("passage", ""),
    "vectors": ("vector", ""),
    "propositions": ("statement", ""),
    "mentions": ("mention of an entity", "mentions of entities"),
    "pages": ("page", ""),
    "figures": ("figure", ""),
    "tables": ("table", ""),
    "images": ("stored picture", ""),
    "files": ("uploaded file", ""),
    "relations": ("row of a table", "rows of tables"),
    "signatures": ("signature", ""),
    "terms": ("vocabulary entry", "vocabulary entries"),
    "evidence": ("piece of evidence", "pieces of evidence"),
    "edges": ("graph edge", ""),
    "lexical_entries": ("entry of the word index", "entries of the word index"),
    "quotes_dropped": ("quote in saved answers", "quotes in saved answers"),
    "answers_marked": (
        "saved answer that cites it",
        "saved answers that cite it",
    ),
}


def of_quotes(team: Team) -> str:
    """What becomes of the quotes in saved answers when documents of the team are deleted."""
    if team.drops_quotes:
        return "the quotes there go too, as the team has decided."
    return "the quotes there stay and are marked as no longer stored."


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


def consequences(corpus: Corpus, documents: QuerySet[Document]) -> dict[str, int]:
    """What would go with documents of a corpus, and what above them would be marked."""
    chosen = documents.order_by().values("pk")
    parts = ("figures", "tables", "pages", "relations", "signatures", "terms")
    counts = {kind: _PARTS[kind].objects.filter(document__in=chosen).count() for kind in parts}
    chunks = Chunk.objects.filter(document__in=chosen)
    counts["passages"] = chunks.filter(parent=None).count()
    counts["propositions"] = chunks.exclude(parent=None).count()
    above = holders.affected(corpus, documents)
    return counts | {kind: len(ids) for kind, ids in above.items()}


def in_words(counts: dict[str, Any], *, without: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    """Counts that are not zero, in the order of the receipt."""
    return [
        counted(counts[kind], *names)
        for kind, names in WORDS.items()
        if kind not in without and counts.get(kind)
    ]
