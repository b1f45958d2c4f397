"""An answer as the page shows it."""

from __future__ import annotations

from agent.web import answer

CHIP = {"number": 2, "anchor": "c-2", "label": "Source 2: A <b>, Text"}


def test_the_last_word_of_a_claim_holds_its_chips() -> None:
    html = answer.claim_html("STAT3 drives SOCS3.", "", [CHIP])

    chip = '<a class="cite" id="c-2" href="#ev-2" aria-label="Source 2: A &lt;b&gt;, Text">2</a>'
    assert html == (
        '<span class="">STAT3 drives </span>'
        f'<span class="nw"><span class="">SOCS3.</span>{chip}</span>'
    )


def test_words_of_a_claim_are_never_markup() -> None:
    html = answer.claim_html("<i>a</i> <img>", "unv", [])

    assert "<i>" not in html
    assert "<img>" not in html
    assert html.count('class="unv"') == 2


def test_a_very_long_word_may_break() -> None:
    word = "x" * 60

    assert answer.claim_html(word, "", []).startswith(f'<span class="">{word}</span>')


def test_checks_are_summed_up_in_words() -> None:
    assert answer._checks(["supported"] * 3)["value"] == "Supported"
    assert answer._checks(["supported", "unverified"])["note"] == "1 of 2 claims"
    assert answer._checks(["unverified"])["value"] == "Not supported"
    assert answer._checks([])["value"] == "No claims"
