"""Statements of passages: subjects named where it is sure, and nothing that the passage lacks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.chunking.propositions import Named, propositions
from corpus.quoting.numbers import quantities, unstated

EGFR = "Epidermal growth factor receptor (EGFR) is a receptor tyrosine kinase."


def told(text: str, **options) -> list[str]:
    return [one.text for one in propositions(text, **options)]


@pytest.mark.parametrize(
    ("following", "statement"),
    [
        ("It binds 3 ligands.", "Epidermal growth factor receptor binds 3 ligands."),
        ("However, it is lost.", "However, Epidermal growth factor receptor is lost."),
        ("Its level is high in lung.", "Epidermal growth factor receptor’s level is high in lung."),
        ("This receptor is degraded.", "Epidermal growth factor receptor is degraded."),
        ("This protein is degraded.", "Epidermal growth factor receptor is degraded."),
        ("It has been shown that it matters.", "It has been shown that it matters."),
        ("However, it remains unclear where it is.", "However, it remains unclear where it is."),
        ("RESULTS It is lost fast.", "RESULTS Epidermal growth factor receptor is lost fast."),
        ("It is important to measure it.", "It is important to measure it."),
        ("These results suggest a dose.", "These results suggest a dose."),
        ("We treated 12 patients there.", "We treated 12 patients there."),
    ],
)
def test_a_sentence_names_what_it_pointed_at(following: str, statement: str):
    names = [Named(34, 38, "gene")]

    assert told(f"{EGFR} {following}", names=names) == [EGFR, statement]


@pytest.mark.parametrize(
    "following",
    [
        "They were treated with 5 mg.",  # several, and one was named
        "This suggests that it matters.",  # what was said, no thing
        "This drug is given daily.",  # no drug was named
        "These cells produce IL-17 daily.",
        "He was treated with gefitinib.",
        "The latter was not seen.",
    ],
)
def test_a_sentence_whose_subject_is_not_sure_is_left_out(following: str):
    text = f"{EGFR} {following} Nothing else was found."

    assert told(text, names=[Named(34, 38, "gene")]) == [EGFR, "Nothing else was found."]


@pytest.mark.parametrize(
    "first",
    [
        "EGFR binds GRB2 in most cells.",  # which of the two is "it"?
        "A receptor is found in lung.",
        "In lung, EGFR was high.",
        "The protein is found in lung.",
        "Expression of EGFR is high.",
    ],
)
def test_a_pronoun_after_a_sentence_without_one_sure_subject_is_left_out(first: str):
    assert told(f"{first} It is degraded fast. Nothing was found there.") == [
        first,
        "Nothing was found there.",
    ]


def test_a_subject_is_kept_over_the_sentences_that_point_at_it():
    text = "Th17 cells are T cells. These cells produce IL-17. They are found in the gut."

    assert told(text)[1:] == ["Th17 cells produce IL-17.", "Th17 cells are found in the gut."]


def test_a_second_pronoun_is_left_out_when_the_first_sentence_named_another():
    text = f"{EGFR} It binds GRB2 in cells. It is degraded fast. Nothing was found there."

    assert told(text) == [
        EGFR,
        "Epidermal growth factor receptor binds GRB2 in cells.",
        "Nothing was found there.",
    ]


def test_a_noun_of_its_kind_does_not_tell_which_of_two_was_meant():
    names = [Named(0, 4, "gene"), Named(11, 15, "gene")]

    assert told(
        "EGFR binds GRB2 in cells. This protein is lost. Nothing was found there.", names=names
    )[1:] == ["Nothing was found there."]


def test_in_a_record_the_pathway_is_what_its_summary_speaks_of():
    text = "This pathway mends broken strands. It is slow in G1 phase. The MRN complex is first."

    found = told(text, title="HDR", document_type="pathway", is_first=True)

    assert found == [
        "HDR mends broken strands.",
        "HDR is slow in G1 phase.",
        "The MRN complex is first.",
    ]


def test_a_title_whose_numbers_the_passage_lacks_is_not_put_in():
    text = "This pathway repairs many breaks. Breaks are frequent in cells."

    found = told(text, title="Repair within 24 h", document_type="pathway", is_first=True)

    assert found == ["Breaks are frequent in cells."]


def test_a_row_of_a_table_is_told_under_its_caption():
    text = "Table 1. Doses of both arms.\nDrug: EGF; Dose: 5 mg\nControls\nDrug: TNF; Dose: 6 mg"

    found = propositions(text, content_type="table", captioned=True)

    assert [one.text for one in found] == [
        "Doses of both arms.",
        "Table 1. Doses of both arms: Drug: EGF; Dose: 5 mg",
        "Table 1. Doses of both arms: Drug: TNF; Dose: 6 mg",
    ]
    assert text[found[1].start : found[1].end] == "Drug: EGF; Dose: 5 mg"


def test_fields_of_a_record_are_statements_of_their_own():
    text = "SOCS3 binds JAK2 in the cytosol.\nInputs: SOCS3, JAK2, ATP\nOutputs: SOCS3:JAK2, 2 ADP"

    assert told(text, content_type="record") == text.split("\n")


def test_a_passage_of_one_statement_needs_no_other():
    assert told(EGFR) == []
    assert told("") == []


WORDS = """EGFR It They This These protein cells is are binds 5 mg 31 % , ( ) . The MRN complex Its
However, was 2,022 patients Dose: treated with ≥ 0.05"""


@given(
    st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=60).map(" ".join),
    st.sampled_from(["text", "record", "image", "table"]),
    st.booleans(),
)
def test_statements_stand_in_order_in_their_passage_with_its_numbers(text, kind, captioned):
    found = propositions(text, content_type=kind, captioned=captioned)

    assert found == propositions(text, content_type=kind, captioned=captioned)
    assert all(a.end <= b.start for a, b in pairwise(found))
    for one in found:
        source = text[one.start : one.end]
        assert source == source.strip() != ""
        assert not unstated(quantities(text), one.text)
