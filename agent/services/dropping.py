"""Taking what saved answers hold of deleted documents out of them, where a team wants that.

Whatever a run has written of the documents goes: passages that it found, quotes, claims that rest
on them, the text that was streamed. Rows of events are replaced, since they are never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from agent import events
from agent.models import Answer, Citation, Claim, RunEvent
from corpus.models import Corpus, Document
from retrieval.types import Hit

LOCK: Final = 0x71756F74  # advisory: deletions in two corpora do not rewrite one run at once
CARRIERS: Final = """
SELECT DISTINCT event.run_id FROM agent_runevent event
JOIN agent_runcorpus used ON used.run_id = event.run_id AND used.corpus_id = %s
WHERE event.kind = 'citations' AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(event.payload -> 'data') item
    WHERE item ->> 'document_id' = ANY(%s))
ORDER BY event.run_id
"""


def erase(corpus: Corpus, documents: QuerySet[Document]) -> dict[str, int]:
    """As documents are erased, in that transaction; how many quotes went."""
    if not corpus.team.drops_quotes:
        return {}
    ids = {str(public_id) for public_id in documents.values_list("public_id", flat=True)}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        cursor.execute(CARRIERS, [corpus.pk, list(ids)])
        runs = [row[0] for row in cursor.fetchall()]
    return {"quotes_dropped": sum(take_out(run, ids) for run in runs)}


def going(hits: Iterable[Hit]) -> frozenset[str]:
    """Documents among those found that are deleted or about to be, of teams that drop quotes; the
    others stay until the end of the caller's transaction.

    Call it before the run's row is locked: a deletion locks documents, then runs.
    """
    found = list(hits)
    corpora = Corpus.objects.filter(pk__in={hit.corpus_pk for hit in found})
    dropping = set(corpora.filter(team__drops_quotes=True).values_list("pk", flat=True))
    wanted = {hit.document_id for hit in found if hit.corpus_pk in dropping}
    rows = Document.objects.filter(public_id__in=wanted).order_by("pk")
    locked = rows.select_for_update(no_key=True).values_list("public_id", "deletion")
    standing = {public_id for public_id, deletion in locked if deletion is None}
    return frozenset(map(str, wanted - standing))


def take_out(run: int, documents: Collection[str]) -> int:
    """Take documents (public ids) that a run has found out of its events and rows; how many
    citations went.
    """
    if not documents:
        return 0
    dropped = 0
    for row in list(RunEvent.objects.filter(run_id=run).order_by("seq")):
        payload = events.without(row.kind, row.payload, documents)
        if payload == row.payload:
            continue
        RunEvent.objects.filter(pk=row.pk).delete()
        if payload is not None:
            kept = {"kind": row.kind, "corpora": row.corpora, "at": row.at}
            RunEvent.objects.create(run_id=run, seq=row.seq, payload=payload, **kept)
        if payload is not None and row.kind == events.FINAL:
            dropped += _rows(run, row.payload["result"], payload["result"])
    return dropped


def _rows(run: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """The same of the answer's rows."""
    cited = ({one["chunk_id"] for one in result["citations"]} for result in (before, after))
    gone = set.difference(*cited)
    citations = Citation.objects.filter(answer__run=run, chunk_public_id__in=gone)
    Claim.objects.filter(citations__in=citations).delete()
    Answer.objects.filter(run=run).update(
        text=after["answer"],
        reasoning_summary=after["reasoning_summary"],
        warnings=after["warnings"],
        used_sources=after["used_sources"],
    )
    dropped = citations.count()
    citations.delete()
    return dropped
