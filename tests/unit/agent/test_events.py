"""What of an event a reader may see, by the corpora they may read."""

from __future__ import annotations

import pytest

from agent import events

CITED = {
    "data": [
        {"_corpus": 2, "rank": 1, "title": "closed"},
        {"_corpus": 1, "rank": 2, "title": "open"},
    ]
}
RESULT = {
    "answer": "A. B. C.",
    "citations": [
        {"id": 1, "_corpus": 1, "_document": "d1", "image_hash": "h1"},
        {"id": 2, "_corpus": 2, "_document": "d2", "image_hash": "h2"},
    ],
    "claims": [
        {"text": "A.", "citations": [1]},
        {"text": "B.", "citations": [2]},
        {"text": "C.", "citations": [1, 2]},
    ],
    "used_sources": {"documents": ["d1", "d2"], "legs": ["dense"]},
    "warnings": ["about B"],
    "reasoning_summary": "B says so.",
    "_bare": "Not found.",
}
FINAL = {"type": "final", "answer": "A. B. C.", "result": RESULT, "checks": [[], ["B"], []]}


def test_a_reader_of_everything_gets_everything_but_inner_marks():
    whole = events.visible("final", FINAL, [1, 2], {1, 2, 3})
    assert whole is not None
    assert whole["answer"] == "A. B. C."
    assert "_" not in "".join(key[0] for c in whole["result"]["citations"] for key in c)
    assert "_bare" not in whole["result"]


def test_hidden_citations_are_left_out():
    seen = events.visible("citations", CITED, [1, 2], {1})
    assert seen == {"data": [{"rank": 1, "title": "open"}]}


def test_a_final_answer_is_rebuilt_from_what_is_left():
    seen = events.visible("final", FINAL, [1, 2], {1})
    assert seen is not None
    result = seen["result"]
    assert [claim["text"] for claim in result["claims"]] == ["A."]
    assert [citation["id"] for citation in result["citations"]] == [1]
    assert result["answer"] == seen["answer"] == "A."
    assert result["used_sources"]["documents"] == ["d1"]
    assert (result["warnings"], result["reasoning_summary"]) == ([], "")
    assert (seen["checks"], seen["image_hashes"]) == ([], ["h1"])


def test_numbers_leave_no_gap_where_something_is_hidden():
    seen = events.visible("final", FINAL, [1, 2], {2})
    assert seen is not None
    result = seen["result"]
    assert [citation["id"] for citation in result["citations"]] == [1]
    assert result["claims"] == [{"text": "B.", "citations": [1]}]


def test_with_nothing_left_the_bare_text_stands():
    seen = events.visible("final", FINAL, [1, 2], set())
    assert seen is not None
    assert seen["answer"] == "Not found."
    assert seen["result"]["claims"] == []


@pytest.mark.parametrize("kind", ["token", "judge", "meter", "tool_result"])
def test_other_events_of_a_hidden_corpus_are_withheld_whole(kind):
    assert events.visible(kind, {"text": "x"}, [2], {1}) is None
    assert events.visible(kind, {"text": "x"}, [], set()) == {"text": "x"}


def test_what_is_of_a_document_is_taken_out_and_the_rest_stays_whole():
    found = {"data": [{"document_id": "d1", "rank": 1}, {"document_id": "d2", "rank": 2}]}
    assert events.without("citations", found, {"d1"}) == {
        "data": [{"document_id": "d2", "rank": 1}]
    }

    kept = events.without("final", FINAL, {"d2"})

    assert kept is not None
    result = kept["result"]
    assert (kept["answer"], result["warnings"]) == ("A.", [events.DROPPED])
    assert result["citations"] == [RESULT["citations"][0]], "with the marks that stay inside"
    assert events.visible("final", kept, [1, 2], {2})["answer"] == "Not found."


def test_an_answer_that_cites_nothing_of_a_document_stays():
    assert events.without("final", FINAL, {"d3"}) == FINAL
    assert events.without("judge", {"verdict": "good"}, {"d1"}) == {"verdict": "good"}
    assert events.without("token", {"text": "B says so."}, {"d2"}) is None
