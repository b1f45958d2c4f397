"""Exact numbers of both merges, and what must hold for any lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import convex_combination, first_of_each, reciprocal_rank_fusion
from retrieval.types import Candidate

CHUNKS = st.lists(st.integers(0, 30), unique=True, max_size=12)


def ranked(*chunks: int) -> list[Candidate]:
    return [Candidate(chunk, 1.0 / (place + 1)) for place, chunk in enumerate(chunks)]


def test_rrf_adds_one_over_sixty_plus_rank() -> None:
    merged = reciprocal_rank_fusion([ranked(1, 2), ranked(2, 3)])
    assert [hit.chunk for hit in merged] == [2, 1, 3]
    assert merged[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert merged[1].score == pytest.approx(1 / 61)


def test_empty_lists_add_nothing() -> None:
    assert reciprocal_rank_fusion([[], ranked(4, 5), []]) == reciprocal_rank_fusion([ranked(4, 5)])
    assert reciprocal_rank_fusion([]) == []


def test_a_passage_twice_in_a_list_counts_once() -> None:
    merged = reciprocal_rank_fusion([ranked(1, 2, 1)])
    assert [hit.chunk for hit in merged] == [1, 2]
    assert merged[0].score == pytest.approx(1 / 61)


@given(st.lists(CHUNKS, max_size=4))
def test_one_list_keeps_its_order_and_none_is_lost(lists: list[list[int]]) -> None:
    merged = reciprocal_rank_fusion([ranked(*chunks) for chunks in lists])
    assert {hit.chunk for hit in merged} == {chunk for chunks in lists for chunk in chunks}
    filled = [chunks for chunks in lists if chunks]
    if len(filled) == 1:
        assert [hit.chunk for hit in merged] == filled[0]


def test_cc_weighs_cosine_and_scaled_bm25() -> None:
    merged = convex_combination({1: 0.8, 2: 0.5}, {2: 10.0, 1: 5.0}, alpha=0.7)
    assert [hit.chunk for hit in merged] == [1, 2]
    assert [hit.score for hit in merged] == pytest.approx([0.7 * 0.8 + 0.15, 0.7 * 0.5 + 0.3])


def test_a_passage_without_a_vector_stands_by_its_words() -> None:
    merged = convex_combination({1: 0.9, 2: 0.2, 3: None}, {3: 4.0, 2: 1.0}, alpha=0.5)
    scores = {hit.chunk: hit.score for hit in merged}
    assert scores[3] == pytest.approx(0.5 * 0.2 + 0.5)
    assert scores[2] == pytest.approx(0.5 * 0.2 + 0.5 * 0.25)
    assert scores[1] == pytest.approx(0.45)


def test_without_any_vector_the_lexical_order_stays() -> None:
    merged = convex_combination({1: None, 2: None}, {2: 8.0, 1: 2.0})
    assert [(hit.chunk, hit.score) for hit in merged] == [(2, 1.0), (1, 0.25)]


def test_without_any_word_the_dense_order_stays() -> None:
    merged = convex_combination({1: 0.3, 2: 0.6}, {})
    assert [hit.chunk for hit in merged] == [2, 1]


def test_alpha_is_a_share() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        convex_combination({}, {}, alpha=1.5)


@given(
    st.dictionaries(st.integers(0, 20), st.floats(-1, 1), min_size=1),
    st.dictionaries(st.integers(0, 20), st.floats(0.01, 30)),
)
def test_the_ends_of_alpha_are_the_legs(dense: dict[int, float], bm25: dict[int, float]) -> None:
    only_dense = convex_combination(dense, bm25, alpha=1.0)
    assert [hit.score for hit in only_dense] == sorted(dense.values(), reverse=True)
    only_words = convex_combination(dense, bm25, alpha=0.0)
    scores = [bm25.get(hit.chunk, 0.0) for hit in only_words]
    assert scores == sorted(scores, reverse=True)


def test_twins_stand_where_the_first_stands() -> None:
    kept, twins = first_of_each(["a", "b", "a", "c", "a"])
    assert kept == [0, 1, 3]
    assert twins == {0: [2, 4], 1: [], 3: []}
