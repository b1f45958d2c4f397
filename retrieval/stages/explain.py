"""Last stage: the texts, with the permission asked once more, and why each passage is here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpus.models import Chunk, Figure, Table
from retrieval.fusion import first_of_each
from retrieval.stages.matching import Matcher
from retrieval.stages.state import SearchState
from retrieval.types import Hit, Ranked, Scores

SLACK = 10  # rows fetched beyond the limit: twins of one passage in two corpora are one hit
_FIELDS = (
    "text",
    "public_id",
    "content_type",
    "chunk_index",
    "page_start",
    "section_path",
    "document_id",
    "corpus_id",
    "document__public_id",
    "document__source",
    "document__external_id",
    "document__title",
    "document__year",
    "document__retracted",
    "corpus__slug",
)


@dataclass(frozen=True, slots=True)
class Explain:
    """Fetch the best passages that the reader may read, fold twins, say why."""

    def __call__(self, state: SearchState) -> SearchState:
        kept: list[tuple[Ranked, Chunk]] = []
        twins: dict[int, tuple[str, ...]] = {}
        size = state.query.limit + SLACK
        for start in range(0, len(state.ranked), size):
            kept += _rows(state, state.ranked[start : start + size])
            first, twins_of = first_of_each(_identity(chunk) for _, chunk in kept)
            twins = {
                position: tuple(kept[twin][1].corpus.slug for twin in twins_of[position])
                for position in first
            }
            if len(first) >= state.query.limit:
                break
        chosen = list(twins)[: state.query.limit]
        images = _images([kept[position][1] for position in chosen])
        matcher = Matcher(state.query.text)
        hits = tuple(
            _hit(rank, *kept[position], twins[position], images, matcher)
            for rank, position in enumerate(chosen, start=1)
        )
        return replace(state, hits=hits)


def _rows(state: SearchState, ranked: Sequence[Ranked]) -> Iterator[tuple[Ranked, Chunk]]:
    """The stored passages in order; one deleted meanwhile, or not the reader's, is not there."""
    rows = (
        Chunk.objects.visible_to(state.reader)
        .filter(pk__in=[hit.chunk for hit in ranked], corpus__in=state.query.scope.ids)
        .select_related("document", "corpus")
        .only(*_FIELDS)
        .in_bulk()
    )
    for hit in ranked:
        if hit.chunk in rows:
            yield hit, rows[hit.chunk]


def _identity(chunk: Chunk) -> tuple[str, str, str, int]:
    """The same record cut the same way is one passage, whichever corpora hold it."""
    document = chunk.document
    return document.source, document.external_id, chunk.content_type, chunk.chunk_index


def _images(chunks: Sequence[Chunk]) -> Mapping[int, str]:
    """The picture of each passage that is a caption or a table."""
    captions = [chunk.pk for chunk in chunks if chunk.content_type in ("image", "table")]
    if not captions:
        return {}
    found: dict[int, str] = {}
    for model in (Figure, Table):
        rows: Any = model.objects.filter(chunk__in=captions).exclude(image_sha256="")
        found |= dict(rows.values_list("chunk_id", "image_sha256"))
    return found


def _hit(
    rank: int,
    ranked: Ranked,
    chunk: Chunk,
    also_in: tuple[str, ...],
    images: Mapping[int, str],
    matcher: Matcher,
) -> Hit:
    document = chunk.document
    return Hit(
        rank=rank,
        chunk_pk=chunk.pk,
        document_pk=document.pk,
        corpus_pk=chunk.corpus_id,
        chunk_id=chunk.public_id,
        document_id=document.public_id,
        corpus=chunk.corpus.slug,
        source=document.source,
        external_id=document.external_id,
        title=document.title,
        text=chunk.text,
        page=chunk.page_start,
        section=chunk.section_title,
        content_type=chunk.content_type,
        chunk_index=chunk.chunk_index,
        year=document.year,
        retracted=document.retracted,
        image_hash=images.get(chunk.pk, ""),
        score=ranked.score,
        scores=ranked.scores,
        why=tuple(why(ranked.scores, document.title, chunk.text, matcher)),
        also_in=also_in,
    )


def why(scores: Scores, title: str, text: str, matcher: Matcher) -> Iterator[str]:
    """Reasons in words, one a leg."""
    if scores.bm25 is not None:
        in_title, in_text = matcher.found_in(title), matcher.found_in(text)
        named = ", ".join(dict.fromkeys(word.lower() for word in (*in_text, *in_title)))
        place = "title and text" if in_title and in_text else "title" if in_title else "text"
        words = f"{named} in its {place}" if named else "words of the question"
        yield f"Words: {words} (place {scores.lexical_rank} by words)"
    if scores.dense is not None:
        rank = f", place {scores.dense_rank} by meaning" if scores.dense_rank else ""
        yield f"Meaning: cosine {scores.dense:.2f}{rank}"
