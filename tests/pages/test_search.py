"""Searching: passages with the reason why each is here."""

from __future__ import annotations

import pytest
from django.conf import settings

from retrieval.lexical.follower import LexicalFollower
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.pages.checks import LOOKS, assert_sound
from tests.support.ingesting import ingest

RECORDS = [
    {
        "id": f"r{n}",
        "title": f"Record {n} of a kinase",
        "text": f"Kinase number {n} phosphorylates STAT3 in cells of line {n}.",
        "year": 1990 + n,
    }
    for n in range(30)
]


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def corpus(reader):
    corpus = CorpusFactory(team=TeamFactory(readers=[reader]), slug="notes", name="Notes")
    ingest(corpus, *RECORDS)
    LexicalFollower(settings.LEXICAL_ROOT).rebuild_all()
    return corpus


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_search_page_is_sound(open_page, reader, corpus, size, theme):
    page = open_page("/search/", reader, size=size, theme=theme)
    assert_sound(page)
    for query in ("?q=kinase+STAT3", "?q=kinase&kind=table", "?q=" + "x" * 300):
        page.goto(f"/search/{query}")
        assert_sound(page)


def test_the_slash_key_leads_to_passages_with_their_words_marked(open_page, reader, corpus):
    page = open_page("/library/", reader)
    page.keyboard.press("/")
    page.keyboard.type("which kinase phosphorylates STAT3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/**")

    first = page.locator(".hit-r").first
    assert {"STAT3", "phosphorylates"} <= set(first.locator("mark").all_inner_texts())
    first.locator("summary").click()
    assert "Words (BM25)" in first.locator(".legs").inner_text()
    assert page.locator(".hit-r").count() == 20


def test_results_come_in_pages_and_lead_to_their_passage(open_page, reader, corpus):
    page = open_page("/search/?q=kinase", reader)
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2**")
    assert page.locator(".hit-r").count() == 10

    page.locator(".hit-r h2 a").first.click()
    page.wait_for_url("**/documents/**")
    assert page.locator(".passage.on").count() == 1


def test_filters_narrow_what_is_found(open_page, reader, corpus):
    page = open_page("/search/?q=kinase", reader)
    page.get_by_label("From").fill("2010")
    page.get_by_label("To", exact=True).fill("2012")
    page.keyboard.press("Enter")
    page.wait_for_url("**from=2010**")
    assert page.locator("h1").inner_text().startswith("3 passages")

    page.get_by_label("PubMed").check()
    page.wait_for_url("**source=pubmed**")
    assert "Nothing found" in page.locator("main").inner_text()
    page.get_by_role("link", name="Drop the filters").click()
    page.wait_for_url("**/search/?q=kinase")
    assert page.locator(".hit-r").count() == 20


def test_filters_work_without_scripts(open_page, reader, corpus):
    page = open_page("/search/?q=kinase", reader, scripts=False)
    page.get_by_label("To", exact=True).fill("1992")
    page.get_by_role("button", name="Apply filters").click()
    page.wait_for_load_state()

    assert page.locator("h1").inner_text().startswith("3 passages")


def test_a_hidden_corpus_is_neither_found_nor_offered(open_page, corpus):
    page = open_page("/search/?q=kinase+STAT3", UserFactory())

    assert page.locator(".hit-r").count() == 0
    assert "Notes" not in page.locator("main").inner_text()
    hidden = page.request.get("/search/?q=kinase&corpus=notes")
    absent = page.request.get("/search/?q=kinase&corpus=no-such-corpus")
    assert (hidden.status, absent.status) == (404, 404)
    assert hidden.text() == absent.text()


def test_a_question_that_is_too_long_is_refused_in_words(open_page, reader, corpus):
    page = open_page("/search/?q=" + "kinase+" * 4000, reader)

    assert "characters" in page.locator(".note").inner_text()


def test_words_that_no_passage_has_are_named_as_such(open_page, reader, corpus):
    page = open_page("/search/?q=zzyzx+qwertyuiop", reader)

    assert "No passage has the words zzyzx qwertyuiop" in page.locator("h1").inner_text()
    assert "nearest by meaning" in page.locator(".note.info").inner_text()
    assert page.locator(".hit-r").count() > 0

    page.goto("/search/?q=kinase")
    assert "passages for kinase" in page.locator("h1").inner_text()
