"""Deleting a document by its page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from corpus.models import Deletion, Document
from corpus.services import deletion
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    TeamFactory,
    UserFactory,
)
from tests.pages.checks import LOOKS, assert_sound


@pytest.fixture
def curator():
    return UserFactory()


@pytest.fixture
def document(curator) -> Document:
    """One passage and one figure."""
    team = TeamFactory(members=[curator])
    corpus = CorpusFactory(name="Cytokines", team=team, document_count=1, chunk_count=1)
    made = DocumentFactory(corpus=corpus, title="How SOCS3 ends a signal")
    ChunkFactory(document=made)
    FigureFactory(document=made)
    return made


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_question_and_the_receipt_are_sound(open_page, curator, document, size, theme):
    page = open_page(f"/documents/{document.public_id}/delete/", curator, size=size, theme=theme)
    assert_sound(page)
    row = deletion.request(document.corpus, [document.public_id], by=curator)
    page.goto(f"/deletions/{row.public_id}/")
    assert_sound(page)
    deletion.work_off(row)
    page.goto(f"/deletions/{row.public_id}/")
    assert_sound(page)


def test_a_curator_sees_what_goes_and_then_that_it_went(open_page, curator, document):
    page = open_page(f"/documents/{document.public_id}/", curator)
    page.click("#delete")
    assert "1 passage" in page.locator("main").inner_text()
    assert "1 figure" in page.locator("main").inner_text()

    page.click("#delete-now")
    page.wait_for_url("**/deletions/**")
    assert page.locator("h1").inner_text() == "Being deleted"

    deletion.work_off(Deletion.objects.get())
    expect(page.locator("h1")).to_have_text("Deleted", timeout=20_000)
    assert "finds nothing of it" in page.locator("main").inner_text()
    assert page.request.get(f"/documents/{document.public_id}/").status == 404
