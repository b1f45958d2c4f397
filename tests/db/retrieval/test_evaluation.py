"""A small set goes the whole way: files, ingestion, vectors, words, questions, table."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from accounts.models import User
from corpus.encoding.base import COUNTER
from corpus.models import Corpus
from corpus.services import jobs
from retrieval.evaluation import gold, runner
from retrieval.lexical.follower import LexicalFollower
from retrieval.models import EvaluationRun
from retrieval.services.search import search
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)

SUBJECTS = ("STAT3", "SOCS3", "JAK1", "EGFR", "BRAF", "TP53")
PLACES = ("liver", "kidney", "lung", "spleen")


@pytest.fixture(autouse=True)
def small_encoder(settings: Any) -> None:
    settings.DEFAULT_ENCODER = "hashing"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = [
        {"id": f"doc {s}/{p}", "title": f"{s} in {p}", "text": f"{s} was raised in the {p}. " * 3}
        for s in SUBJECTS
        for p in PLACES
    ]
    queries = [{"id": s, "text": f"Is {s} raised in the liver?"} for s in SUBJECTS]
    queries.append({"id": "unsearchable", "text": "\x00"})
    qrels = [{"qid": s, "did": f"doc {s}/liver", "rel": 1} for s in SUBJECTS]
    for kind, lines in (("corpus", documents), ("queries", queries), ("qrels", qrels)):
        with gzip.open(tmp_path / f"tiny.{kind}.jsonl.gz", "wt") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)
    return tmp_path


def index() -> None:
    follower = LexicalFollower(settings.LEXICAL_ROOT)
    follower.start()
    follower.catch_up()
    follower.beat()
    follower.close()


def work_off(job: Any) -> None:
    jobs.work_off(job)
    index()


@pytest.mark.slow
def test_a_set_is_measured_in_every_row(folder: Path) -> None:
    chosen = gold.read(folder, "tiny")
    reader = runner.account()
    corpus = runner.load(chosen, work_off=work_off, reader=reader)
    runner.wait_for_index(corpus, reader=reader)
    rows = runner.rows_of(["lexical", "dense", "rrf", "cc", "full"])

    made = runner.run(chosen, corpus, rows, reader=reader, say=lambda text: None)

    assert made["set"] == "tiny"
    assert made["n"] == len(SUBJECTS)
    assert list(made["rows"]) == ["lexical", "dense", "rrf", "cc", "full"]
    assert made["rows"]["lexical"]["ndcg@10"] == 1.0
    assert made["rows"]["full"]["ndcg@10"] == made["rows"]["cc"]["ndcg@10"]
    assert made["rows"]["cc"]["term_coverage"] > 0.5
    assert len(made["paired"]) == 10
    for question in made["questions"][:-1]:
        for row in made["rows"]:
            ranking = question["rankings"][row]
            assert len(ranking) >= 20
            assert len(set(ranking)) == len(ranking)
            assert set(ranking) <= set(chosen.document_ids)
    assert made["questions"][-1]["rankings"]["cc"] == []
    stored = EvaluationRun.objects.get()
    assert (stored.questions, stored.rows) == (7, made["rows"])


@pytest.mark.slow
def test_a_second_run_encodes_no_passage_again(folder: Path) -> None:
    chosen = gold.read(folder, "tiny")
    reader = runner.account()
    first = runner.load(chosen, work_off=work_off, reader=reader)
    before = COUNTER.read()
    second = runner.load(chosen, work_off=work_off, reader=reader)

    assert second.pk == first.pk
    assert COUNTER.read() == before
    assert second.document_count == len(chosen.document_ids)


@pytest.mark.slow
def test_evaluation_corpora_are_in_nobodys_way(folder: Path) -> None:
    runner.load(gold.read(folder, "tiny"), work_off=work_off, reader=runner.account())
    assert Corpus.objects.count() == 1
    assert search("STAT3 in the liver", reader=UserFactory()).hits == ()
    account = User.objects.get(email=runner.ACCOUNT)
    assert not account.has_usable_password()
    assert runner.account() == account


def run(*arguments: str) -> tuple[int, dict[str, Any]]:
    out = StringIO()
    code = 0
    try:
        call_command(*arguments, "--json", stdout=out)
    except SystemExit as end:
        code = int(end.code or 0)
    return code, json.loads(out.getvalue())


@pytest.mark.slow
def test_the_commands_answer_in_json(folder: Path) -> None:
    runner.load(gold.read(folder, "tiny"), work_off=work_off, reader=runner.account())

    code, made = run("evaluate", "retrieval", "--data", str(folder), "--set", "tiny", "--rows=cc")
    assert code == 0
    assert set(made) >= {"set", "n", "rows", "paired", "questions"}
    assert list(made["rows"]) == ["cc"]

    (corpus,) = Corpus.objects.all()
    code, made = run("search", "STAT3 liver", f"--corpus={corpus.slug}", f"--as={runner.ACCOUNT}")
    assert code == 0
    assert made["hits"][0]["external_id"] == "doc STAT3/liver"
    assert set(made) >= {"hits", "timings", "index_version"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "retrieval", "--data", "/nowhere", "--set", "tiny"),
        ("search", "", "--as=reader@example.org"),
        ("search", "q", "--corpus=absent", "--as=reader@example.org"),
        ("search", "q", "--filter=colour=red", "--as=reader@example.org"),
        ("search", "q", "--limit=0", "--as=reader@example.org"),
        ("search", "q", "--as=nobody@example.org"),
    ],
)
def test_bad_input_ends_with_2_and_a_reason(arguments: tuple[str, ...]) -> None:
    UserFactory(email="reader@example.org")
    code, made = run(*arguments)
    assert code == 2
    assert made["error"]["code"] in {"invalid_input", "not_found"}
    assert made["error"]["message"]


@pytest.mark.slow
def test_the_table_can_be_read_by_people(folder: Path) -> None:
    runner.load(gold.read(folder, "tiny"), work_off=work_off, reader=runner.account())
    out = StringIO()
    call_command("evaluate", "retrieval", f"--data={folder}", "--set=tiny", stdout=out)
    assert "ndcg@10" in out.getvalue()
    assert "cc - rrf" in out.getvalue()
    out = StringIO()
    call_command("search", "STAT3 liver", f"--as={runner.ACCOUNT}", stdout=out)
    assert "1. STAT3 in liver (jsonl doc STAT3/liver)" in out.getvalue()
