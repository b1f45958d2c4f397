"""Merging the lists of several legs: pure arithmetic over database ids and scores."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from retrieval.types import Candidate

RRF_K = 60
# Tuned on the train questions of SciFact and the even halves of COVID-QA and PubMedQA, where .55 to
# .65 are as good as each other (docs/adr/0004).
ALPHA = 0.6

K = TypeVar("K", bound=Hashable)


def reciprocal_rank_fusion(
    lists: Iterable[Sequence[Candidate]], *, k: int = RRF_K
) -> list[Candidate]:
    """Merge ranked lists by rank alone: score(d) = sum of 1 / (k + rank), rank from 1.

    Raw scores are never mixed, since cosine and BM25 do not compare. Empty lists add nothing; ties
    keep the order in which passages were first seen. A passage twice in one list counts where it
    stands first. Source: Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    scores: dict[int, float] = {}
    for candidates in lists:
        seen: set[int] = set()
        for rank, candidate in enumerate(candidates, start=1):
            if candidate.chunk not in seen:
                seen.add(candidate.chunk)
                scores[candidate.chunk] = scores.get(candidate.chunk, 0.0) + 1.0 / (k + rank)
    return _descending(scores)


def convex_combination(
    dense: Mapping[int, float | None], bm25: Mapping[int, float], *, alpha: float = ALPHA
) -> list[Candidate]:
    """Merge by score: alpha times cosine plus (1 - alpha) times BM25 over its maximum.

    Args:
        dense: cosine of every passage that either leg found; None where it has no vector yet.
        bm25: scores of the lexical leg, above 0; a passage that is absent has no query word.
        alpha: share of the dense side, in [0, 1].
    A passage without a vector takes the lowest cosine of the others, so that it stands by its words
    alone. With no cosine at all the lexical order stays. Ties keep the order of `dense`.
    Source: Bruch, Gai and Ingber, TOIS 2023 (convex combination, theoretical-minimum-free form).
    Raises: ValueError when alpha lies outside [0, 1].
    """
    if not 0.0 <= alpha <= 1.0:
        raise ValueError("alpha lies in [0, 1]")
    known = [score for score in dense.values() if score is not None]
    lowest = min(known, default=0.0)
    top = max(bm25.values(), default=0.0)
    weight = alpha if known else 0.0
    return _descending(
        {
            chunk: weight * (lowest if score is None else score)
            + (1.0 - weight) * (bm25.get(chunk, 0.0) / top if top > 0.0 else 0.0)
            for chunk, score in dense.items()
        }
    )


def _descending(scores: Mapping[int, float]) -> list[Candidate]:
    # sorted() is stable, so equal scores keep their order.
    ordered = sorted(scores.items(), key=lambda item: -item[1])
    return [Candidate(chunk, score) for chunk, score in ordered]


def first_of_each(keys: Iterable[K]) -> tuple[list[int], dict[int, list[int]]]:
    """Which positions stay when things with one key are one thing.

    Returns the positions of the first of each key, in order, and for every such position those of
    its later twins.
    """
    first: dict[K, int] = {}
    twins: dict[int, list[int]] = {}
    for position, key in enumerate(keys):
        if key in first:
            twins[first[key]].append(position)
        else:
            first[key] = position
            twins[position] = []
    return list(twins), twins
