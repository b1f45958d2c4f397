"""Abbreviations that a text defines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon.abbreviations import definitions


def pairs(text: str) -> list[tuple[str, str]]:
    return [(d.short, text[slice(*d.long_span)]) for d in definitions(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("of familial adenomatous polyposis (FAP) in", "FAP", "familial adenomatous polyposis"),
        ("the heat shock protein (HSP) family", "HSP", "heat shock protein"),
        ("FAP (familial adenomatous polyposis) is", "FAP", "familial adenomatous polyposis"),
        ("with von Hippel-Lindau disease (VHL; rare)", "VHL", "von Hippel-Lindau disease"),
        ("acetylcholinesterase [AChE] was", "AChE", "acetylcholinesterase"),
    ],
)
def test_a_definition_is_found_with_its_long_form(text, short, long):
    assert pairs(text) == [(short, long)]


@pytest.mark.parametrize(
    "text",
    ["a result (p < 0.05) of", "some patients (see Table 2)", "rose (XQZ) again", "(FAP)", "a (1)"],
)
def test_other_brackets_define_nothing(text):
    assert pairs(text) == []


def test_a_long_form_does_not_reach_over_a_sentence():
    assert pairs("Heat rose. Shock proteins (HSP) fell") == []


@given(st.text(alphabet="aBc ().;-1α", max_size=80))
def test_spans_stand_in_the_text(text):
    for defined in definitions(text):
        assert text[slice(*defined.short_span)] == defined.short
        assert 0 <= defined.long_span[0] < defined.long_span[1] <= len(text)
