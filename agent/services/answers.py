"""Keeping an answer: its rows, and the `final` event that streams read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from agent.answers.schema import Citation as AnswerCitation
from agent.answers.schema import FinalAnswer
from agent.models import Answer, Citation, Claim, Run
from agent.services.evidence import Evidence
from corpus.models import Chunk
from corpus.quoting.verbatim import locate

Checks = Mapping[int, Sequence[str]]  # reasons of the checks, by position of the claim


def store(run: Run, answer: FinalAnswer, evidence: Evidence, checks: Checks) -> Answer:
    """Write the rows of an answer as the run's next revision, in the caller's transaction."""
    revision = run.answers.count() + 1
    row = Answer.objects.create(
        run=run,
        revision=revision,
        mode=answer.mode,
        text=answer.answer,
        confidence=answer.confidence,
        retrieval_quality=answer.retrieval_quality,
        reasoning_summary=answer.reasoning_summary,
        warnings=list(answer.warnings),
        used_sources=answer.used_sources.model_dump(mode="json"),
    )
    alive = _alive(evidence.hits[c.chunk_id].chunk_pk for c in answer.citations)
    cited = {c.id: _store_citation(row, c, evidence, alive) for c in answer.citations}
    for position, claim in enumerate(answer.claims):
        made = Claim.objects.create(
            answer=row,
            position=position,
            text=claim.text,
            status=claim.status,
            checks=list(checks.get(position, ())),
        )
        made.citations.set([cited[number] for number in claim.citations])
    return row


def _alive(chunks: Iterable[int]) -> set[int]:
    """Passages that are still stored, and stay so until this transaction ends."""
    rows = Chunk.objects.filter(pk__in=list(chunks)).order_by("pk")
    locked = rows.select_for_update(of=("self",), no_key=True)
    return set(locked.values_list("pk", flat=True))


def _store_citation(
    row: Answer, citation: AnswerCitation, evidence: Evidence, alive: Collection[int]
) -> Citation:
    """A citation; of a passage deleted while the answer was written it keeps the quote only."""
    hit = evidence.hits[citation.chunk_id]
    start, end = locate(hit.text, citation.quote) or (0, len(hit.text))
    return Citation.objects.create(
        answer=row,
        key=citation.id,
        corpus_id=hit.corpus_pk,
        document_id=hit.document_pk if hit.chunk_pk in alive else None,
        chunk_id=hit.chunk_pk if hit.chunk_pk in alive else None,
        chunk_public_id=hit.chunk_id,
        source=citation.source,
        external_id=citation.external_id,
        title=citation.title,
        quote=citation.quote,
        start=start,
        end=end,
        page=citation.page,
        section=citation.section,
        content_type=citation.content_type,
        image_hash=citation.image_hash or "",
    )


def final_payload(
    answer: FinalAnswer, evidence: Evidence, checks: Checks, *, bare: str = ""
) -> dict[str, Any]:
    """The `final` event. `bare` is the text for readers who may see none of the evidence."""
    result = answer.model_dump(mode="json")
    for citation in result["citations"]:
        hit = evidence.hits[UUID(citation["chunk_id"])]
        citation["_corpus"], citation["_document"] = hit.corpus_pk, str(hit.document_id)
    hashes = [c["image_hash"] for c in result["citations"] if c["image_hash"]]
    return {
        "answer": answer.answer,
        "result": result | {"_bare": bare},
        "checks": [list(checks.get(position, ())) for position in range(len(answer.claims))],
        "image_hashes": list(dict.fromkeys(hashes)),
    }
