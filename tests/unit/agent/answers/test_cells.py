"""Answers from tables: what a cell says without words, amounts, and short forms that notes tell."""

from __future__ import annotations

from uuid import uuid4

import pytest

from agent.answers.extractive import extractive
from agent.answers.extractive.asked import OnPoint, asked
from agent.answers.extractive.units import amounts, sentences, terms_of, wanted
from agent.answers.grounding.names import explained_in
from agent.answers.passages import Passage


def table(heading: str, rows: list[list[str]], **fields: object) -> Passage:
    text, cells = heading, []
    for row in rows:
        text += "\n"
        for number, cell in enumerate(row):
            text += "; " if number else ""
            cells.append((len(text), len(text) + len(cell)))
            text += cell
    return Passage(uuid4(), text, cells=tuple(cells), content_type="table", **fields)  # type: ignore[arg-type]


def first_quote(question: str, *passages: Passage) -> str:
    return next(iter(c.quote for c in extractive(question, passages).citations), "")


CAMELS = table(
    "Table 2. Camels of both herds and their burdens",
    [
        ["Herd: North", "North — No. Oasis: 417", "North — Burden (kg): 210 ± 4"],
        ["Herd: South", "South — No. Oasis: 523", "South — Burden (kg): 180 ± 9"],
    ],
    external_id="camels",
    title="Camels of two herds",
    similarity=0.5,
)


def test_that_its_row_has_its_value_is_said_by_a_cell():
    question = "Which Oasis number does the camel of the South herd carry?"
    assert first_quote(question, CAMELS) == "South — No. Oasis: 523"


def test_a_number_says_how_high_or_how_frequent():
    assert amounts("How high was it, and how often?") == {"high", "often"}
    assert wanted("How high was the burden?", ()).terms == wanted("Burden?", ()).terms
    question = "How heavy was the burden of camels in the North herd?"
    assert first_quote(question, CAMELS) == "North — Burden (kg): 210 ± 4"


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("Falls of camels numbered 12 in a year.", True),
        ("Falls of camels were seen (Dune and Sand 2004).", False),
        ("Falls of camels were seen [12, 13].", False),
        ("Falls of camels were seen. There were 40 dunes.", False),
    ],
)
def test_a_reference_or_a_number_beside_it_is_no_amount(text: str, shared: bool):
    passage = Passage(uuid4(), text)
    pool = sentences([passage])
    share = OnPoint("How frequent were falls of camels?", [passage], pool).share(0)
    assert (share == 1.0) is shared


def test_what_is_asked_for_weighs_most():
    parts = {min(part.forms): part for part in asked("How frequent were visits?").parts}
    assert parts["frequent"].is_amount
    assert parts["frequent"].weight > parts["visit"].weight


def test_a_label_that_stands_under_no_head_is_no_claim():
    passage = table("Table 1. Burdens", [["North", "North — Burden: 210", "North — Age: 4"]])
    assert [one.text for one in sentences([passage]) if one.is_cell] == [
        "North — Burden: 210",
        "North — Age: 4",
    ]


def test_no_stands_for_number_before_a_name_only():
    assert "number" in terms_of("No. HUVA")
    assert "number" in terms_of("Nº de animais")
    assert "number" not in terms_of("There was no camel.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DM: dry matter; L∗: lightness.", {"DM": ("dry", "matter"), "L∗": ("lightness",)}),
        ("Agents: CC = clotrimazole, NS= nystatin", {"CC": ("clotrimazole",), "NS": ("nystatin",)}),
        ("Note: one only is no list of short forms.", {}),
        ("Results: none, Methods: observational.", {}),
        ("The ratio was 2:1 and the dose 5 mg.", {}),
    ],
)  # fmt: skip
def test_lists_of_short_forms_are_read(text: str, found: dict[str, tuple[str, ...]]):
    assert explained_in(text) == found


def test_a_question_in_long_words_meets_a_table_in_short_forms():
    meat = table(
        "Table 3. Traits of the meat",
        [["L∗ — CO: 38.07", "L∗ — PS: 34.53"], ["b∗ — CO: 6.71", "b∗ — PS: 5.33"]],
        external_id="meat",
        title="Meat of two diets",
        similarity=0.5,
    )
    notes = Passage(uuid4(), "CO: concentrate; PS: pasture; L∗: lightness, b∗: yellowness.", rank=2)
    question = "What lightness does meat have on pasture?"
    assert first_quote(question, meat, notes) == "L∗ — PS: 34.53"
