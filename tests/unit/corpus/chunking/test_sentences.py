"""Sentences of scientific prose end where a reader ends them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.chunking.sentences import sentences, split

WHOLE = [
    "As Smith et al. (2010) and Roe et al. [12] showed, it binds.",
    "See Fig. 2 and Figs. 3A and 4 for details.",
    "Some cytokines, e.g. IL-6, i.e. those of Tab. 3, rose vs. Control.",
    "E. coli and S. Typhimurium grew at 37.5 °C.",
    "The value was 0.05 (P = 0. 05) in approx. 5 % of cells.",
    "J. Smith and A. B. Jones wrote it.",
    "It was injected i.p. into mice of Charles River Inc., Boston.",
    "The gene (see Fig. 3. Data not shown) was silent.",
    "Cells were lysed... and spun at No. 5 speed.",
    "1. Introduction of the method",
    "Proc. Natl. Acad. Sci. 12 is cited by Dr. Roe.",
]
PAIRS = [
    ("The strain grew.", "We measured it."),
    ("It was shown by Smith et al.", "The data agree."),
    ("We gave vitamin D.", "The rest had hepatitis C."),
    ("It was bound.", "p53 was not."),
    ("It was bound.", "mTOR was not."),
    ("It aggregates.", "\u03b1-Synuclein does."),
    ("Levels fell after 24 h.", "Mice recovered."),
    ("Activity was lost.12,13", "The rest was not."),
    ("Activity was lost.[12,13]", "The rest was not."),
    ("(This is whole.)", "So is this."),
    ("It was seen in 2010.", "12 patients died."),
    ("Did it bind?", "Yes."),
    ("光が必要である。", "植物は成長する。"),
    ("The answer was no.", "We asked again."),
]


@pytest.mark.parametrize("text", WHOLE)
def test_no_abbreviation_ends_a_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_new_sentence_is_seen(first: str, second: str) -> None:
    assert sentences(f"{first} {second}") == [first, second]


def test_a_blank_line_ends_a_sentence() -> None:
    assert sentences("A heading\n\nthe text") == ["A heading", "the text"]


def test_nothing_gives_nothing() -> None:
    assert split("") == []
    assert split(" \n\n\t") == []


prose = st.text(alphabet="aBc E.colip53et al. Fig()[]\"'!?;0129,\n α光。", max_size=400)


@given(st.one_of(prose, st.text()))
def test_spans_hold_every_letter_once_and_in_order(text: str) -> None:
    spans = split(text)
    position = 0
    for start, end in spans:
        assert start >= position
        assert end > start
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(prose)
def test_a_sentence_alone_begins_and_ends_as_before(text: str) -> None:
    for start, end in split(text):
        inner = split(text[start:end])
        assert inner[0][0] == 0
        assert inner[-1][1] == end - start
