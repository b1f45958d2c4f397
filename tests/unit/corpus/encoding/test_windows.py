"""No word of a passage is lost to an encoder's window."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.encoding.hashing import HashingEncoder
from corpus.encoding.windows import cut

SMALL = HashingEncoder(max_tokens=8)


@given(st.text(alphabet="ab .,-é\n", max_size=200), st.integers(1, 9))
def test_windows_cover_everything_once_and_fit(text: str, size: int) -> None:
    encoder = HashingEncoder(max_tokens=size)
    spans = encoder.windows(text)
    assert all(encoder.count_tokens(text[start:end]) <= size for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert bool(spans) == bool(encoder.count_tokens(text))
    if spans:
        kept = "".join(text[start:end] for start, end in spans)
        assert "".join(kept.split()) == "".join(text[spans[0][0] :].split())


def test_a_window_ends_with_a_sentence_when_one_is_near() -> None:
    text = "one two three four five six. seven eight nine ten."
    assert [text[a:b] for a, b in SMALL.windows(text)] == [
        "one two three four five six.",
        "seven eight nine ten.",
    ]


def test_a_word_is_never_cut() -> None:
    text = "aaaabbbb cccc"
    offsets = [(0, 4), (4, 8), (9, 13)]
    assert cut(text, offsets, [True, False, True], size=2) == [(0, 8), (9, 13)]
    assert cut(text[:8], offsets[:2], [True, False], size=1) == [(0, 4), (4, 8)]


def test_a_window_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        cut("a", [(0, 1)], [True], size=0)
