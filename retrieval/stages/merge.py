"""Third stage: one ranking from the lists of the legs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.fusion import ALPHA, RRF_K, convex_combination, reciprocal_rank_fusion
from retrieval.legs.dense import similarities
from retrieval.stages.state import SearchState
from retrieval.types import Candidate, LegName, Ranked, Scores

RRF_DEPTH = 20  # places of each leg that vote, unless more hits are asked for


@dataclass(frozen=True, slots=True)
class Merge:
    """Both fusions are worked out, the query's own decides. One leg alone keeps its order."""

    k: int = RRF_K
    alpha: float = ALPHA

    def __call__(self, state: SearchState) -> SearchState:
        lists = {leg.leg: leg.candidates for leg in state.legs if not leg.failed}
        order = [candidate for found in lists.values() for candidate in found]
        chunks = list(dict.fromkeys(candidate.chunk for candidate in order))
        cosines = _cosines(state, lists.get("dense", ()), chunks)
        bm25 = {hit.chunk: hit.score for hit in lists.get("lexical", ())}
        depth = max(RRF_DEPTH, state.query.limit)
        rrf = reciprocal_rank_fusion([found[:depth] for found in lists.values()], k=self.k)
        cc = convex_combination(
            {chunk: cosines.get(chunk) for chunk in chunks}, bm25, alpha=self.alpha
        )
        decided = self._decide(state, lists, rrf, cc)
        parts = _Parts(lists, cosines, bm25, rrf, cc)
        ranked = tuple(Ranked(hit.chunk, hit.score, parts.of(hit.chunk)) for hit in decided)
        return replace(state, cosines=cosines, ranked=ranked)

    def _decide(
        self,
        state: SearchState,
        lists: dict[LegName, tuple[Candidate, ...]],
        rrf: list[Candidate],
        cc: list[Candidate],
    ) -> list[Candidate]:
        answering = [found for found in lists.values() if found]
        if len(answering) == 1:
            return list(answering[0])
        return rrf if state.query.fusion == "rrf" else cc


def _cosines(
    state: SearchState, dense: tuple[Candidate, ...], chunks: list[int]
) -> dict[int, float]:
    """Cosines of all candidates, also of those that only the lexical leg found."""
    known = {hit.chunk: hit.score for hit in dense}
    rest = [chunk for chunk in chunks if chunk not in known]
    if rest and state.dense_query is not None:
        known |= similarities(state.dense_query, rest)
    return known


class _Parts:
    """Looks up what is known of a passage's place."""

    def __init__(
        self,
        lists: dict[LegName, tuple[Candidate, ...]],
        cosines: dict[int, float],
        bm25: dict[int, float],
        rrf: list[Candidate],
        cc: list[Candidate],
    ) -> None:
        self._ranks = {
            leg: {hit.chunk: rank for rank, hit in enumerate(found, start=1)}
            for leg, found in lists.items()
        }
        self._cosines, self._bm25 = cosines, bm25
        self._rrf = {hit.chunk: hit.score for hit in rrf}
        self._cc = {hit.chunk: hit.score for hit in cc}

    def of(self, chunk: int) -> Scores:
        """All scores of one passage."""
        return Scores(
            dense=self._cosines.get(chunk),
            bm25=self._bm25.get(chunk),
            dense_rank=self._ranks.get("dense", {}).get(chunk),
            lexical_rank=self._ranks.get("lexical", {}).get(chunk),
            rrf=self._rrf.get(chunk),
            cc=self._cc.get(chunk),
        )
