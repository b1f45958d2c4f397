"""The words that are shown as the reason for a hit."""

from __future__ import annotations

from retrieval.stages.explain import why
from retrieval.stages.matching import Matcher
from retrieval.types import Scores


def test_words_are_found_as_they_are_written() -> None:
    matcher = Matcher("Does IL-6 inhibition reduce inflammatory signalling in p53-null mice?")
    text = "IL6 inhibitors reduced inflammatory cells; IL 6 signals. P53 null mouse."
    assert matcher.found_in(text) == [
        "IL6",
        "inhibitors",
        "reduced",
        "inflammatory",
        "IL 6",
        "signals",
        "P53 null",
    ]


def test_parts_of_other_words_are_not_found() -> None:
    assert Matcher("EGFR MET").found_in("VEGFR metastatic") == []
    assert Matcher("rat").found_in("The ratio and rats") == ["rats"]


def test_a_question_of_stop_words_finds_nothing() -> None:
    assert Matcher("of the and").found_in("of the and") == []
    assert Matcher("(*[").found_in("(*[") == []


def test_reasons_name_the_legs_that_found_it() -> None:
    matcher = Matcher("STAT3 in hepatocytes")
    both = Scores(dense=0.712, bm25=8.0, dense_rank=2, lexical_rank=1)
    words, meaning = why(both, "STAT3", "Hepatocyte.", matcher)
    assert words == "Words: hepatocyte, stat3 in its title and text (place 1 by words)"
    assert meaning == "Meaning: cosine 0.71, place 2 by meaning"
    assert list(why(Scores(dense=0.5), "", "", matcher)) == ["Meaning: cosine 0.50"]
