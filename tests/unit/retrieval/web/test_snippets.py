"""A snippet shows where a passage answers to the words of a query."""

from __future__ import annotations

from retrieval.web.snippets import snippet

FILLER = "Nothing of interest stands in this sentence. " * 30


def test_words_are_marked_in_any_form_and_case() -> None:
    html = snippet("Kinases phosphorylate STAT3.", "which kinase phosphorylates stat3?")

    assert html == ("<mark>Kinases</mark> <mark>phosphorylate</mark> <mark>STAT3</mark>.")


def test_common_words_are_not_marked() -> None:
    assert (
        snippet("The role of the gene", "what is the role?") == "The <mark>role</mark> of the gene"
    )


def test_the_part_with_most_of_the_words_is_shown_from_its_sentence_on() -> None:
    text = f"A gene. {FILLER}SOCS3 binds gp130 in the cell. {FILLER}"

    html = snippet(text, "SOCS3 binds gp130 gene")

    assert html.startswith("… <mark>SOCS3</mark> <mark>binds</mark> <mark>gp130</mark>")
    assert html.endswith(" …")


def test_text_of_a_source_stays_text() -> None:
    assert "<script>" not in snippet("<script>alert(1)</script> STAT3", "STAT3 script")
