"""Sets of questions, as they may come from anywhere, and the table made of their answers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from flux_site.kernel.errors import InvalidInput
from retrieval.evaluation import gold
from retrieval.evaluation.gold import Question
from retrieval.evaluation.runner import padded, rows_of, term_coverage
from retrieval.evaluation.table import Answered, Table, summary

DOCUMENTS = [{"id": "d/1", "title": "T", "text": "Text."}, {"id": 2, "text": "More."}]


def write(folder: Path, **parts: list[Any]) -> None:
    for kind, lines in parts.items():
        with gzip.open(folder / f"s.{kind}.jsonl.gz", "wt") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)


def test_a_set_is_read_without_its_train_questions(tmp_path: Path) -> None:
    queries = [
        {"id": "q1", "text": "One?", "split": "dev"},
        {"id": "q2", "text": "Two?", "split": "train"},
        {"id": "q3", "text": "Three?"},
    ]
    qrels = [
        {"qid": "q1", "did": "d/1", "rel": 2},
        {"qid": "q1", "did": "x", "rel": 0},
        {"qid": "q2", "did": 2},
    ]
    write(tmp_path, corpus=DOCUMENTS, queries=queries, qrels=qrels)

    found = gold.read(tmp_path, "s")
    assert found.document_ids == ("d/1", "2")
    assert [q.id for q in found.questions] == ["q1", "q3"]
    assert found.questions[0].gold == {"d/1": 2}
    assert found.answered == 1
    assert [q.id for q in gold.read(tmp_path, "s", split="train").questions] == ["q2"]
    assert gold.read(tmp_path, "s", split="train").questions[0].gold == {"2": 1}
    assert len(gold.read(tmp_path, "s", split="all").questions) == 3


@pytest.mark.parametrize("qrels", [None, [], [{"note": "kept elsewhere"}]])
def test_without_known_answers_there_are_still_questions(
    tmp_path: Path, qrels: list[Any] | None
) -> None:
    parts: dict[str, list[Any]] = {"corpus": DOCUMENTS, "queries": [{"id": 1, "text": "One?"}]}
    write(tmp_path, **(parts if qrels is None else parts | {"qrels": qrels}))
    found = gold.read(tmp_path, "s")
    assert found.questions == (Question("1", "One?"),)

    table = Table()
    table.add("cc", Answered(("d/1",), 3.0))
    made = summary(found.questions, table)
    assert made["n"] == 0
    assert made["rows"]["cc"]["ndcg@10"] is None
    assert made["paired"] == []


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"s\.corpus"):
        gold.read(tmp_path, "s")
    write(tmp_path, corpus=[{"text": "no id"}], queries=[{"id": 1, "text": "q"}])
    with pytest.raises(InvalidInput, match="no id"):
        gold.read(tmp_path, "s")
    write(tmp_path, corpus=DOCUMENTS, queries=[])
    with pytest.raises(InvalidInput, match="no questions"):
        gold.read(tmp_path, "s")
    (tmp_path / "s.queries.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(InvalidInput, match="cannot be read"):
        gold.read(tmp_path, "s")


def test_the_table_has_every_measure_and_every_pair() -> None:
    questions = [Question("a", "A?", {"x": 1}), Question("b", "B?"), Question("c", "C?", {"y": 1})]
    table = Table()
    for row, first, last in (("lexical", ["x"], ["z", "y"]), ("cc", ["x"], ["y"]), ("rrf", [], [])):
        table.add(row, Answered(tuple(first), 10.0, 0.5))
        table.add(row, Answered(("q",), 20.0, 1.0))
        table.add(row, Answered(tuple(last), 30.0, 0.0))
    made = summary(questions, table)

    assert made["n"] == 2
    assert set(made["rows"]["cc"]) == {
        *("ndcg@10", "ndcg@10_ci", "recall@5", "recall@20", "hit@5", "mrr"),
        *("term_coverage", "p50_ms", "p95_ms"),
    }
    assert made["rows"]["cc"]["ndcg@10"] == 1.0
    assert made["rows"]["lexical"]["mrr"] == 0.75
    assert made["rows"]["rrf"]["hit@5"] == 0.0
    assert made["rows"]["cc"]["p50_ms"] == 20.0
    assert made["rows"]["cc"]["term_coverage"] == 0.5
    assert [(t["a"], t["b"]) for t in made["paired"]] == [
        ("cc", "lexical"),
        ("rrf", "lexical"),
        ("rrf", "cc"),
    ]


def test_rows_are_chosen_by_name() -> None:
    assert [row.name for row in rows_of(["cc", "lexical", "cc"])] == ["cc", "lexical"]
    for wrong in (["best"], []):
        with pytest.raises(InvalidInput, match="lexical"):
            rows_of(wrong)


def test_term_coverage_of_nothing_is_zero() -> None:
    assert term_coverage("kinase", []) == 0.0
    assert term_coverage("of the", []) == 0.0


def test_a_short_ranking_goes_on_with_equals_in_the_order_of_ids() -> None:
    documents = {f"d{n:02}": "" for n in range(30)}
    ranking = padded(["d05", "elsewhere", "d01"], documents)
    assert ranking[:4] == ["d05", "d01", "d00", "d02"]
    assert len(ranking) == len(set(ranking)) == 20
    assert padded(list(documents), documents) == list(documents)
    assert padded([], {"a": "", "b": ""}) == ["a", "b"]
