"""How good a ranking is, and whether one row of a table is really better than another. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Gold = Mapping[str, int]  # document id -> relevance above 0; graded where the set is
Array = npt.NDArray[np.float64]

DRAWS = 10_000
SEED = 20_091
CONFIDENCE = 0.95


def ndcg(ranking: Sequence[str], gold: Gold, *, k: int = 10) -> float:
    """Normalised discounted cumulative gain at k, gain = relevance, discount = log2(rank + 1).

    In [0, 1]; 0 when nothing is relevant. Source: Järvelin and Kekäläinen, TOIS 2002; the linear
    gain is that of trec_eval and BEIR.
    """
    ideal = _discounted(sorted(gold.values(), reverse=True)[:k])
    found = _discounted([gold.get(document, 0) for document in ranking[:k]])
    return found / ideal if ideal > 0.0 else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def recall(ranking: Sequence[str], gold: Gold, *, k: int) -> float:
    """Share of the relevant documents among the first k; 0 when nothing is relevant."""
    relevant = _relevant(gold)
    return len(relevant & set(ranking[:k])) / len(relevant) if relevant else 0.0


def hit(ranking: Sequence[str], gold: Gold, *, k: int) -> float:
    """1 when a relevant document is among the first k, else 0."""
    return float(not _relevant(gold).isdisjoint(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], gold: Gold, *, k: int = 10) -> float:
    """1 / rank of the first relevant document within the first k; 0 without one."""
    relevant = _relevant(gold)
    for rank, document in enumerate(ranking[:k], start=1):
        if document in relevant:
            return 1.0 / rank
    return 0.0


def _relevant(gold: Gold) -> set[str]:
    return {document for document, relevance in gold.items() if relevance > 0}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, interpolated; 0 without values."""
    return float(np.percentile(np.asarray(values, dtype=float), share * 100)) if values else 0.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Row `a` against row `b` on the same questions; `low` and `high` bound mean(a - b) at 95 %.

    `p` is two-sided, `p_holm` the same after Holm's correction over all comparisons made together.
    """

    a: str
    b: str
    metric: str
    n: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float

    def as_json(self) -> dict[str, str | int | float]:
        """Rounded, for a table."""
        return {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            "n": self.n,
            "difference": round(self.difference, 5),
            "low": round(self.low, 5),
            "high": round(self.high, 5),
            "p": round(self.p, 5),
            "p_holm": round(self.p_holm, 5),
        }


def compare(
    rows: Mapping[str, Sequence[float]],
    pairs: Sequence[tuple[str, str]],
    *,
    metric: str,
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[Comparison]:
    """Paired bootstrap of the mean difference of each pair of rows, corrected by Holm.

    Each row holds one value a question, all in the same order.
    Source: Efron and Tibshirani 1993, chapter 16 (differences shifted to the null); Holm 1979.
    Raises ValueError when rows differ in length or are empty.
    """
    results = []
    for a, b in pairs:
        first, second = np.asarray(rows[a], dtype=float), np.asarray(rows[b], dtype=float)
        if first.shape != second.shape or not first.size:
            raise ValueError("rows to compare hold the same questions, at least one")
        results.append((a, b, first - second, *bootstrap(first - second, draws=draws, seed=seed)))
    corrected = holm([result[-1] for result in results])
    return [
        Comparison(a, b, metric, len(gaps), float(gaps.mean()), low, high, p, p_holm)
        for (a, b, gaps, low, high, p), p_holm in zip(results, corrected, strict=True)
    ]


def bootstrap(differences: Array, *, draws: int, seed: int) -> tuple[float, float, float]:
    """95 % interval (percentiles) and two-sided p of a mean difference of 0.

    p is the share of resampled means, shifted to mean 0, that are at least as far from 0 as the
    observed one; (count + 1) / (draws + 1), so it is never 0.
    """
    generator = np.random.default_rng(seed)
    n = len(differences)
    # Counts of each question in a resample are multinomial; one matrix product gives all means.
    counts = generator.multinomial(n, np.full(n, 1.0 / n), size=draws)
    means = counts @ differences / n
    observed = float(differences.mean())
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = (float(value) for value in np.quantile(means, [tail, 1.0 - tail]))
    # A rounding error must not make an equal difference look smaller.
    farther = np.abs(means - observed) >= abs(observed) - 1e-12
    return low, high, float((farther.sum() + 1) / (draws + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """p values corrected step-down for their number, in the order given; each at most 1."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for step, index in enumerate(order):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - step)))
        corrected[index] = largest
    return corrected
