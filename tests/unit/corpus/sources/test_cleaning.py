"""What reaches a stored text, and what does not."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.cleaning import clean_text, fold, one_line, paragraphs


def test_controls_and_hidden_marks_are_dropped() -> None:
    hidden = "\x00\x01\x1b\x7f\x9f\u00ad\u200b\u202e\u2066\ufeff\U000e0041\ud800"
    assert clean_text(f"a{hidden}b") == "ab"


def test_line_ends_and_spaces_become_plain_ones() -> None:
    assert clean_text("a\r\nb\rc\u2028d\u00a0e\u2009f\tg") == "a\nb\nc\nd e f\tg"


def test_a_private_code_point_leaves_a_mark() -> None:
    assert clean_text("5 \uf06dm") == "5 \ufffdm"


def test_joiners_that_scripts_need_stay() -> None:
    word = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert clean_text(word) == word


def test_letters_are_composed() -> None:
    assert clean_text("e\u0301") == "é"


def test_paragraphs_end_at_blank_lines_only() -> None:
    assert paragraphs("one\nline\n \n two \n\n\n") == ["one line", "two"]


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(
        unicodedata.category(char) in ("Cc", "Cs", "Co") for char in once if char not in "\n\t"
    )


@given(st.text())
def test_one_line_has_no_double_space(text: str) -> None:
    line = one_line(text)
    assert line == line.strip()
    assert "  " not in line
    assert "\n" not in line


def test_titles_are_folded_without_accents_markup_and_signs() -> None:
    assert fold("Ca<sup>2+</sup> in Müller’s glia: a “novel” TGF-β rôle") == (
        "ca2 in muller s glia a novel tgf β role"
    )
