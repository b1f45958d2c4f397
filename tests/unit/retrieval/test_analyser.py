"""Names of one thing give one term, however they are written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.lexical.analyser import MAX_TERM_CHARS, analyse, fold, index_terms, query_terms
from retrieval.lexical.words import STOP_WORDS, american, stem


def finds(question: str, passage: str) -> bool:
    """Whether the question's first name is found in the passage by its joined form."""
    held = set(index_terms(passage))
    return any(form in held for term in query_terms(question) for form in term.forms)


@pytest.mark.parametrize(
    "ways",
    [
        ("IL-6", "IL6", "IL 6", "il-6", "IL‑6", "IL–6"),
        ("TGF-β1", "TGFβ1", "TGF-beta1", "TGF-beta 1", "TGF beta 1", "TGFB1", "TGF-ß1", "TGFbeta1"),
        ("NF-κB", "NFκB", "NF-kappaB", "NF-kappa B", "NFkappaB", "NFKB", "nf-kb"),
        ("IFN-γ", "IFNγ", "IFN-gamma", "IFNgamma", "IFN gamma", "IFNG"),
        ("HIF-1α", "HIF1α", "HIF-1alpha", "HIF1A"),
        ("PPARγ", "PPAR-γ", "PPARgamma", "PPAR gamma", "PPARG"),
        ("β-catenin", "beta-catenin"),
        ("α-synuclein", "alpha-synuclein"),
        ("COVID-19", "COVID19", "Covid 19"),
        ("PD-1", "PD1", "PD 1"),
        ("R-HSA-139910", "r-hsa-139910"),
        ("GO:0006915", "go:0006915"),
    ],
)
def test_all_ways_of_writing_a_name_find_each_other(ways: tuple[str, ...]) -> None:
    for question in ways:
        for passage in ways:
            if "ß" in question + passage:
                continue
            assert finds(question, f"We saw {passage} rise."), (question, passage)


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("IL-6", "IL-10 rises"),
        ("B-cell", "β-cell"),
        ("R-HSA-139910", "R-HSA-139911"),
        ("rs123", "rs1234"),
        ("p53", "p63"),
        ("EGFR", "VEGFR"),
    ],
)
def test_other_names_stay_apart(question: str, passage: str) -> None:
    names = set(query_terms(question)[0].forms)
    assert names.isdisjoint(index_terms(passage))


def test_identifiers_are_one_term_without_their_parts() -> None:
    assert index_terms("R-HSA-139910") == ["rhsa139910"]
    assert index_terms("GO:0006915") == ["go0006915"]
    assert index_terms("rs123") == ["rs123"]
    assert index_terms("NM_000546.5") == ["nm0005465"]


def test_parts_of_compounds_are_found_too() -> None:
    assert index_terms("anti-inflammatory") == ["antiinflammatori", "anti", "inflammatori"]
    assert "cell" in index_terms("T-cells")
    assert {"tgf", "beta"} <= set(index_terms("TGF-β1"))
    assert index_terms("PD-1/PD-L1") == ["pd1", "pd", "pdl1", "pd", "l1"]


def test_marks_of_notes_belong_to_no_word() -> None:
    assert index_terms("Compoundᵃ RIᵇ 3.83ᵃᵇ Control³") == ["compound", "ri", "3.83", "control"]
    assert index_terms("cm² CO₂") == index_terms("cm2 CO2")


def test_words_are_stemmed_and_symbols_are_not() -> None:
    assert index_terms("The kinases phosphorylated tumours") == ["kinas", "phosphoryl", "tumor"]
    assert index_terms("KRAS and BRAFs") == ["kras", "braf"]
    assert index_terms("mRNA miRNAs MAPKs") == ["mrna", "mirna", "mapk"]
    assert index_terms("Alzheimer’s disease") == index_terms("Alzheimer's diseases")


def test_a_stop_word_in_capitals_may_be_a_name() -> None:
    assert index_terms("Mutations of WAS in ALL patients") == ["mutat", "was", "all", "patient"]
    assert index_terms("it was in all of them") == []
    assert index_terms("IT WAS ALL IN THE CELLS") == ["cell"]


def test_a_shouted_text_is_read_like_another() -> None:
    assert index_terms("RESULTS OF THE STUDIES") == index_terms("Results of the studies")


def test_numbers() -> None:
    assert index_terms("1,000 genomes") == ["1000", "genom"]
    assert index_terms("p = 0.05") == ["p", "0.05"]
    assert index_terms("0,05") == ["0.05"]
    assert index_terms("5 μM and 5 µM") == ["5", "um", "5", "um"]


@pytest.mark.parametrize(
    ("british", "us"),
    [
        ("tumour", "tumor"),
        ("leukaemia", "leukemia"),
        ("haemoglobin", "hemoglobin"),
        ("oestrogen", "estrogen"),
        ("signalling", "signaling"),
        ("oesophagus", "esophagus"),
        ("ischaemia", "ischemia"),
        ("characterised", "characterized"),
        ("fibre", "fiber"),
        ("sulphate", "sulfate"),
        ("analyse", "analyze"),
        ("diarrhoea", "diarrhea"),
    ],
)
def test_spelling_on_both_sides_of_the_atlantic(british: str, us: str) -> None:
    assert american(british) == us
    assert stem(british) == stem(us)


@pytest.mark.parametrize("word", ["exercise", "disease", "raised", "precise", "four", "source"])
def test_words_that_only_look_british_stay(word: str) -> None:
    assert american(word) == word


def test_other_scripts_give_terms() -> None:
    assert index_terms("蛋白质") == ["蛋", "蛋白", "白", "白质", "质"]
    assert index_terms("белок клетки") == ["белок", "клетки"]
    assert len(query_terms("белок клетки 2026")) == 3  # A22
    assert index_terms("πρωτεΐνη") == ["πρωτεινη"]
    assert index_terms("प्रोटीन")
    assert index_terms("naïve café") == ["naiv", "cafe"]


def test_questions_give_each_place_once() -> None:
    terms = query_terms("IL-6, IL-6 and IL6")
    assert [term.forms[0] for term in terms] == ["il6", "il6"]  # with its part, and without
    assert query_terms("of the and") == []
    assert query_terms("") == []


def test_folding_keeps_what_carries_meaning() -> None:
    assert fold("ﬁbro\u00adblast") == "fibroblast"
    assert fold("ｎｏｎ−small") == "non-small"
    assert fold("й") == "й"


@given(st.text(max_size=300))
def test_any_text_gives_terms_without_spaces(text: str) -> None:
    for term in index_terms(text):
        assert term
        assert len(term) <= 2 * MAX_TERM_CHARS
        assert term.split() == [term]


@given(st.text(max_size=40), st.characters(categories=("Lu", "Ll", "Lo")), st.text(max_size=40))
def test_a_question_with_a_letter_has_a_term(before: str, letter: str, after: str) -> None:
    """Or is nothing but stop words: then its meaning alone is asked for."""
    question = before + letter + after
    words = re.findall(r"[^\W\d_]+", fold(question).lower())
    assert query_terms(question) or all(word in {*STOP_WORDS, "s"} for word in words)


@given(st.text(max_size=120))
def test_a_text_answers_its_own_question(text: str) -> None:
    held = set(index_terms(text))
    for term in analyse(text):
        assert set(term.forms) <= held
