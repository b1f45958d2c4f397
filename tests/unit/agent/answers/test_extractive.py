"""The answer without a model: verbatim, ordered, without repeats, and silent where nothing
supports.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import uuid4

import pytest

from agent.answers.extractive import extractive
from agent.answers.extractive import lean as leaning
from agent.answers.extractive.units import LONGEST, sentences, wanted
from agent.answers.grounding import check
from agent.answers.passages import Passage
from agent.answers.render import pieces, with_citations

SOCS = Passage(
    uuid4(),
    "SOCS3 inhibits JAK2 and so ends IL-6 signalling. The protein binds gp130 near the kinase. "
    "It is made within an hour after the cytokine arrives.",
    source="pubmed",
    external_id="111",
    title="SOCS3 in hepatocytes",
    rank=1,
    similarity=0.62,
    page=4,
    pages_by_offset=((0, 4), (50, 5)),
    legs=("dense", "lexical"),
    document_id=uuid4(),
)
AGAIN = Passage(
    uuid4(),
    "SOCS3 inhibits JAK2 and so ends IL-6 signalling. A second laboratory repeated the finding.",
    external_id="222",
    title="SOCS3 once more",
    rank=2,
    similarity=0.6,
)
MUSEUM = Passage(
    uuid4(), "The museum opens at nine. Tickets cost five euros.", external_id="333", rank=3,
    similarity=0.05,
)  # fmt: skip
RECORD = Passage(
    uuid4(),
    "Complement cascade is a human pathway. Complement cascade is divided into 2 sub-pathways: "
    "Activation of C3; Regulation of complement.",
    external_id="R-HSA-166658",
    title="Complement cascade",
    content_type="record",
    rank=1,
    similarity=0.3,
)
QUESTION = "What does SOCS3 inhibit to end IL-6 signalling?"


def shared_words(question: str, texts: Sequence[str]) -> list[float]:
    """A small stand-in for meaning, from what a test can see: words in common."""
    asked = set(re.findall(r"\w+", question.lower()))
    found = [set(re.findall(r"\w+", text.lower())) for text in texts]
    return [len(asked & one) / len(asked | one) for one in found]


def ask(question: str, *passages: Passage, **more: object):
    return extractive(question, passages, similarity=shared_words, **more)  # type: ignore[arg-type]


def test_the_best_sentence_comes_first_with_a_verbatim_quote_and_its_page():
    answer = ask(QUESTION, SOCS, MUSEUM)
    assert answer.mode == "extractive"
    assert answer.claims[0].text.startswith("SOCS3 inhibits JAK2")
    citation = answer.citations[0]
    assert citation.quote in SOCS.text
    assert (citation.external_id, citation.page) == ("111", 4)
    assert answer.used_sources.documents == (SOCS.document_id,)
    assert answer.used_sources.legs == ("dense", "lexical")


def test_every_claim_is_cited_and_passes_the_grounding_check():
    answer = ask(QUESTION, SOCS, AGAIN, MUSEUM)
    texts = {p.chunk_id: p.text for p in (SOCS, AGAIN, MUSEUM)}
    quotes = {c.id: (texts[c.chunk_id], c.quote) for c in answer.citations}
    for claim in answer.claims:
        passage, quote = quotes[claim.citations[0]]
        assert check(passage, claim.text, quote).supported


def test_the_same_sentence_is_quoted_once():
    answer = ask(QUESTION, SOCS, AGAIN)
    assert sum("SOCS3 inhibits JAK2" in claim.text for claim in answer.claims) == 1


def test_what_does_not_bear_on_the_question_is_not_quoted():
    assert "museum" not in ask(QUESTION, SOCS, MUSEUM).answer


def test_a_quote_holds_two_sentences_at_most():
    for citation in ask(QUESTION, SOCS, AGAIN, MUSEUM).citations:
        assert len(sentences([Passage(uuid4(), citation.quote)])) <= 2


@pytest.mark.parametrize("passages", [(), (MUSEUM,)])
def test_nothing_that_supports_means_abstaining(passages):
    answer = ask("Which kinase phosphorylates STAT3 on Tyr705?", *passages, searched=["My corpus"])
    assert (answer.mode, answer.confidence, answer.claims) == ("abstained", 0.0, ())
    assert "My corpus" in answer.answer


def test_words_alone_can_decide():
    answer = extractive(QUESTION, [SOCS, MUSEUM])
    assert answer.mode == "extractive"
    assert extractive("Who composed the opera Fidelio?", [SOCS, MUSEUM]).mode == "abstained"


def test_retracted_work_is_no_support():
    answer = ask(QUESTION, Passage(uuid4(), SOCS.text, rank=1, similarity=0.6, retracted=True))
    assert answer.mode == "abstained"
    assert "retracted" in answer.answer


def test_a_record_named_by_its_identifier_answers_what_it_contains():
    answer = ask("What does R-HSA-166658 contain?", RECORD, SOCS)
    assert answer.citations[0].external_id == "R-HSA-166658"
    assert "divided into 2 sub-pathways" in answer.claims[0].text


def test_a_question_for_yes_or_no_gets_a_lean():
    assert ask("Does SOCS3 inhibit JAK2?", SOCS).answer.startswith("Yes")
    assert not ask(QUESTION, SOCS).answer.startswith(("Yes", "No", "Maybe"))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does aspirin prevent stroke?", True),
        ("Are microRNAs stable in serum?", True),
        ("Vitamin D and fractures: is there a link?", True),
        ("What does SOCS3 do?", False),
        ("Is it JAK1 or JAK2?", False),
        ("Does aspirin prevent stroke", False),
    ],
)
def test_which_questions_ask_for_yes_or_no(question, expected):
    assert leaning.asks_yes_or_no(question) is expected


@pytest.mark.parametrize(
    ("quotes", "expected"),
    [
        (["Aspirin prevented recurrent stroke."], "yes"),
        (["There was no difference in stroke between the groups."], "no"),
        (["The evidence is conflicting; further studies are needed."], "maybe"),
    ],
)
def test_leans(quotes, expected):
    assert leaning.lean("Does aspirin prevent stroke?", quotes).lean == expected


def test_rarer_words_of_the_question_weigh_more():
    pool = sentences([SOCS, AGAIN, MUSEUM])
    weights = {
        min(forms, key=len): weight for forms, weight in wanted("SOCS3 laboratory", pool).terms
    }
    assert weights["laboratori"] > weights["socs3"]


def test_a_sentence_without_end_is_cut_between_clauses():
    text = "Genes: " + ", ".join(f"GENE{n}" for n in range(300)) + "; " + "and more of them " * 50
    for sentence in sentences([Passage(uuid4(), text)]):
        assert len(sentence.text) <= LONGEST + 1
        assert text[sentence.start : sentence.end] == sentence.text


def test_the_pieces_of_an_answer_join_to_its_text():
    for question in (QUESTION, "Does SOCS3 inhibit JAK2?", "Who composed Fidelio?"):
        answer = ask(question, SOCS, AGAIN, MUSEUM)
        assert "".join(text for text, _ in pieces(answer)) == answer.answer
        cited = [ids for _, ids in pieces(answer) if ids]
        assert cited == [claim.citations for claim in answer.claims]


def test_a_copy_carries_numbers_and_sources():
    text = with_citations(ask(QUESTION, SOCS))
    assert "[1]" in text
    assert "SOCS3 in hepatocytes (pubmed 111)" in text


def test_a_cell_that_only_names_its_row_is_no_claim():
    heading = "Table 1. Serum levels in both arms."
    cells = [
        "Compound: Bexotinib",
        "Bexotinib, second \u2014 Arm: second",
        "Bexotinib, second \u2014 Serum level (ng/ml): 22.9",
    ]
    text = f"{heading}\n{'; '.join(cells)}"
    spans = tuple((text.index(cell), text.index(cell) + len(cell)) for cell in cells)
    table = Passage(uuid4(), text, cells=spans)

    assert [one.text for one in sentences([table]) if one.is_cell] == [cells[0], cells[2]]
