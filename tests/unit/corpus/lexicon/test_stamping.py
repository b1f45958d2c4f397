"""The entities of a passage."""

from __future__ import annotations

from corpus.lexicon.stamping import FIRST_LINES, stamp


def test_what_title_path_or_first_lines_name_is_primary(lexicon):
    text = "KDR is here. " + "Nothing of note. " * (FIRST_LINES // 10) + "EGFR, IL-6, FLT4, KDR."
    drafts = stamp(lexicon, text, title="On EGFR", section_path=("Methods", "IL6 assay"))
    assert {draft.text: draft.primary for draft in drafts} == {
        "KDR": True,
        "EGFR": True,
        "IL-6": True,
        "FLT4": False,
    }


def test_spans_count_the_characters_of_the_passage(lexicon):
    text = "Ein Maß: EGFR"
    (draft,) = stamp(lexicon, text, title="Ein Titel")
    assert text[draft.start : draft.end] == draft.text == "EGFR"


def test_an_empty_passage_has_none(lexicon):
    assert stamp(lexicon, "", title="EGFR") == []
