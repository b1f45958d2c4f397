"""Last stage: the texts, with the permission asked once more, and why each passage is here."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from corpus.models import Chunk, Figure, Table
from retrieval.fusion import first_of_each
from retrieval.stages.matching import Matcher
from retrieval.stages.state import SearchState
from retrieval.types import Hit, Ranked, Scores

SLACK = 10  # rows fetched beyond the limit: twins of one passage in two corpora are one hit
TEXT_COLUMNS = (
    "pk",
    "public_id",
    "text",
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


class Passage(NamedTuple):
    """A stored passage as it is shown: TEXT_COLUMNS in order."""

    pk: int
    public_id: uuid.UUID
    text: str
    content_type: str
    chunk_index: int
    page: int | None
    section_path: list[str]
    document_pk: int
    corpus_pk: int
    document_id: uuid.UUID
    source: str
    external_id: str
    title: str
    year: int | None
    retracted: bool
    corpus: str

    @property
    def identity(self) -> tuple[str, str, str, int]:
        """The same record cut the same way is one passage, whichever corpora hold it."""
        return self.source, self.external_id, self.content_type, self.chunk_index


@dataclass(frozen=True, slots=True)
class Explain:
    """Fetch the best passages that the reader may read, fold twins, say why."""

    def __call__(self, state: SearchState) -> SearchState:
        kept: list[tuple[Ranked, Passage]] = []
        twins: dict[int, list[int]] = {}
        size = state.query.limit + SLACK
        for start in range(0, len(state.ranked), size):
            kept += _rows(state, state.ranked[start : start + size])
            first, twins = first_of_each(passage.identity for _, passage in kept)
            if len(first) >= state.query.limit:
                break
        chosen = list(twins)[: state.query.limit]
        images = _images([kept[position][1] for position in chosen])
        matcher = Matcher(state.query.text)
        hits = []
        for rank, position in enumerate(chosen, start=1):
            ranked, passage = kept[position]
            also_in = tuple(kept[twin][1].corpus for twin in twins[position])
            image, scores = images.get(passage.pk, ""), state.scores_of(passage.pk)
            hits.append(_hit(rank, ranked.score, passage, also_in, image, scores, matcher))
        return replace(state, hits=tuple(hits))


def _rows(state: SearchState, ranked: Sequence[Ranked]) -> Iterator[tuple[Ranked, Passage]]:
    """The stored passages in order; one deleted meanwhile, or not the reader's, is not there."""
    found = (
        Chunk.objects.visible_to(state.reader)
        .filter(pk__in=[hit.chunk for hit in ranked], corpus__in=state.query.scope.ids)
        .order_by()
        .values_list(*TEXT_COLUMNS)
    )
    rows = {row[0]: Passage(*row) for row in found}
    for hit in ranked:
        if hit.chunk in rows:
            yield hit, rows[hit.chunk]


def _images(passages: Sequence[Passage]) -> Mapping[int, str]:
    """The picture of each passage that is a caption or a table."""
    captions = [row.pk for row in passages if row.content_type in ("image", "table")]
    if not captions:
        return {}
    found: dict[int, str] = {}
    for model in (Figure, Table):
        rows: Any = model.objects.filter(chunk__in=captions).exclude(image_sha256="")
        found |= dict(rows.values_list("chunk_id", "image_sha256"))
    return found


def _hit(
    rank: int,
    score: float,
    passage: Passage,
    also_in: tuple[str, ...],
    image_hash: str,
    scores: Scores,
    matcher: Matcher,
) -> Hit:
    return Hit(
        rank=rank,
        chunk_pk=passage.pk,
        document_pk=passage.document_pk,
        corpus_pk=passage.corpus_pk,
        chunk_id=passage.public_id,
        document_id=passage.document_id,
        corpus=passage.corpus,
        source=passage.source,
        external_id=passage.external_id,
        title=passage.title,
        text=passage.text,
        page=passage.page,
        section=" › ".join(passage.section_path),
        content_type=passage.content_type,
        chunk_index=passage.chunk_index,
        year=passage.year,
        retracted=passage.retracted,
        image_hash=image_hash,
        score=score,
        scores=scores,
        why=tuple(why(scores, passage.title, passage.text, matcher)),
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
