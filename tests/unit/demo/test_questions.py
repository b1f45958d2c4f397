"""Questions written before any search: their gold exists, and titles do not give them away."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from flux_site import demo

ROOT = Path(__file__).parents[3]
QUESTIONS = ROOT / "tests" / "data" / "questions"
SHARED = ROOT.parent / "shared" / "data"
STOP_WORDS = frozenset(
    """a an and are as at be been before between by can could did do does for from had has have
    how in into is it its many much no not of on or so than that the their them these they this
    to two was were what when where which who whose why will with without""".split()  # noqa: SIM905
)


def read(name: str) -> list[dict[str, Any]]:
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def content_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", text.lower())) - STOP_WORDS


def shared_fraction(question: str, title: str) -> float:
    words = content_words(question)
    return len(words & content_words(title)) / len(words)


def demo_titles() -> dict[str, str]:
    lines = [
        json.loads(line)
        for source, _, content in demo.files()
        if source == "jsonl"
        for line in content.decode().splitlines()
    ]
    return {line["id"]: line["title"] for line in lines}


def test_ten_answerable_questions_and_five_that_are_not():
    questions = read("demo")

    assert sum(question["answerable"] for question in questions) == 10
    assert [question["gold"] for question in questions if not question["answerable"]] == [[]] * 5
    assert len({question["id"] for question in questions}) == len(questions)


def test_every_demo_gold_is_in_the_demo_and_its_title_gives_less_than_half_away():
    titles = demo_titles()
    for question in read("demo"):
        for gold in question["gold"]:
            assert shared_fraction(question["question"], titles[gold]) < 0.5, question["id"]


def test_a_title_that_repeats_the_question_would_be_noticed():
    assert shared_fraction("What does STAT4 repress?", "STAT4 and what it can repress") == 1.0


@pytest.mark.shared_data
def test_every_real_gold_exists_and_its_title_gives_less_than_half_away():
    if not SHARED.is_dir():
        pytest.skip(f"the shared data are not at {SHARED}")
    reactome = reactome_titles()
    for question in read("real"):
        title = real_title(question, reactome)
        assert shared_fraction(question["question"], title) < 0.5, question["id"]


def real_title(question: dict[str, Any], reactome: dict[str, str]) -> str:
    """The title of a real record; asserts that the gold id belongs to it."""
    gold = question["gold"][0]
    match question["gold_source"]:
        case "pubmed":
            return pubmed_title(gold)
        case "reactome":
            return reactome[gold]
        case "pdf":
            path = SHARED / question["gold_file"]
            assert hashlib.sha256(path.read_bytes()).hexdigest() == gold
            return jats_title(path.with_suffix(".xml"))
    path = SHARED / question["gold_file"]
    assert gold.removeprefix("PMC") in path.read_text(encoding="utf-8")
    return jats_title(path)


def reactome_titles() -> dict[str, str]:
    packed = (SHARED / "reactome" / "pathway_summations_human_v76.jsonl.gz").read_bytes()
    rows = map(json.loads, gzip.decompress(packed).decode().splitlines())
    return {row["stId"]: row["displayName"] for row in rows}


def pubmed_title(pmid: str) -> str:
    for path in (SHARED / "pubmed").rglob("*.xml"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "<PubmedArticle>" not in text or pmid not in text:
            continue
        for article in ElementTree.fromstring(text).iter("PubmedArticle"):
            title = article.find(".//ArticleTitle")
            if article.findtext(".//PMID") == pmid and title is not None:
                return "".join(title.itertext())
    raise AssertionError(f"no PubMed record {pmid}")


def jats_title(path: Path) -> str:
    title = ElementTree.parse(path).find(".//title-group/article-title")
    assert title is not None
    return "".join(title.itertext())
