"""Fit the weights of agent.answers.extractive.lean on PubMedQA's questions outside its test set.

bin/bench fit_lean, from a clone with the saved records beside it; needs scikit-learn
(requirements/models.txt). Prints ten-fold accuracy and macro-F1, and writes lean_weights.py.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "questions" / "pubmedqa"
TARGET = ROOT / "agent" / "answers" / "extractive" / "lean_weights.py"
HEAD = '''"""Weights of the cues of lean.py for yes, no and maybe; written by
benchmarks/fit_lean.py."""

from __future__ import annotations

from typing import Final

WEIGHTS: Final[dict[str, tuple[float, float, float]]] = {
'''


def training() -> list[tuple[str, str, str]]:
    """(question, conclusion, answer) of the questions outside the test set."""
    with gzip.open(DATA / "ori_pqal.json.gz", "rt") as stream:
        records = json.load(stream)
    test = set(json.loads((DATA / "test_ground_truth.json").read_text()))
    return [
        (record["QUESTION"], record["LONG_ANSWER"], record["final_decision"])
        for key, record in records.items()
        if key not in test
    ]


def main() -> None:
    """Fit, print, write."""
    from agent.answers.extractive.lean import LEANS, features
    from corpus.chunking.sentences import sentences

    rows = [features(question, sentences(text)) for question, text, _ in training()]
    names = list(rows[0])
    table = np.array([[row[name] for name in names] for row in rows])
    answers = np.array([LEANS.index(answer) for *_, answer in training()])  # type: ignore[arg-type]
    model = LogisticRegression(C=0.5, max_iter=5000, class_weight={0: 1, 1: 1.1, 2: 1.4})
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    guessed = cross_val_predict(model, table, answers, cv=folds)
    print(f"n {len(rows)}  accuracy {accuracy_score(answers, guessed):.3f}")
    print(f"macro-F1 {f1_score(answers, guessed, average='macro'):.3f}")
    model.fit(table, answers)
    lines = [("bias", model.intercept_), *zip(names, model.coef_.T, strict=True)]
    body = "".join(
        f'    "{name}": ({", ".join(f"{value:.2f}" for value in values)}),\n'
        for name, values in lines
    )
    TARGET.write_text(HEAD + body + "}\n")


if __name__ == "__main__":
    main()
