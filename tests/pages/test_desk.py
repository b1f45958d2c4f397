"""The curators' desk in a browser: its looks, and the way from a document to its receipt."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from corpus.models import Deletion, Document, IngestJob, Term, Work, WorkConflict
from corpus.services import deletion
from tests.factories import CorpusFactory, DocumentFactory, TableFactory, UserFactory
from tests.pages.checks import PHONE, WIDE, assert_sound
from tests.support.ingesting import ingest, ingest_files

LOOKS = [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light")]


@pytest.fixture
def boss() -> User:
    return UserFactory(is_staff=True, is_superuser=True)


@pytest.fixture
def filled(transactional_db: None) -> dict[str, Any]:
    """A corpus with two records that may be one paper, a failed file, a vocabulary."""
    corpus = CorpusFactory(name="Cytokines")
    same = {"title": "How SOCS3 ends a signal", "text": "SOCS3 binds JAK2.", "authors": ["Ann Lee"]}
    ids = ({"doi": "10.1000/a", "pmid": "1"}, {"doi": "10.1000/a", "pmid": "2"})
    job = ingest(corpus, *({"id": f"r{n}", "identifiers": i} | same for n, i in enumerate(ids)))
    ingest_files(corpus, "pdf", [("broken.pdf", b"%PDF-1.4 nothing")])
    document = Document.objects.filter(source="jsonl").latest("pk")
    Document.objects.filter(pk=document.pk).update(retracted=True, note="A note for the curator.")
    TableFactory(document=document)
    vocabulary = DocumentFactory(corpus=corpus, type="vocabulary", source="vocabularies")
    term = Term.objects.create(
        document=vocabulary, position=0, curie="hgnc:1", label="MET", kind="gene", symbols=["MET"]
    )
    Work.objects.update(retracted=True)
    return {"document": document, "ingestjob": job, "term": term, "work": Work.objects.first()} | {
        "workconflict": WorkConflict.objects.get()
    }


def addresses(filled: dict[str, Any]) -> list[str]:
    found = [reverse("admin:index"), reverse("admin:corpus_sources")]
    for name, row in filled.items():
        found.append(reverse(f"admin:corpus_{name}_changelist"))
        found.append(reverse(f"admin:corpus_{name}_change", args=[row.pk]))
    found.append(f"{reverse('admin:corpus_document_remove')}?pk={filled['document'].pk}")
    found.append(reverse("admin:corpus_corpus_changelist"))
    found.append(reverse("admin:corpus_corpus_add"))
    found.append(reverse("admin:corpus_corpus_change", args=[filled["document"].corpus_id]))
    found.append(reverse("admin:corpus_watched_changelist"))
    found.append(reverse("admin:accounts_team_change", args=[filled["document"].corpus.team_id]))
    found.append(reverse("admin:accounts_budget_add"))
    found.append(reverse("admin:accounts_team_changelist"))
    return found


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_every_page_of_the_desk_is_sound(open_page, boss, filled, size, theme):
    page = open_page("/admin/", boss, size=size, theme=theme)
    for address in addresses(filled):
        page.goto(address)
        assert_sound(page)


def test_a_document_goes_from_the_list_to_its_receipt(open_page, boss, filled):
    page = open_page(reverse("admin:corpus_document_changelist"), boss)
    page.fill("#searchbar", "socs3 sig")
    page.press("#searchbar", "Enter")
    page.click("#result_list tbody tr:first-child th a")
    page.click("text=Delete…")
    assert "1 passage" in page.locator("#content").inner_text()
    page.click("#delete-now")
    page.wait_for_url("**/deletion/*/change/**")
    assert "Being deleted" in page.locator("#receipt").inner_text()

    deletion.work_off(Deletion.objects.get())

    expect(page.locator("#receipt")).to_contain_text("finds nothing of it", timeout=20_000)


def test_a_live_job_is_followed_until_its_end(open_page, boss, filled):
    job = filled["ingestjob"]
    IngestJob.objects.filter(pk=job.pk).update(state="running")
    page = open_page(reverse("admin:corpus_ingestjob_change", args=[job.pk]), boss)
    assert page.locator("#job-title").inner_text() == "Running"

    IngestJob.objects.filter(pk=job.pk).update(state="done")

    expect(page.locator("#job-title")).to_have_text("Done", timeout=20_000)
    expect(page.locator("#job-live")).not_to_have_attribute("hx-get", "x")
