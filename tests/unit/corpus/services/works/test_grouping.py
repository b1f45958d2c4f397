"""Records are of one paper only when title and author agree and nothing speaks against it."""

from __future__ import annotations

import pytest

from corpus.services.works.grouping import Record, group
from corpus.sources.matching import author_key, title_key

CULTURE = ("Developing a culture of safety in the Veterans Health Administration", "Weeks WB", 2007)
MARKOV = "An introduction to hidden Markov models of sequences"


def groups(*told: tuple[str, str, int | None], **ids: str) -> int:
    """How many papers records of (title, first author, year) are of."""
    records = [
        Record(n, (str(n),), ids, title_key(title), author_key([author]), year)
        for n, (title, author, year) in enumerate(told)
    ]
    return len(group(records, {}).groups)


@pytest.mark.parametrize(
    "other",
    [
        (CULTURE[0], "Weeks WB", 2014),
        ("A culture of safety in the Veterans Health Administration", "Weeks WB", 2007),
        (CULTURE[0], "Bagian JP", 2007),
    ],
)
def test_another_year_title_or_author_is_another_paper(other) -> None:
    assert groups(CULTURE, other) == 2


@pytest.mark.parametrize(
    "other",
    [
        (CULTURE[0].upper() + ".", "Weeks, William B.", 2007),
        (CULTURE[0], "William B. Weeks", 2008),
        (CULTURE[0], "Weeks WB", None),
    ],
)
def test_one_paper_told_in_two_ways_is_one(other) -> None:
    assert groups(CULTURE, other) == groups(other, CULTURE) == 1


def test_a_common_title_by_others_elsewhere_is_another_paper() -> None:
    assert groups((MARKOV, "Rabiner L", 1986), (MARKOV, "Schuster P", 2007)) == 2
    assert groups((MARKOV, "Rabiner L", 1986), (MARKOV, "Schuster P", 1986)) == 2


@pytest.mark.parametrize("title", ["Editorial", "Introduction", "Reply", "Letter to the Editor"])
def test_a_title_that_any_issue_has_joins_nothing(title: str) -> None:
    assert groups((title, "Okafor C", 2010), (title, "Okafor C", 2010)) == 2


def test_the_entry_of_a_list_and_its_file_are_one_whatever_their_titles() -> None:
    assert groups(("Cold cells", "Lind J", 2020), ("", "", None), entry="reference:1") == 1
