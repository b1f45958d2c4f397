"""From rankings to the table that is reported. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from retrieval.evaluation import metrics
from retrieval.evaluation.gold import Question

MAIN = "ndcg@10"
DECIDING_K = 10


@dataclass(frozen=True, slots=True)
class Answered:
    """What one row gave for one question: document ids, best first; time; words covered."""

    ranking: tuple[str, ...]
    took_ms: float
    term_coverage: float = 0.0  # share of the question's words in its five best passages


@dataclass
class Table:
    """Collects answers by row, in the order of the questions."""

    rows: dict[str, list[Answered]] = field(default_factory=dict)

    def add(self, row: str, answered: Answered) -> None:
        """One more question of a row."""
        self.rows.setdefault(row, []).append(answered)


def measures(question: Question, answered: Answered) -> dict[str, float]:
    """All measures of one answer."""
    ranking, gold = answered.ranking, question.gold
    return {
        MAIN: metrics.ndcg(ranking, gold, k=DECIDING_K),
        "recall@5": metrics.recall(ranking, gold, k=5),
        "recall@20": metrics.recall(ranking, gold, k=20),
        "hit@5": metrics.hit(ranking, gold, k=5),
        "mrr": metrics.reciprocal_rank(ranking, gold, k=DECIDING_K),
    }


def summary(questions: Sequence[Question], table: Table) -> dict[str, Any]:
    """Rows with their means and times, and each pair of rows compared.

    Measures are null where no question has a known answer. `ndcg@10_ci` is the 95 % bootstrap
    interval of the mean.
    """
    measured = [place for place, question in enumerate(questions) if question.gold]
    values = {
        row: [measures(questions[place], answers[place]) for place in measured]
        for row, answers in table.rows.items()
    }
    return {
        "n": len(measured),
        "rows": {row: _row(values[row], answers) for row, answers in table.rows.items()},
        "paired": [found.as_json() for found in paired(values)] if measured else [],
    }


def _row(values: Sequence[Mapping[str, float]], answers: Sequence[Answered]) -> dict[str, Any]:
    times = [answered.took_ms for answered in answers]
    shown: dict[str, Any] = {
        name: _mean(value[name] for value in values) for name in (MAIN, *_OTHERS)
    }
    shown[f"{MAIN}_ci"] = _interval([value[MAIN] for value in values])
    shown["term_coverage"] = _mean(answered.term_coverage for answered in answers)
    shown["p50_ms"] = round(metrics.percentile(times, 0.5), 2)
    shown["p95_ms"] = round(metrics.percentile(times, 0.95), 2)
    return shown


_OTHERS = ("recall@5", "recall@20", "hit@5", "mrr")


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return round(sum(listed) / len(listed), 5) if listed else None


def _interval(values: Sequence[float]) -> list[float] | None:
    if not values:
        return None
    low, high, _ = metrics.bootstrap(
        np.asarray(values, dtype=float), draws=metrics.DRAWS, seed=metrics.SEED
    )
    return [round(low, 5), round(high, 5)]


def paired(values: Mapping[str, Sequence[Mapping[str, float]]]) -> list[metrics.Comparison]:
    """Every pair of rows, the later against the earlier, on the deciding measure."""
    rows = {row: [value[MAIN] for value in found] for row, found in values.items()}
    pairs = [(later, earlier) for earlier, later in combinations(rows, 2)]
    return metrics.compare(rows, pairs, metric=MAIN)
