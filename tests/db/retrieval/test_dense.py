"""The dense leg's SQL: which plan it takes, and that what it finds is what is nearest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.db import connection

from corpus.models import Corpus, Encoder
from corpus.services.embedding import make_index
from retrieval.legs import dense
from retrieval.legs.dense import DenseQuery
from retrieval.types import NO_FILTERS, Filters
from tests.factories import CorpusFactory, DocumentFactory

pytestmark = pytest.mark.django_db

DIMENSION = 16
ROWS = 6_000


def unit_rows(count: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSION))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def encoder() -> Encoder:
    return Encoder.objects.create(name="e", dimension=DIMENSION, weights_sha256="0" * 64)


def fill(corpus: Corpus, encoder: Encoder, vectors: np.ndarray, **document: Any) -> list[int]:
    """One passage a vector, written straight into the tables; their ids in order."""
    owner = DocumentFactory(corpus=corpus, **document)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO corpus_chunk (public_id, document_id, corpus_id, content_type, "
            "chunk_index, text, text_sha256, section_path, char_start, char_end, lines, fields) "
            "SELECT gen_random_uuid(), %s, %s, 'text', n, 'x', '\\x00', '{}', 0, 1, '[]', '{}' "
            "FROM generate_series(0, %s) AS n RETURNING id",
            [owner.pk, corpus.pk, len(vectors) - 1],
        )
        chunks = [row[0] for row in cursor.fetchall()]
        cursor.executemany(
            'INSERT INTO corpus_chunkvector (chunk_id, encoder_id, "window", corpus_id, '
            "text_sha256, vector) VALUES (%s, %s, 0, %s, '\\x00', %s::halfvec)",
            [
                (chunk, encoder.pk, corpus.pk, str(vector.round(4).tolist()))
                for chunk, vector in zip(chunks, vectors, strict=True)
            ],
        )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # an index may be made now
    corpus.chunk_count = len(chunks)
    corpus.save(update_fields=["chunk_count"])
    return chunks


def query_for(encoder: Encoder, corpora: list[int], vector: np.ndarray) -> DenseQuery:
    return DenseQuery(encoder.pk, DIMENSION, vector.astype(np.float32), corpora, NO_FILTERS)


def plan_of(sql: str, parameters: list[Any]) -> str:
    with connection.cursor() as cursor:
        for name, value in dense.SETTINGS.items():
            cursor.execute("SELECT set_config(%s, %s, true)", [name, value])
        cursor.execute(f"EXPLAIN {sql}", parameters)
        return "\n".join(row[0] for row in cursor.fetchall())


def test_the_graph_index_is_used_and_exact_stays_off_it(encoder: Encoder) -> None:
    corpus = CorpusFactory()
    fill(corpus, encoder, unit_rows(1_500, 1))
    make_index(encoder)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpus_chunk, corpus_chunkvector, corpus_document")
    query = query_for(encoder, [corpus.pk], unit_rows(1, 2)[0])
    filtered = replace(query, filters=Filters(retracted=False))
    index = f"corpus_chunkvector_e{encoder.pk}"

    assert f"Index Scan using {index}" in plan_of(*dense.approximate_sql(query, 20))
    assert f"Index Scan using {index}" in plan_of(*dense.approximate_sql(filtered, 20))
    for exact in (query, filtered):
        plan = plan_of(*dense.exact_sql(exact, 20))
        assert index not in plan


def test_ids_are_literals_and_only_numbers(encoder: Encoder) -> None:
    query = query_for(encoder, [1], unit_rows(1, 2)[0])
    for sql, _ in (dense.exact_sql(query, 5), dense.approximate_sql(query, 5)):
        assert f"encoder_id = {encoder.pk}" in sql
    with pytest.raises(ValueError, match="invalid literal"):
        dense.exact_sql(replace(query, encoder_id="1 OR true"), 5)  # type: ignore[arg-type]


def test_exact_search_finds_the_nearest(encoder: Encoder) -> None:
    corpus, hidden = CorpusFactory(), CorpusFactory()
    vectors = unit_rows(300, 3)
    chunks = fill(corpus, encoder, vectors)
    fill(hidden, encoder, vectors)
    vector = unit_rows(1, 4)[0]
    expected = np.argsort(-(vectors @ vector), kind="stable")[:10]

    query = query_for(encoder, [corpus.pk], vector)
    found, method = dense.search(query, limit=10, allowed_rows=300, total_rows=600)

    assert method == "exact"
    assert {hit.chunk for hit in found} == {chunks[place] for place in expected}
    assert [hit.score for hit in found] == pytest.approx(
        (vectors @ vector)[expected].tolist(), abs=2e-3
    )


def test_vectors_of_another_encoder_are_never_compared(encoder: Encoder) -> None:
    """Not even where they are as long and lie nearer: each kind of vector is a space of its own."""
    corpus, vectors = CorpusFactory(), unit_rows(20, 12)
    other = Encoder.objects.create(name="f", dimension=DIMENSION, weights_sha256="1" * 64)
    mine = fill(corpus, encoder, -vectors)
    fill(corpus, other, vectors)

    query = query_for(encoder, [corpus.pk], vectors[0])
    found, _ = dense.search(query, limit=40, allowed_rows=40, total_rows=40)

    assert {hit.chunk for hit in found} == set(mine)


def test_a_passage_scores_by_its_best_window(encoder: Encoder) -> None:
    corpus = CorpusFactory()
    near, far = unit_rows(2, 5)
    first, second = fill(corpus, encoder, np.stack([far, unit_rows(1, 6)[0]]))
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO corpus_chunkvector (chunk_id, encoder_id, "window", corpus_id, '
            "text_sha256, vector) VALUES (%s, %s, 1, %s, '\\x00', %s::halfvec)",
            [first, encoder.pk, corpus.pk, str(near.round(4).tolist())],
        )
    query = query_for(encoder, [corpus.pk], near)

    found, _ = dense.search(query, limit=5, allowed_rows=3, total_rows=3)

    assert [hit.chunk for hit in found] == [first, second]
    assert found[0].score == pytest.approx(1.0, abs=2e-3)
    again = dense.similarities(query, [first, second, 10**9])
    assert again == pytest.approx({hit.chunk: hit.score for hit in found}, abs=1e-6)


@pytest.mark.slow
def test_the_graph_agrees_with_exact_search(encoder: Encoder) -> None:
    corpora = [CorpusFactory(), CorpusFactory()]
    vectors = unit_rows(ROWS, 7)
    fill(corpora[0], encoder, vectors[: ROWS // 2], year=2019)
    fill(corpora[1], encoder, vectors[ROWS // 2 :], year=2020)
    make_index(encoder)
    scope = [corpus.pk for corpus in corpora]
    methods, recalls = set(), []
    for vector in unit_rows(10, 8):
        query = query_for(encoder, scope, vector)
        for asked in (query, replace(query, filters=Filters(years=((2010, 2030),)))):
            found, method = dense.search(asked, limit=20, allowed_rows=ROWS, total_rows=0)
            exact, _ = dense.search(asked, limit=20, allowed_rows=0, total_rows=0)
            methods.add(method)
            recalls.append(len({h.chunk for h in found} & {h.chunk for h in exact}) / 20)
            assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)

    assert methods == {"approximate"}
    assert np.mean(recalls) >= 0.96


def test_a_narrow_filter_is_read_exactly(encoder: Encoder) -> None:
    corpus = CorpusFactory()
    wanted = fill(corpus, encoder, unit_rows(5, 9), year=1999)
    fill(corpus, encoder, unit_rows(200, 10), year=2020)
    make_index(encoder)
    query = replace(
        query_for(encoder, [corpus.pk], unit_rows(1, 11)[0]), filters=Filters(years=((1999, 1999),))
    )

    found, method = dense.search(query, limit=20, allowed_rows=10**6, total_rows=10**6)

    assert method == "exact"
    assert sorted(hit.chunk for hit in found) == sorted(wanted)


def test_when_exact_reading_pays() -> None:
    assert dense.exact_limit(0) == 5_000
    assert dense.exact_limit(5_739) == 5_000
    assert dense.exact_limit(10_000) == 6_600
    assert dense.exact_limit(1_000_000) == 66_000
