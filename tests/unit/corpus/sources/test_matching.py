"""When two titles, and two names, are the same."""

from __future__ import annotations

import pytest

from corpus.services.works.identity import as_key
from corpus.sources.matching import (
    author_key,
    family_name,
    is_long,
    is_named,
    is_notice,
    opening_keys,
    title_key,
)
from corpus.sources.preprints import is_preprint_doi, unversioned

TITLE = "Interleukin-6 trans-signalling and the acute-phase response of the liver"


@pytest.mark.parametrize(
    "other",
    [
        TITLE.upper(),
        TITLE + ".",
        "Interleukin–6  trans signalling and the acute phase response of the liver",
        f"RETRACTED: {TITLE}",
        f"{TITLE} [Retracted]",
        f"{TITLE} (preprint)",
        TITLE.replace("acute", "acúte"),
    ],
)
def test_signs_case_accents_and_a_retractions_mark_do_not_matter(other: str):
    assert title_key(other) == title_key(TITLE) != ""


def test_another_word_matters():
    assert title_key(TITLE.replace("liver", "kidney")) != title_key(TITLE)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Editorial",
        "Reply",
        "Introduction",
        "Letter to the editor",
        "IL-6 in man",
        "1 2 3 4 5 6 7 8",
    ],
)
def test_short_and_general_titles_have_no_key(title: str):
    assert title_key(title) == ""


def test_a_title_of_many_words_is_told_from_a_short_one():
    assert is_long(title_key(TITLE))
    assert not is_long(title_key("Cytokines govern hepatocyte regeneration"))


@pytest.mark.parametrize(
    "title",
    [
        f"Retraction: {TITLE}",
        "Retraction note to: a study of cells",
        "Notice of Retraction: a study",
        "Retraction of: a study of cells",
        "Retraction of “A study of cells”",
        "Correction to: a study of cells",
        "Author Correction: a study of cells",
        "Erratum to a study of cells",
        "Corrigendum: a study of cells",
        "Expression of concern: a study of cells",
    ],
)
def test_notices_are_told_by_their_title(title: str):
    assert is_notice(title)


@pytest.mark.parametrize(
    "title",
    [
        TITLE,
        f"RETRACTED: {TITLE}",
        "Retraction of the nipple in inflammatory carcinoma",
        "Correction of scoliosis by growing rods",
        "Withdrawal symptoms after opioids",
    ],
)
def test_papers_are_not(title: str):
    assert not is_notice(title)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ada Lindqvist", "lindqvist"),
        ("Lindqvist A", "lindqvist"),
        ("Lindqvist AB", "lindqvist"),
        ("Lindqvist, Ada B.", "lindqvist"),
        ("A. B. Lindqvist", "lindqvist"),
        ("Ada Lindqvist Jr.", "lindqvist"),
        ("Gabriel García Márquez", "marquez"),
        ("García Márquez, Gabriel", "marquez"),
        ("LI", "li"),
        ("Hong-xiang Lu", "lu"),
        ("", ""),
    ],
)
def test_family_names_in_every_form(name: str, family: str):
    assert family_name(name) == family


def test_an_author_is_found_in_the_words_that_a_text_opens_with():
    opening = frozenset(opening_keys("A study\nAda Lindqvist1, Bo Ek2*\nUppsala"))

    assert is_named(author_key(["Lindqvist A"]), opening)
    assert not is_named(author_key(["Cem Demir"]), opening)


@pytest.mark.parametrize(
    ("doi", "preprint"),
    [
        ("10.1101/2020.01.02.000001", True),
        ("10.1101/123456", True),
        ("10.1101/gad.1234.5", False),
        ("10.1101/gr.278001.123", False),
        ("10.21203/rs.3.rs-1/v1", True),
        ("10.48550/arxiv.2312.07559", True),
        ("10.26434/chemrxiv-2021-x", True),
        ("10.20944/preprints202001.0001.v1", True),
        ("10.1038/s41586-020-1", False),
        ("", False),
    ],
)
def test_preprints_are_told_by_their_doi(doi: str, preprint: bool):
    assert is_preprint_doi(doi) is preprint


def test_versions_of_a_preprint_have_one_key_and_other_dois_keep_theirs():
    assert unversioned("10.21203/rs.3.rs-1/v2") == "10.21203/rs.3.rs-1"
    assert unversioned("10.20944/preprints202001.0001.v1") == "10.20944/preprints202001.0001"
    assert unversioned("10.5555/review/v2") == "10.5555/review/v2"
    assert as_key("doi:10.21203/rs.3.rs-1/v2") == as_key("doi:10.21203/RS.3.rs-1/v1")
    assert as_key("reactome:R-HSA-1") == as_key("pmid:x") == ""
