"""Two references are one paper only when title and one more thing agree, and little speaks against
it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.matching import PaperFacts, fold, is_generic, same_paper

CULTURE = PaperFacts(
    "Developing a culture of safety in the Veterans Health Administration",
    "2007",
    "Eff Clin Pract",
    "Weeks WB",
)
KINASE = PaperFacts(
    "Loss of a kinase brake lets memory T cells relapse",
    "2018-05-02",
    "Journal of Clinical Investigation",
    "Maria van den Berg",
)


@pytest.mark.parametrize(
    "other",
    [
        PaperFacts(CULTURE.title, "2014", "Health Affairs", "Weeks WB"),
        PaperFacts(
            "A culture of safety in the Veterans Health Administration",
            "2007",
            "Eff Clin Pract",
            "Weeks WB",
        ),
    ],
)
def test_the_same_authors_in_another_year_and_journal_wrote_another_paper(
    other: PaperFacts,
) -> None:
    assert not same_paper(CULTURE, other)


def test_a_common_title_by_others_elsewhere_is_another_paper() -> None:
    lecture = PaperFacts("An introduction to hidden Markov models", "1986", "IEEE ASSP", "Rabiner")
    unit = PaperFacts("An Introduction to Hidden Markov Models", "2007", "Curr Protoc", "Schuster")
    assert not same_paper(lecture, unit)
    assert not same_paper(lecture, replace(unit, year="1986"))


@pytest.mark.parametrize(
    "other",
    [
        replace(KINASE, title="Loss of a Kinase Brake Lets Memory T-Cells Relapse."),
        PaperFacts(KINASE.title, "2018"),
        PaperFacts(KINASE.title, "2019", "J Clin Invest", "van den Berg, M."),
        PaperFacts(KINASE.title, "", "The Journal of clinical investigation"),
        PaperFacts(KINASE.title, first_author="van den Berg M"),
        PaperFacts(KINASE.title, first_author="van den Berg, Maria"),
    ],
)
def test_one_paper_told_in_two_ways_is_found(other: PaperFacts) -> None:
    assert same_paper(KINASE, other)
    assert same_paper(other, KINASE)


@pytest.mark.parametrize(
    "other",
    [
        PaperFacts(KINASE.title),  # the title alone is not enough
        replace(KINASE, title="Gain of a kinase brake lets memory T cells relapse"),
        replace(KINASE, year="2012"),  # a yearly report
        replace(KINASE, venue="bioRxiv"),  # its preprint is linked, not merged
        replace(KINASE, venue="Blood", first_author="Tanaka K"),
        PaperFacts("", "2018", KINASE.venue, KINASE.first_author),
    ],
)
def test_too_little_in_common_keeps_papers_apart(other: PaperFacts) -> None:
    assert not same_paper(KINASE, other)


@pytest.mark.parametrize(
    "title",
    ["Editorial", "Introduction", "Reply", "Letter to the Editor", "The authors reply"],
)
def test_a_title_that_any_issue_has_needs_its_author_and_no_difference(title: str) -> None:
    paper = PaperFacts(title, "2010", "Lancet", "Okafor C")
    assert is_generic(title)
    assert same_paper(paper, paper)
    assert not same_paper(paper, replace(paper, first_author=""))
    assert not same_paper(paper, replace(paper, venue="BMJ"))
    assert not same_paper(paper, PaperFacts(title, first_author="Okafor C"))


def test_titles_are_compared_without_accents_markup_and_signs() -> None:
    assert fold("Ca<sup>2+</sup> in Müller’s glia: a “novel” TGF-β rôle") == (
        "ca2 in muller s glia a novel tgf β role"
    )


texts = st.text(max_size=40)
facts = st.builds(PaperFacts, texts, st.sampled_from(["", "1999", "2000", "2004"]), texts, texts)


@given(facts, facts)
def test_the_order_of_two_references_does_not_matter(a: PaperFacts, b: PaperFacts) -> None:
    assert same_paper(a, b) == same_paper(b, a)
    assert same_paper(a, replace(b, title=a.title)) == same_paper(replace(b, title=a.title), a)
