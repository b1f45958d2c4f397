"""A draft passes three passes in order, or is refused with the pass that refused it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from agent.answers.fallback import abstain, fallback
from agent.answers.passages import Passage
from agent.answers.validate import AnswerRejected, validate

CHUNK = uuid4()


def draft(**changes: Any) -> str:
    whole = {
        "answer": "JAK2 phosphorylates STAT3.",
        "citations": [{"id": 1, "chunk_id": str(CHUNK), "quote": "JAK2 phosphorylates STAT3"}],
        "claims": [{"text": "JAK2 phosphorylates STAT3.", "citations": [1]}],
        "confidence": 0.8,
        "reasoning_summary": "One passage says so.",
    }
    return json.dumps(whole | changes)


def test_a_good_draft_passes_also_in_a_fence():
    for raw in (draft(), f"```json\n{draft()}\n```"):
        assert validate(raw, given={CHUNK}).claims[0].citations == (1,)


@pytest.mark.parametrize("raw", ["", "no JSON", draft()[:-1], "Here it is: " + draft()])
def test_what_is_not_json_is_refused_first(raw):
    with pytest.raises(AnswerRejected) as caught:
        validate(raw, given={CHUNK})
    assert caught.value.stage == "parse"


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 1.5},
        {"extra": 1},
        {"answer": None},
        {"citations": [{"id": 1, "chunk_id": "7", "quote": "x"}]},
        {"citations": [{"id": 1, "chunk_id": str(CHUNK), "quote": ""}]},
    ],
)
def test_what_does_not_fit_the_schema_is_refused_second(changes):
    with pytest.raises(AnswerRejected) as caught:
        validate(draft(**changes), given={CHUNK})
    assert caught.value.stage == "schema"


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"citations": [{"id": 1, "chunk_id": str(uuid4()), "quote": "x"}]}, "unknown"),
        ({"claims": [{"text": "Bare.", "citations": []}]}, "bare"),
        ({"claims": [{"text": "Dangling.", "citations": [2]}]}, "bare"),
        ({"claims": []}, "missing"),
        ({"citations": [{"id": 1, "chunk_id": str(CHUNK), "quote": "x"}] * 2}, "doubled"),
    ],
)
def test_what_does_not_cite_what_was_given_is_refused_third(changes, fault):
    with pytest.raises(AnswerRejected) as caught:
        validate(draft(**changes), given={CHUNK})
    assert caught.value.stage == "citations"
    assert caught.value.detail[fault]


def test_a_draft_that_finds_no_answer_needs_no_claim():
    raw = draft(answerable=False, claims=[], citations=[])
    assert validate(raw, given={CHUNK}).answerable is False


def test_the_fallback_says_why_and_claims_nothing():
    answer = fallback(AnswerRejected("The answer is not JSON.", stage="parse"))
    assert (answer.mode, answer.confidence, answer.claims) == ("fallback", 0.0, ())
    assert answer.warnings == ("The answer is not JSON.",)


def test_abstaining_names_what_was_searched_and_what_is_nearest():
    near = Passage(uuid4(), "text", title="SOCS3 in liver", external_id="123")
    answer = abstain("Who won?", ["Cytokine papers", "Reactome"], [near, near])
    assert answer.mode == "abstained"
    assert "Cytokine papers, Reactome" in answer.answer
    assert answer.answer.count("SOCS3 in liver (123)") == 1
