"""From search hits to the passages that an answer may cite, and to the `citations` event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.models import User
from agent.answers.passages import Passage
from corpus.models import Chunk, Document
from retrieval.types import Hit

NAMED_AT_MOST = 5
SHOWN_CHARS = 2_000  # of a passage in the `citations` event; the page shows the whole


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages of a run in their order, with the database ids behind them."""

    passages: tuple[Passage, ...]
    hits: Mapping[UUID, Hit]

    @property
    def corpora(self) -> frozenset[int]:
        """Database ids of the corpora that the passages come from."""
        return frozenset(hit.corpus_pk for hit in self.hits.values())

    def only(self, corpora: frozenset[int]) -> Evidence:
        """The part that comes from these corpora."""
        hits = {key: hit for key, hit in self.hits.items() if hit.corpus_pk in corpora}
        return Evidence(tuple(p for p in self.passages if p.chunk_id in hits), hits)

    def corpora_of(self, chunks: Iterable[UUID]) -> frozenset[int]:
        """The corpora that some of the passages come from."""
        return frozenset(self.hits[chunk].corpus_pk for chunk in chunks)


def named_documents(question: str, reader: User, corpora: Sequence[str]) -> tuple[UUID, ...]:
    """Documents whose identifier (R-HSA-166658, PMC548513, 12773095) stands in the question."""
    words = {word.strip(".,;?!()[]\"'") for word in question.split()}
    asked = [word for word in words if any(char.isdigit() for char in word) and len(word) >= 5]
    if not asked:
        return ()
    documents = Document.objects.visible_to(reader).filter(
        external_id__in=asked, corpus__public_id__in=corpora
    )
    return tuple(documents.values_list("public_id", flat=True)[:NAMED_AT_MOST])


def gather(hits: Sequence[Hit]) -> Evidence:
    """Passages of hits, with the pages on which their lines stand."""
    found = Chunk.objects.filter(pk__in=[hit.chunk_pk for hit in hits])
    stored = {
        pk: (lines, cells or [])
        for pk, lines, cells in found.values_list("pk", "lines", "fields__cells")
    }
    return Evidence(
        tuple(passage(hit, *stored.get(hit.chunk_pk, ([], []))) for hit in hits),
        {hit.chunk_id: hit for hit in hits},
    )


def passage(
    hit: Hit, lines: Sequence[Sequence[Any]] = (), cells: Sequence[Sequence[int]] = ()
) -> Passage:
    """A hit as answers see it; without `lines` its page is that of its first character.

    `cells` are [start, end, row, column] of the statements of a table.
    """
    scores = hit.scores
    legs = (("dense", scores.dense_rank), ("lexical", scores.lexical_rank))
    return Passage(
        chunk_id=hit.chunk_id,
        text=hit.text,
        source=hit.source,
        external_id=hit.external_id,
        title=hit.title,
        page=hit.page,
        section=hit.section,
        content_type=hit.content_type,
        image_hash=hit.image_hash or None,
        document_id=hit.document_id,
        rank=hit.rank,
        similarity=scores.dense,
        legs=tuple(name for name, rank in legs if rank is not None),
        retracted=hit.retracted,
        year=hit.year,
        pages_by_offset=tuple((int(line[0]), int(line[2])) for line in lines if len(line) > 2),
        cells=tuple((cell[0], cell[1]) for cell in cells),
    )


def citations_payload(evidence: Evidence) -> dict[str, Any]:
    """The `citations` event: what was found, best first, before the first word of an answer."""
    return {"data": [_citation(hit) for hit in evidence.hits.values()]}


def _citation(hit: Hit) -> dict[str, Any]:
    image = f"/api/v1/images/{hit.image_hash}" if hit.image_hash else None
    return {
        "_corpus": hit.corpus_pk,
        "rank": hit.rank,
        "chunk_id": str(hit.chunk_id),
        "document_id": str(hit.document_id),
        "source": hit.source,
        "external_id": hit.external_id,
        "pmid": hit.external_id if hit.source == "pubmed" else None,
        "title": hit.title,
        "text": hit.text[:SHOWN_CHARS],
        "page": hit.page,
        "section": hit.section,
        "content_type": hit.content_type,
        "image_hash": hit.image_hash or None,
        "image_url": image,
        "score": hit.score,
        "scores": hit.scores.as_json(),
        "year": hit.year,
        "retracted": hit.retracted,
        "why": list(hit.why),
    }
