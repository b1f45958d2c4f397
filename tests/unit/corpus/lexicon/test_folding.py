"""One form of a surface for comparing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon.folding import fold, fold_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("IL-6", "IL6"),
        ("NF-κB", "nf-kappa b"),
        ("TNFalpha", "TNF-α"),
        ("oesophageal tumours", "Esophageal tumor"),
        ("leucocytoses", "leukocytosis"),
        ("haemorrhage", "hemorrhages"),
        ("Sjögren's syndrome", "Sjogren syndrome"),
        ("Sjo\u0308gren", "Sjögren"),
        ("type II", "type 2"),
        ("type I", "Type 1"),
        ("deﬁciency", "deficiencies"),
        ("VEGFRs", "VEGFR"),
        ("cyclosporine A", "Cyclosporin A"),
        ("catecholamines", "catecholamine"),
        ("ｐ５３", "p53"),
        ("tu\u00admor", "tumor"),
    ],
)
def test_spellings_of_one_name_fold_alike(one, other):
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AIDS", "AID"),
        ("EGFR", "VEGFR"),
        ("lung. Cancer", "lung cancer"),
        ("lung, cancer", "lung cancer"),
        ("IL-6", "IL-16"),
        ("gas", "ga"),
        ("chlorine", "chlorin"),
        ("lysine", "lysin"),
        ("factor V", "factor X"),
    ],
)
def test_different_names_do_not(one, other):
    assert fold_name(one) != fold_name(other)


def test_nothing_to_compare_folds_to_nothing():
    assert fold_name(" -/- ") == ""
    assert fold("").spans == []


@given(st.text(max_size=300))
def test_every_token_leads_back_to_the_characters_that_it_was(text):
    folded = fold(text)
    assert len(folded.words) == len(folded.stops) == len(folded.spans)
    for (start, end), word, stop in zip(folded.spans, folded.words, folded.stops, strict=True):
        assert folded.text[stop - len(word) : stop] == word
        assert folded.tokens(stop - len(word), stop) is not None
        if not word.isdigit():  # a lone I behind "type" is a number
            assert fold_name(text[start:end]) == word
    assert all(a[1] <= b[0] for a, b in zip(folded.spans, folded.spans[1:], strict=False))


@given(st.text(max_size=100))
def test_a_folded_name_is_what_the_text_of_that_name_holds(text):
    assert fold_name(text) == fold(text).text.strip(" ")
