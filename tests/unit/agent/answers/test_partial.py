"""The answer's letters are read as they come, however the text is cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.answers.partial import AnswerText


def read(raw: str, size: int) -> str:
    reader = AnswerText()
    return "".join(reader.feed(raw[i : i + size]) for i in range(0, len(raw), size))


@given(st.text(max_size=40), st.integers(1, 9), st.booleans())
def test_any_answer_in_any_pieces(text, size, ascii_only):
    raw = json.dumps({"answer": text, "claims": ["answer"]}, ensure_ascii=ascii_only)
    assert read(raw, size) == text


def test_nothing_is_told_before_the_answer_begins_or_after_it_ends():
    reader = AnswerText()
    assert reader.feed('{"confi') == ""
    assert reader.feed('dence": 1, "answer" : "JA') == "JA"
    assert reader.feed('K2"') == "K2"
    assert reader.feed(', "x": "more"}') == ""


@pytest.mark.parametrize("raw", ["", "no JSON", '{"text": "x"}', "[1, 2]"])
def test_what_has_no_answer_gives_nothing(raw):
    assert read(raw, 3) == ""
