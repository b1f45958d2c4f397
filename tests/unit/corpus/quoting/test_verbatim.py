"""A quote is verbatim when it differs by nothing but how text is set."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.quoting.verbatim import locate


@pytest.mark.parametrize(
    ("passage", "quote", "found"),
    [
        ("It phos-\nphorylates STAT3.", "phosphorylates STAT3", "phos-\nphorylates STAT3"),
        ("It  is\n a  test.", "is a test", "is\n a  test"),
        ("the ﬁnal ﬂow", "final flow", "ﬁnal ﬂow"),
        ("the “final” flow—now", '"final" flow-now', "“final” flow—now"),
        ("anti-inflammatory", "antiinflammatory", "anti-inflammatory"),
        ("COVID-\n19 cases", "COVID-19 cases", "COVID-\n19 cases"),
        ("ca\u00adses rose", "cases rose", "ca\u00adses rose"),
        ("5 µg was given", "5 μg", "5 µg"),
        ("Sjögren", unicodedata.normalize("NFD", "Sjögren"), "Sjögren"),
        (unicodedata.normalize("NFD", "é") + "t", "ét", unicodedata.normalize("NFD", "ét")),
        ("10⁵ cells", "10⁵ cells", "10⁵ cells"),
        ("x 5 mg, 15 mg", "5 mg", "5 mg"),
    ],
)
def test_setting_does_not_matter(passage, quote, found):
    span = locate(passage, quote)
    assert span is not None
    assert passage[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("passage", "quote"),
    [
        ("inactivates STAT3", "activates STAT3"),
        ("0.5 mg", "5 mg"),
        ("1,500 cells", "500 cells"),
        ("between 5.5 and 6", "between 5"),
        ("a change of -5 mV", "5 mV"),
        ("10⁵ cells", "105 cells"),
        ("ranges 1-2", "ranges 12"),
        ("STAT3 is active", "STAT3 was active"),
        ("STAT3 is active", "stat3 is active"),
        ("STAT3", "STAT3 STAT3"),
        ("STAT3", ""),
        ("STAT3", "  "),
        ("", "STAT3"),
    ],
)
def test_other_words_numbers_and_cut_words_are_no_quote(passage, quote):
    assert locate(passage, quote) is None


WORDS = st.lists(st.text("abcdefgαβ", min_size=1, max_size=8), min_size=1, max_size=12)


@given(WORDS, st.data())
def test_any_run_of_words_is_found_however_it_is_spaced(words, data):
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    gaps = data.draw(
        st.lists(st.sampled_from([" ", "\n", "  ", "\u00a0"]), min_size=20, max_size=20)
    )
    passage = "".join(word + gap for word, gap in zip(words, gaps, strict=False)).rstrip()
    quote = " ".join(words[first : last + 1])
    span = locate(passage, quote)
    assert span is not None
    assert passage[span[0] : span[1]].split() == quote.split()
