"""The dense leg: nearest vectors inside the corpora of a request, in SQL.

The encoder's id and dimension are literals, since only then the partial index of that encoder is
used whatever plan PostgreSQL makes; everything else is bound. A proposition's vector counts for its
passage, so that a passage has the score of the best of its windows and statements, and is one hit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection, transaction

from retrieval.legs.filters import where
from retrieval.types import Candidate, Filters

# Below this many allowed rows reading them all is quicker than the graph, and exact (measured:
# equal p95 at 66 times the root of all rows).
EXACT_ROWS = 5_000
EXACT_ROOT = 66
OVER_FETCH = 100  # nearest rows taken from the graph at least; the best of them are returned
STATEMENTS = 4  # times as many where passages have statements too: the nearest often share one
MOST_FROM_GRAPH = 200  # a longer list is read exactly
SETTINGS = {
    "hnsw.ef_search": "400",
    "hnsw.iterative_scan": "relaxed_order",  # strict order finds less and costs more
    "hnsw.max_scan_tuples": "40000",
    "hnsw.scan_mem_multiplier": "8",
    "enable_seqscan": "off",
}
PASSAGE = "coalesce(v.passage, v.chunk_id)"


@dataclass(frozen=True, slots=True)
class DenseQuery:
    """What the SQL needs: encoder, vector, corpora, filters."""

    encoder_id: int
    dimension: int
    vector: npt.NDArray[np.float32]
    corpora: Sequence[int]
    filters: Filters
    documents: tuple[int, ...] | None = None
    has_propositions: bool = False
    literal: str = field(init=False, repr=False)  # the vector as pgvector reads it

    def __post_init__(self) -> None:
        text = "[" + ",".join(f"{value:.7g}" for value in self.vector.tolist()) + "]"
        object.__setattr__(self, "literal", text)

    @property
    def is_filtered(self) -> bool:
        """Whether passages are restricted beyond their corpora."""
        return bool(self.filters) or self.documents is not None


def exact_limit(total_rows: int) -> int:
    """How many allowed rows are read exactly when the table has `total_rows`."""
    return max(EXACT_ROWS, int(EXACT_ROOT * math.sqrt(max(total_rows, 0))))


def search(
    query: DenseQuery, *, limit: int, allowed_rows: int, total_rows: int
) -> tuple[list[Candidate], str]:
    """The nearest passages by their best window, and how they were found: exact or approximate.

    `allowed_rows` bounds the passages of the corpora, `total_rows` those of the table. Scores are
    cosines in [-1, 1].
    """
    bound = exact_limit(total_rows)
    if allowed_rows <= bound or limit > MOST_FROM_GRAPH or _few_fit(query, bound):
        return _exact(query, limit), "exact"
    found = _approximate(query, limit)
    if len(found) < limit:  # more than that are allowed, so the graph has missed some
        return _exact(query, limit), "exact"
    return found, "approximate"


def similarities(query: DenseQuery, chunks: Iterable[int]) -> dict[int, float]:
    """Cosine of the best window of each of these passages; those without a vector are left out."""
    theirs, values = "%s", [list(chunks)]
    if query.has_propositions:  # as one list, so that their rows are still looked up by the index
        theirs = "ARRAY(SELECT id FROM corpus_chunk WHERE id = ANY(%s) OR parent_id = ANY(%s))"
        values *= 2
    sql = (
        f"SELECT {PASSAGE}, -min(vector <#> %s::halfvec) FROM corpus_chunkvector v "
        f"WHERE encoder_id = {int(query.encoder_id)} AND v.chunk_id = ANY({theirs}) GROUP BY 1"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [query.literal, *values])
        return {chunk: float(score) for chunk, score in cursor.fetchall()}


def _exact(query: DenseQuery, limit: int) -> list[Candidate]:
    sql, parameters = exact_sql(query, limit)
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return [Candidate(chunk, float(-distance)) for chunk, distance in cursor.fetchall()]


def exact_sql(query: DenseQuery, limit: int) -> tuple[str, list[Any]]:
    """Read all allowed rows. Adding 0 keeps every graph index out of the plan."""
    condition, values = _subquery(query)
    sql = (
        f"SELECT {PASSAGE} AS passage, min((vector <#> %s::halfvec) + 0) AS distance "
        "FROM corpus_chunkvector v "
        f"WHERE encoder_id = {int(query.encoder_id)} AND corpus_id = ANY(%s){condition} "
        "GROUP BY 1 ORDER BY distance, 1 LIMIT %s"
    )
    return sql, [query.literal, list(query.corpora), *values, limit]


def _subquery(query: DenseQuery) -> tuple[str, list[Any]]:
    if not query.is_filtered:
        return "", []
    condition, values = where(query.filters, query.documents)
    sql = (
        f" AND {PASSAGE} IN (SELECT c.id FROM corpus_chunk c "
        "JOIN corpus_document d ON d.id = c.document_id "
        f"WHERE c.corpus_id = ANY(%s) AND {condition})"
    )
    return sql, [list(query.corpora), *values]


def _approximate(query: DenseQuery, limit: int) -> list[Candidate]:
    sql, parameters = approximate_sql(query, limit)
    with transaction.atomic(), connection.cursor() as cursor:
        local = ", ".join("set_config(%s, %s, true)" for _ in SETTINGS)
        cursor.execute(f"SELECT {local}", [text for pair in SETTINGS.items() for text in pair])
        cursor.execute(sql, parameters)
        return [Candidate(chunk, float(1.0 - distance)) for chunk, distance in cursor.fetchall()]


def approximate_sql(query: DenseQuery, limit: int) -> tuple[str, list[Any]]:
    """Take the nearest rows from the graph, then the best window of each passage.

    `distance + 0` is essential: PostgreSQL takes the inner order for granted and would drop the
    outer sort, but a relaxed scan gives rows only nearly in order.
    """
    dimension, taken = int(query.dimension), max(OVER_FETCH, 2 * int(limit))
    taken *= STATEMENTS if query.has_propositions else 1
    condition, values = _per_row(query)
    nearness = f"vector::halfvec({dimension}) <=> %s::halfvec({dimension})"
    sql = (
        f"WITH near AS MATERIALIZED (SELECT {PASSAGE} AS passage, {nearness} AS distance "
        f"FROM corpus_chunkvector v WHERE encoder_id = {int(query.encoder_id)} "
        f"AND corpus_id = ANY(%s){condition} ORDER BY {nearness} LIMIT {taken}) "
        "SELECT passage, min(distance + 0) AS best FROM near "
        "GROUP BY passage ORDER BY best, passage LIMIT %s"
    )
    literal = query.literal
    return sql, [literal, list(query.corpora), *values, literal, limit]


def _per_row(query: DenseQuery) -> tuple[str, list[Any]]:
    """The filter as a look-up for each row, which leaves the graph scan in place."""
    if not query.is_filtered:
        return "", []
    condition, values = where(query.filters, query.documents)
    sql = (
        f" AND (SELECT {condition} FROM corpus_chunk c "
        f"JOIN corpus_document d ON d.id = c.document_id WHERE c.id = {PASSAGE})"
    )
    return sql, values


def _few_fit(query: DenseQuery, bound: int) -> bool:
    """Whether at most `bound` passages pass the filters; counting stops there."""
    if not query.is_filtered:
        return False
    condition, values = where(query.filters, query.documents)
    sql = (
        "SELECT count(*) FROM (SELECT 1 FROM corpus_chunk c "
        "JOIN corpus_document d ON d.id = c.document_id "
        f"WHERE c.corpus_id = ANY(%s) AND {condition} LIMIT %s) AS fitting"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(query.corpora), *values, bound + 1])
        return int(cursor.fetchone()[0]) <= bound
