"""The parts of a deletion: what jobs keep of documents, and what a corpus has beside documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import F
from django.utils import timezone

from corpus.models import Change, Corpus, EdgeEvidence, IngestJob, JobFile, JobItem
from corpus.services import evidence, garbage

ROWS = 5000  # items or pieces of evidence a transaction
NAME = "Deleted document"
REASON = "This document was deleted after the job had been asked for."
# Models of Django's own count, as the receipt calls them.
KINDS = {
    "corpus.Document": "documents",
    "corpus.Chunk": "passages",
    "corpus.ChunkVector": "vectors",
    "corpus.Mention": "mentions",
    "corpus.Section": "sections",
    "corpus.Page": "pages",
    "corpus.Figure": "figures",
    "corpus.Table": "tables",
    "corpus.RelationDraft": "relations",
    "corpus.Signature": "signatures",
    "corpus.Term": "terms",
    "corpus.EdgeEvidence": "evidence",
    "corpus.IngestJob": "jobs",
    "corpus.CorpusGrant": "grants",
}


def counts_of(by_model: Mapping[str, int], propositions: int = 0) -> dict[str, int]:
    """What Django counted, by kinds of the receipt; the corpus itself is no part of it.

    `propositions` of the chunks were no passages but statements of some.
    """
    counts: dict[str, int] = {}
    for label, number in by_model.items():
        kind = KINDS.get(label)
        if kind and number:
            counts[kind] = counts.get(kind, 0) + number
    if propositions:
        counts |= {"passages": counts["passages"] - propositions, "propositions": propositions}
    return counts


def scrub_items(documents: Sequence[int]) -> int:
    """Take title and id of deleted documents out of the history of jobs, which keeps its counts."""
    items = JobItem.objects.filter(document__in=documents)
    pks = list(items.order_by("pk").select_for_update().values_list("pk", flat=True))
    rows = JobItem.objects.filter(pk__in=pks)
    rows.filter(state="running").change(
        state="skipped", stage="end", token=F("token") + 1, leased_until=None
    )
    return rows.update(name=NAME, external_id="", code="deleted", reason=REASON)


def stop_jobs(corpus: int) -> None:
    """No job of a corpus hands anything out any more; what a worker holds of it counts no more."""
    jobs = IngestJob.objects.filter(corpus_id=corpus)
    jobs.exclude(state__in=["done", "failed", "stopped"]).update(
        state="stopped", finished_at=timezone.now()
    )


def rest_of(corpus: Corpus) -> tuple[dict[str, int], bool]:
    """Once its documents are gone: the next of what else is a corpus's, at last the corpus itself.

    Counts by kind, and whether nothing is left.
    """
    rows = EdgeEvidence.objects.filter(corpus=corpus).order_by("pk")
    some = list(rows.values_list("pk", flat=True)[:ROWS])
    if some:
        return evidence.withdraw(corpus, EdgeEvidence.objects.filter(pk__in=some)), False
    items = JobItem.objects.filter(job__corpus=corpus).order_by("pk")
    some = list(items.values_list("pk", flat=True)[:ROWS])
    if some:
        return {"records_of_jobs": JobItem.objects.filter(pk__in=some).delete()[0]}, False
    files = set(
        JobFile.objects.filter(job__corpus=corpus)
        .exclude(sha256="")
        .values_list("sha256", flat=True)
    )
    known = garbage.noted(files)  # counted with the last document that was read from it
    garbage.note(files)
    # Its own deletion stays in the log: followers that are behind learn of it there.
    Change.objects.filter(corpus=corpus.pk).exclude(kind="corpus").delete()
    counts = counts_of(corpus.delete()[1])
    counts["files"] = len(files - known - garbage.stored(files) - garbage.awaited(files))
    return counts, True
