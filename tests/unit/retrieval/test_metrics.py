"""Numbers worked out by hand, and properties that must hold for all rankings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation import metrics

IDS = [f"d{n}" for n in range(8)]


def test_ndcg_of_a_graded_ranking() -> None:
    gold = {"a": 3, "b": 2, "c": 1}
    found = 2 / math.log2(2) + 0 / math.log2(3) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(["b", "x", "a"], gold) == pytest.approx(found / ideal)
    assert metrics.ndcg(["a", "b", "c"], gold) == 1.0
    assert metrics.ndcg(["x"] * 10 + ["a"], gold) == 0.0
    assert metrics.ndcg(["a"], {}) == 0.0


def test_recall_hit_and_reciprocal_rank() -> None:
    gold = {"a": 1, "b": 1, "judged-not-relevant": 0}
    ranking = ["x", "a", "y", "z", "q", "b"]
    assert metrics.recall(ranking, gold, k=5) == 0.5
    assert metrics.recall(ranking, gold, k=6) == 1.0
    assert metrics.hit(ranking, gold, k=1) == 0.0
    assert metrics.hit(ranking, gold, k=2) == 1.0
    assert metrics.reciprocal_rank(ranking, gold) == 0.5
    assert metrics.reciprocal_rank(["judged-not-relevant"], gold) == 0.0
    assert metrics.reciprocal_rank(["x"] * 10 + ["a"], gold) == 0.0


@given(st.permutations(IDS), st.sets(st.sampled_from(IDS), min_size=1))
def test_moving_a_relevant_document_up_never_hurts(ranking: list[str], relevant: set[str]) -> None:
    gold = dict.fromkeys(relevant, 1)
    place = max(ranking.index(document) for document in relevant)
    better = [ranking[place], *ranking[:place], *ranking[place + 1 :]]
    assert metrics.ndcg(better, gold) >= metrics.ndcg(ranking, gold) - 1e-12
    assert metrics.reciprocal_rank(better, gold) >= metrics.reciprocal_rank(ranking, gold)
    assert 0.0 <= metrics.ndcg(ranking, gold) <= 1.0 + 1e-12


def test_a_clear_difference_is_significant_and_noise_is_not() -> None:
    generator = np.random.default_rng(1)
    base = generator.uniform(size=200)
    rows = {
        "base": base,
        "better": base + 0.05 + generator.normal(0, 0.05, 200),
        "same": base + generator.normal(0, 0.05, 200),
    }
    clear, noise = metrics.compare(
        rows, [("better", "base"), ("same", "base")], metric="ndcg@10", draws=2000
    )
    assert clear.p_holm < 0.01
    assert clear.low > 0.0
    assert clear.low < clear.difference < clear.high
    assert noise.p > 0.05
    assert noise.low < 0.0 < noise.high


def test_equal_rows_have_p_of_one() -> None:
    (same,) = metrics.compare({"a": [0.5, 1.0], "b": [0.5, 1.0]}, [("a", "b")], metric="m")
    assert (same.difference, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)


def test_rows_of_other_questions_are_not_compared() -> None:
    with pytest.raises(ValueError, match="same questions"):
        metrics.compare({"a": [1.0], "b": [1.0, 0.0]}, [("a", "b")], metric="m")
    with pytest.raises(ValueError, match="at least one"):
        metrics.compare({"a": [], "b": []}, [("a", "b")], metric="m")


def test_holm_is_step_down_and_keeps_the_order() -> None:
    assert metrics.holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert metrics.holm([0.9, 0.6]) == [1.0, 1.0]
    assert metrics.holm([]) == []


def test_percentiles() -> None:
    assert metrics.percentile([1.0, 2.0, 3.0], 0.5) == 2.0
    assert metrics.percentile([], 0.95) == 0.0
