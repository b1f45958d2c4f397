"""What a question asks must be what a quote speaks of: the name, and what is asked of it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from agent.answers.extractive import extractive
from agent.answers.extractive.asked import OnPoint, asked
from agent.answers.extractive.deeper import best_places, respelled
from agent.answers.extractive.families import DOWN, UP, families, families_in
from agent.answers.extractive.units import sentences
from agent.answers.passages import Passage

DRUG = Passage(
    uuid4(),
    "Fenlutinib blocks mainly JAK1 and JAK3. It was approved in 2014 for rheumatoid arthritis. "
    "The drug or compound fenlutinib is CHEBI:99999.",
    external_id="drug",
    title="Kinase inhibitors",
    rank=1,
    similarity=0.6,
)
LIST = Passage(
    uuid4(),
    "IL6 signaling pathway is a human pathway in WikiPathways (WP364). The 12 gene products that "
    "take part in IL6 signaling pathway are AGT, AKT1, BAD, CRP, GAB1, GRB2, HCK, IL6, IL6R, JAK1, "
    "JAK2 and STAT3.",
    external_id="WP364",
    title="IL6 signaling pathway",
    rank=1,
    similarity=0.7,
)
PROSE = Passage(
    uuid4(),
    "The protein SOCS3 is made at once. SOCS3 binds gp130 and stops the signal of interleukin-6.",
    external_id="prose",
    title="Feedback",
    rank=2,
    similarity=0.5,
)


def cited(question: str, *passages: Passage) -> list[str]:
    return [citation.quote for citation in extractive(question, passages).citations]


def shares(question: str, passage: Passage) -> list[float]:
    pool = sentences([passage])
    point = OnPoint(question, [passage], pool)
    return [point.share(index) for index in range(len(pool))]


def test_another_word_for_the_same_relation_will_do():
    assert families("ends") & families("stops") & families("inhibits") == {DOWN}
    assert DOWN in families_in("SOCS3 cuts the signal short.")
    assert UP in families_in("IRF3 turns on interferon beta.")
    assert not families_in("The first inhibitors followed.") & {UP, DOWN}


@pytest.mark.parametrize(
    "question",
    [
        "What is the dose of fenlutinib in children?",
        "Which company sells fenlutinib?",
        "Does fenlutinib block JAK2?",
    ],
)
def test_a_name_alone_is_no_answer(question):
    assert extractive(question, [DRUG]).mode == "abstained"


def test_what_is_said_of_the_name_is_quoted_and_its_identifier_is_not():
    quotes = cited("Which kinases does fenlutinib inhibit?", DRUG)
    assert quotes[0].startswith("Fenlutinib blocks mainly JAK1 and JAK3.")
    assert not any("CHEBI" in quote for quote in quotes)


def test_prose_wins_over_lists_and_identifiers():
    quotes = cited("What ends IL-6 signalling?", LIST, PROSE)
    assert "stops the signal" in quotes[0]
    assert not any("gene products" in quote or "WP364" in quote for quote in quotes)


def test_a_list_is_quoted_where_one_is_asked_for():
    quotes = cited("Which genes take part in the IL6 signaling pathway?", LIST, PROSE)
    assert any("gene products" in quote for quote in quotes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("STAT4 phosphorylates TYK2 in T cells.", True),
        ("TYK2 is phosphorylated by STAT4 in T cells.", True),
        ("The receptor carries TYK2 and STAT4 is phosphorylated there.", False),
        ("STAT4, phosphorylated by JAK2, stands beside TYK2.", False),
    ],
)
def test_a_relation_counts_only_between_the_names_it_is_asked_of(text, said):
    passage = Passage(uuid4(), text)
    pool = sentences([passage])
    point = OnPoint("Does STAT4 phosphorylate TYK2?", [passage], pool)
    assert point.says_relation(0) is said


def test_names_compare_exactly():
    passage = Passage(uuid4(), "SOCS2 restrains growth hormone.")
    assert shares("What does SOCS3 restrain?", passage)[0] == 0.5
    assert shares("What does SOCS2 restrain?", passage)[0] == 1.0


def test_a_long_form_is_met_by_the_abbreviation_that_the_passage_defines():
    text = "Lipid binding protein (LBP) is common. The level of LBP in serum rises in sepsis."
    assert shares("How far does serum lipid binding protein rise?", Passage(uuid4(), text))[1] > 0.7


def test_the_kind_of_thing_asked_for_weighs_little():
    weights = {
        min(part.forms): part.weight for part in asked("Which kinases does JAK1 bind?").parts
    }
    assert weights["kinas"] < weights["jak1"]
    assert weights["kinas"] < weights["bind"]


def test_a_later_passage_takes_a_place_only_where_it_says_more():
    near = [Passage(uuid4(), LIST.text, title=LIST.title, rank=rank) for rank in (1, 2, 3)]
    assert best_places("What ends IL-6 signalling?", [*near, PROSE], most=3) == [0, 1, 3]
    assert best_places("What ends IL-6 signalling?", [PROSE, *near], most=3) == [0, 1, 2]


def test_names_are_respelled_the_other_way():
    assert respelled("What ends IL-6 signalling?") == "What ends interleukin-6 signalling?"
    assert respelled("What does interleukin-6 do?") == "What does IL-6 do?"
    assert respelled("What does SOCS3 do?") is None
