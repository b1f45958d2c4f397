"""Search: the one door for pages, API, commands, agent and evaluation."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from django.conf import settings

from corpus.models import Corpus
from corpus.services import corpora as corpus_service
from flux_site.kernel.errors import InvalidInput
from retrieval import pipeline
from retrieval.stages.analyse import Analyse
from retrieval.stages.explain import Explain
from retrieval.stages.merge import Merge
from retrieval.stages.search import SearchLegs
from retrieval.stages.state import SearchState
from retrieval.types import (
    DEFAULT_LIMIT,
    FUSIONS,
    LEGS,
    MAX_LIMIT,
    NO_FILTERS,
    Filters,
    Fusion,
    LegName,
    Query,
    Scope,
    ScopedCorpus,
    SearchResult,
    cleaned_query,
)

if TYPE_CHECKING:
    from accounts.models import User


def search(
    query: str,
    *,
    reader: User,
    corpora: Sequence[str | uuid.UUID] | None = None,
    limit: int = DEFAULT_LIMIT,
    filters: Filters = NO_FILTERS,
    fusion: Fusion | None = None,
    legs: Sequence[LegName] = LEGS,
) -> SearchResult:
    """Passages that the reader may read, best first, each with its scores and why it is here.

    Args:
        corpora: names (slug, TEAM/SLUG or public id); None means all that the reader may read.
        limit: 1 to 5,000 hits.
        fusion: None takes the site's own (DEFAULT_FUSION).
        legs: which are asked; a leg that cannot answer leaves a note, and the others answer.
    Raises: InvalidInput for an empty or too long question, a bad limit, fusion or leg; NotFound,
        in the same words, for a corpus that is absent or hidden.
    """
    text = cleaned_query(query)
    _check(limit, legs)
    names = None if corpora is None else [str(name) for name in corpora]
    scope = corpus_service.scope(reader, names)
    prepared = Query(
        text=text,
        scope=_scope(scope),
        filters=filters,
        limit=limit,
        fusion=_fusion(fusion),
        legs=tuple(leg for leg in LEGS if leg in legs),
    )
    state = pipeline.run(SearchState(prepared, reader), _stages())
    return _result(state, index_version(scope))


def index_version(corpora: Iterable[Corpus]) -> str:
    """What a search over these corpora depends on: changes with each change of any of them."""
    parts = sorted(f"{corpus.public_id}:{corpus.revision}" for corpus in corpora)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _check(limit: int, legs: Sequence[LegName]) -> None:
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"limit lies between 1 and {MAX_LIMIT:,}.")
    if not legs or set(legs) - set(LEGS):
        raise InvalidInput(f"A leg is one of {', '.join(LEGS)}.")


def _fusion(asked: Fusion | None) -> Fusion:
    fusion = asked or settings.DEFAULT_FUSION
    if fusion not in FUSIONS:
        raise InvalidInput(f"fusion is one of {', '.join(FUSIONS)}.")
    return cast(Fusion, fusion)


def _scope(corpora: Iterable[Corpus]) -> Scope:
    return Scope(
        tuple(
            ScopedCorpus(
                corpus.pk,
                corpus.public_id,
                corpus.slug,
                corpus.revision,
                corpus.chunk_count,
                corpus.propositions,
            )
            for corpus in corpora
        )
    )


def _stages() -> tuple[tuple[str, pipeline.Stage], ...]:
    legs = SearchLegs(settings.LEXICAL_ROOT, settings.RETRIEVAL_WAIT_SECONDS)
    return (
        ("analyse", Analyse(settings.DEFAULT_ENCODER)),
        ("search", legs),
        ("merge", Merge()),
        ("explain", Explain()),
    )


def _result(state: SearchState, version: str) -> SearchResult:
    timings = {f"{step.stage}_ms": step.took_ms for step in state.trace}
    timings |= {f"{leg.leg}_ms": round(leg.took_ms, 2) for leg in state.legs}
    timings["total_ms"] = round(sum(step.took_ms for step in state.trace), 2)
    return SearchResult(
        query=state.query.text,
        hits=state.hits,
        index_version=version,
        fusion=state.query.fusion,
        legs=tuple(leg.leg for leg in state.legs if not leg.failed),
        notes=tuple(dict.fromkeys(state.notes)),
        timings=timings,
        trace=state.trace,
    )
