"""A draft becomes an answer of checked claims only."""

from __future__ import annotations

from uuid import uuid4

from agent.answers.grounded import ground
from agent.answers.passages import Passage
from agent.answers.schema import Draft, DraftCitation, DraftClaim

ONE = Passage(uuid4(), "SOCS3 inhibits JAK2 in hepatocytes.", external_id="1", page=3)
TWO = Passage(uuid4(), "STAT3 drives transcription of BCL2 in T cells.", external_id="2")


def answer(
    *claims: tuple[str, tuple[int, ...]], quotes: dict[int, tuple[Passage, str]] | None = None
):
    quotes = quotes or {1: (ONE, "SOCS3 inhibits JAK2"), 2: (TWO, "STAT3 drives transcription")}
    draft = Draft(
        answer="Free text that nothing vouches for.",
        citations=tuple(
            DraftCitation(id=n, chunk_id=passage.chunk_id, quote=quote)
            for n, (passage, quote) in quotes.items()
        ),
        claims=tuple(DraftClaim(text=text, citations=ids) for text, ids in claims),
        confidence=0.8,
    )
    return ground(draft, [ONE, TWO], quality="good")


def test_the_answer_is_its_claims_and_nothing_else():
    checked = answer(("SOCS3 inhibits JAK2.", (1,)))
    assert checked.answer.answer == "SOCS3 inhibits JAK2."
    assert checked.answer.confidence == 0.8
    assert checked.problems == []


def test_citations_that_no_claim_uses_are_left_out_and_numbers_close_up():
    final = answer(("STAT3 drives transcription of BCL2.", (2,))).answer
    assert [(c.id, c.external_id) for c in final.citations] == [(1, "2")]
    assert final.claims[0].citations == (1,)


def test_a_false_claim_is_marked_and_lowers_confidence():
    checked = answer(("SOCS3 inhibits JAK2.", (1,)), ("SOCS3 activates JAK2.", (1,)))
    assert [claim.status for claim in checked.answer.claims] == ["supported", "unverified"]
    assert checked.answer.answer.endswith("SOCS3 activates JAK2. [unverified]")
    assert checked.answer.confidence == 0.6
    assert "direction" in checked.problems[0]


def test_no_claim_that_holds_means_no_confidence():
    assert answer(("SOCS3 activates JAK2.", (1,))).answer.confidence == 0.0


def test_a_claim_that_only_two_passages_together_say_is_uncertain():
    claim = "SOCS3 inhibits JAK2 in hepatocytes. STAT3 drives transcription of BCL2 in T cells."
    checked = answer((claim, (1, 2)))
    assert checked.answer.claims[0].status == "uncertain"
    assert "[uncertain]" in checked.answer.answer


def test_a_claim_whose_quotes_are_all_invented_is_dropped_and_told():
    checked = answer(("SOCS3 inhibits JAK2.", (1,)), quotes={1: (ONE, "SOCS3 loves JAK2")})
    assert checked.answer.claims == ()
    assert checked.dropped == 1
    assert "left out" in checked.answer.warnings[0]


def test_the_quote_shown_is_the_passages_own_text():
    passage = Passage(uuid4(), "SOCS3 in-\nhibits JAK2.", page=2, pages_by_offset=((0, 2), (9, 3)))
    draft = Draft(
        answer="",
        citations=(DraftCitation(id=7, chunk_id=passage.chunk_id, quote="SOCS3 inhibits JAK2"),),
        claims=(DraftClaim(text="SOCS3 inhibits JAK2.", citations=(7,)),),
        confidence=1.0,
    )
    citation = ground(draft, [passage], quality="good").answer.citations[0]
    assert (citation.id, citation.quote, citation.page) == (1, "SOCS3 in-\nhibits JAK2", 2)
