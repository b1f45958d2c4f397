"""Two runs of `evaluate retrieval` on the same questions, row against row:
`bin/bench paired BEFORE.json AFTER.json DATA SET`

For what cannot be a row of one run, such as another way to store the same set. Both files are the
commands' --json output. Questions without a known answer are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.installation import table
from retrieval.evaluation import gold, metrics

MEASURES = {
    "ndcg@10": lambda ranking, known: metrics.ndcg(ranking, known, k=10),
    "recall@20": lambda ranking, known: metrics.recall(ranking, known, k=20),
    "mrr": lambda ranking, known: metrics.reciprocal_rank(ranking, known, k=10),
}


def rankings(path: Path) -> dict[str, dict[str, list[str]]]:
    """By question, then row."""
    result: dict[str, Any] = json.loads(path.read_text())
    return {question["id"]: question["rankings"] for question in result["questions"]}


def main() -> None:
    """One line a row and measure."""
    before, after = (rankings(Path(name)) for name in sys.argv[1:3])
    asked = gold.read(Path(sys.argv[3]), sys.argv[4]).questions
    questions = [q for q in asked if q.gold and q.id in before and q.id in after]
    lines = []
    for row in next(iter(before.values())):
        for name, measure in MEASURES.items():
            values = {
                run: [measure(found[q.id][row], q.gold) for q in questions]
                for run, found in (("before", before), ("after", after))
            }
            (test,) = metrics.compare(values, [("after", "before")], metric=name)
            means = (sum(values[run]) / len(questions) for run in ("before", "after"))
            shown = f"{test.difference:+.3f} [{test.low:+.3f}, {test.high:+.3f}] p = {test.p:.4f}"
            lines.append((row, name, *(f"{mean:.3f}" for mean in means), shown))
    table(["row", "measure", "before", "after", f"difference, n = {len(questions)}"], lines)


if __name__ == "__main__":
    main()
