"""Second stage: the legs, side by side; one that cannot answer leaves a note and no gap."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LegTimeout
from dataclasses import dataclass, replace
from pathlib import Path

import structlog
from django.db import DatabaseError, connection

from retrieval.legs import dense, lexical
from retrieval.lexical import position
from retrieval.lexical.reader import Found, ResolvedFilters
from retrieval.stages.state import SearchState
from retrieval.types import LegResult

log = structlog.get_logger(__name__)

LEXICAL_DEADLINE_S = 10.0  # on top of the wait for an index that is being built
BEHIND = "The newest changes are still being indexed; their words may not be found yet."
NOT_INDEXED = "The word index is being built: for now passages are found by meaning."
NO_WORDS = "Words could not be searched: passages were found by meaning."
NO_MEANING = "Meaning could not be searched: passages were found by their words."

PENDING = """
SELECT EXISTS (SELECT 1 FROM corpus_change WHERE (xid, id) > (%s::text::xid8, %s)
               AND kind = 'document' AND corpus_id = ANY(%s))
"""
TOTAL = "SELECT coalesce(sum(chunk_count), 0) FROM corpus_corpus"

_POOL = ThreadPoolExecutor(max_workers=8, thread_name_prefix="lexical-leg")


@dataclass(frozen=True, slots=True)
class SearchLegs:
    """Run the legs: the dense one here, on this thread's connection, the lexical one beside it.

    The depths say how many candidates each leg gives at least. Words go deeper: it costs nothing,
    and a score fusion otherwise takes a passage that only meaning found for one without the words.
    """

    root: Path
    wait_s: float
    dense_depth: int = 50
    lexical_depth: int = 200

    def __call__(self, state: SearchState) -> SearchState:
        limit = state.query.limit
        words = self._start_lexical(state, max(self.lexical_depth, limit))
        legs = []
        if state.dense_query is not None:
            legs.append(_dense(state, state.dense_query, max(self.dense_depth, limit)))
        if words is not None:
            legs.append(self._lexical(state, words))
        notes = [leg.note for leg in legs if leg.note]
        return replace(state, legs=tuple(legs), notes=(*state.notes, *notes))

    def _start_lexical(self, state: SearchState, depth: int) -> Future[Found] | None:
        query = state.query
        if "lexical" not in query.legs or not query.scope.corpora:
            return None
        return _POOL.submit(
            lexical.search,
            self.root,
            [corpus.public_id for corpus in query.scope.corpora],
            state.terms,
            filters=ResolvedFilters(query.filters, state.documents),
            limit=depth,
            wait_s=self.wait_s,
        )

    def _lexical(self, state: SearchState, words: Future[Found]) -> LegResult:
        started = time.perf_counter()
        try:
            found = words.result(timeout=self.wait_s + LEXICAL_DEADLINE_S)
        except LegTimeout:
            words.cancel()
            log.warning("search.lexical_late")
            return LegResult("lexical", note=NO_WORDS, failed=True)
        took_ms = (time.perf_counter() - started) * 1000
        missing = set(found.missing) & {
            corpus.public_id for corpus in state.query.scope.corpora if corpus.chunk_count
        }
        note = NOT_INDEXED if missing else _behind(state, self.root)
        failed = bool(missing) and not found.candidates
        return LegResult("lexical", found.candidates, note, failed, "bm25", took_ms)


def _dense(state: SearchState, query: dense.DenseQuery, depth: int) -> LegResult:
    started = time.perf_counter()
    allowed = sum(corpus.chunk_count for corpus in state.query.scope.corpora)
    try:
        with connection.cursor() as cursor:
            cursor.execute(TOTAL)
            total = int(cursor.fetchone()[0])
        found, method = dense.search(query, limit=depth, allowed_rows=allowed, total_rows=total)
    except DatabaseError:
        if not connection.is_usable():  # then nothing can be answered at all
            raise
        log.exception("search.dense_failed")
        return LegResult("dense", note=NO_MEANING, failed=True)
    took_ms = (time.perf_counter() - started) * 1000
    return LegResult("dense", tuple(found), "", False, method, took_ms)


def _behind(state: SearchState, root: Path) -> str:
    """Whether the log holds changes of these corpora that the indexes do not have yet."""
    reached = position.read(root)
    if reached is None:
        return ""
    # As SQL: this stands in the way of every search, and building the same with the ORM costs more
    # than asking it.
    with connection.cursor() as cursor:
        cursor.execute(PENDING, [str(reached.xid), reached.change, state.query.scope.ids])
        pending = cursor.fetchone()[0]
    return BEHIND if pending else ""
