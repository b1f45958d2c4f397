"""Third stage: one ranking from the lists of the legs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.fusion import ALPHA, RRF_K, convex_combination, reciprocal_rank_fusion
from retrieval.legs.dense import similarities
from retrieval.stages.state import SearchState
from retrieval.types import Candidate, LegName, Ranked, Scores

POOL = 20  # best places of each leg that take part in RRF, unless more hits are asked for

Lists = dict[LegName, list[Candidate]]


@dataclass(frozen=True, slots=True)
class Merge:
    """Both fusions are worked out, the query's own decides. One leg alone keeps its order.

    A passage that only the words found is ranked by meaning too: its cosine is known exactly, so it
    has a place among the dense candidates. Its place in the lexical list stays open in the other
    case, since a passage without one of the question's words has none.
    """

    k: int = RRF_K
    alpha: float = ALPHA
    pool: int = POOL

    def __call__(self, state: SearchState) -> SearchState:
        found = {leg.leg: leg.candidates for leg in state.legs if leg.candidates}
        words, meaning = found.get("lexical", ()), found.get("dense", ())
        chunks = list(dict.fromkeys(hit.chunk for hit in (*words, *meaning)))
        cosines = _cosines(state, meaning, chunks)
        lists: Lists = {"lexical": list(words), "dense": _by_cosine(chunks, cosines)}
        rrf = self._by_rank(lists, max(self.pool, state.query.limit))
        bm25 = {hit.chunk: hit.score for hit in words}
        cc = convex_combination({c: cosines.get(c) for c in chunks}, bm25, alpha=self.alpha)
        decided = rrf if state.query.fusion == "rrf" else cc
        if len(found) == 1:
            decided = list(words or meaning)
        ranked = tuple(Ranked(hit.chunk, hit.score) for hit in decided)
        return replace(state, ranked=ranked, scores_of=_Parts(lists, rrf, cc).of)

    def _by_rank(self, lists: Lists, depth: int) -> list[Candidate]:
        """RRF of the best of each leg, each of them ranked by both as far as they are known."""
        pool = {hit.chunk for found in lists.values() for hit in found[:depth]}
        within = ([hit for hit in found if hit.chunk in pool] for found in lists.values())
        return reciprocal_rank_fusion(within, k=self.k)


def _by_cosine(chunks: list[int], cosines: dict[int, float]) -> list[Candidate]:
    known = [Candidate(chunk, cosines[chunk]) for chunk in chunks if chunk in cosines]
    return sorted(known, key=lambda hit: -hit.score)


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
        lists: Lists,
        rrf: list[Candidate],
        cc: list[Candidate],
    ) -> None:
        self._places = {
            leg: {hit.chunk: (rank, hit.score) for rank, hit in enumerate(found, start=1)}
            for leg, found in lists.items()
        }
        self._rrf = {hit.chunk: hit.score for hit in rrf}
        self._cc = {hit.chunk: hit.score for hit in cc}

    def of(self, chunk: int) -> Scores:
        """All scores of one passage."""
        dense_rank, dense = self._places["dense"].get(chunk, (None, None))
        lexical_rank, bm25 = self._places["lexical"].get(chunk, (None, None))
        return Scores(
            dense=dense,
            bm25=bm25,
            dense_rank=dense_rank,
            lexical_rank=lexical_rank,
            rrf=self._rrf.get(chunk),
            cc=self._cc.get(chunk),
        )
