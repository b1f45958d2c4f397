"""Every page of the desk answers a curator, in a bounded number of queries, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.services import people, tokens
from corpus.models import (
    AliasRuling,
    Deletion,
    Document,
    IngestJob,
    JobItem,
    Term,
    Work,
    WorkConflict,
)
from corpus.services import naming
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    TeamFactory,
    UserFactory,
)
from tests.support.ingesting import ingest, ingest_files

pytestmark = pytest.mark.django_db
MOST_QUERIES = 40
MODELS = (AliasRuling, Deletion, Document, IngestJob, JobItem, Term, Work, WorkConflict)
WORDS = b"id: A:1"


@pytest.fixture
def filled(boss) -> dict[Any, Any]:
    """A row of each kind, in a corpus of a team that the site admin is not in."""
    corpus = CorpusFactory()
    vocabulary = DocumentFactory(corpus=corpus, type="vocabulary", source="vocabularies")
    term = Term.objects.create(
        document=vocabulary, position=0, curie="hgnc:1", label="MET", kind="gene", symbols=["MET"]
    )
    naming.rule(term, "MET", "ambiguous", by=boss, inside_admin=True)
    same = {"title": "How SOCS3 ends a signal", "text": "It does.", "authors": ["Ann Lee"]}
    ids = ({"doi": "10.1000/a", "pmid": "1"}, {"doi": "10.1000/a", "pmid": "2"})
    job = ingest(corpus, *({"id": f"r{n}", "identifiers": i} | same for n, i in enumerate(ids)))
    ingest_files(corpus, "pdf", [("broken.pdf", b"%PDF-1.4 nothing")])
    document = Document.objects.filter(corpus=corpus, source="jsonl").first()
    FigureFactory(document=document)
    deletion = Deletion.objects.create(
        team=corpus.team,
        corpus=corpus,
        corpus_public_id=corpus.public_id,
        corpus_slug=corpus.slug,
        corpus_name=corpus.name,
        user=boss,
        created_at=job.created_at,
    )
    return {
        AliasRuling: AliasRuling.objects.get(),
        Deletion: deletion,
        Document: document,
        IngestJob: job,
        JobItem: JobItem.objects.filter(state="failed").get(),
        Term: term,
        Work: Work.objects.first(),
        WorkConflict: WorkConflict.objects.get(),
    }


def addresses(filled: dict[Any, Any]) -> list[str]:
    found = [reverse("admin:index"), reverse("admin:corpus_sources")]
    for model, row in filled.items():
        name = f"admin:corpus_{model._meta.model_name}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])]
    found.append(reverse("admin:corpus_ingestjob_live", args=[filled[IngestJob].pk]))
    found.append(reverse("admin:corpus_deletion_live", args=[filled[Deletion].pk]))
    found.append(f"{reverse('admin:corpus_document_remove')}?pk={filled[Document].pk}")
    corpus = filled[Document].corpus
    found.append(reverse("admin:corpus_corpus_changelist"))
    found.append(reverse("admin:corpus_corpus_change", args=[corpus.pk]))
    return found


@pytest.mark.slow
def test_every_page_answers_the_site_admin_in_few_queries(desk, filled):
    for address in addresses(filled):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            answer = desk.get(address)
        assert answer.status_code == 200, address
        assert len(asked) <= MOST_QUERIES, (address, len(asked))


def test_a_list_takes_as_many_queries_for_fifty_rows_as_for_five(desk):
    corpus = CorpusFactory()
    for kind in ("documents", "jobs"):
        counts = []
        for more in (5, 45):
            if kind == "documents":
                DocumentFactory.create_batch(more, corpus=corpus)
            else:
                for _ in range(more):
                    IngestJob.objects.create(corpus=corpus, source="pdf", state="running")
            model = "document" if kind == "documents" else "ingestjob"
            with CaptureQueriesContext(connection) as asked:
                desk.get(reverse(f"admin:corpus_{model}_changelist"))
            counts.append(len(asked))
        assert counts[0] == counts[1], kind


@pytest.mark.slow
def test_a_stranger_is_sent_to_sign_in_and_staff_without_rights_are_refused(filled):
    member, clerk = Client(), Client()
    member.force_login(UserFactory())
    clerk.force_login(UserFactory(is_staff=True))
    for address in addresses(filled)[1:]:
        assert Client().get(address).status_code == 302, address
        assert member.get(address).status_code == 302, address
        assert clerk.get(address).status_code == 403, address


@pytest.mark.slow
def test_staff_who_read_nothing_find_nothing(signed, filled):
    client = signed(UserFactory())
    for model, row in filled.items():
        name = f"admin:corpus_{model._meta.model_name}"
        answer = client.get(reverse(f"{name}_changelist"))
        assert list(answer.context_data["cl"].result_list) == [], model
        assert client.get(reverse(f"{name}_change", args=[row.pk])).status_code == 302, model
    page = client.get(reverse("admin:index")).content.decode()
    assert "broken.pdf" not in page
    assert filled[Document].corpus.name not in page
    assert (
        filled[Document].corpus.name
        not in client.get(reverse("admin:corpus_sources")).content.decode()
    )


@pytest.mark.slow
def test_the_team_s_curator_finds_all_of_it(signed, filled):
    curator = UserFactory()
    filled[Document].corpus.team.memberships.create(user=curator, role="curator")
    client = signed(curator)
    for address in addresses(filled):
        assert client.get(address).status_code == 200, address


@pytest.mark.slow
def test_the_search_of_every_list_answers(desk, filled):
    for model, page in admin.site._registry.items():
        if page.search_fields and model._meta.app_label == "corpus":
            url = reverse(f"admin:corpus_{model._meta.model_name}_changelist")
            assert desk.get(url, {"q": "MET 10.1000/a 'x' &|!"}).status_code == 200, model


def test_a_closed_account_has_no_way_in(desk, boss, client):
    person = UserFactory()
    _, secret = tokens.create(person, ["read"])
    client.force_login(person)

    assert people.deactivate(person, by=boss) == 1

    assert tokens.recognise(secret) is None
    assert client.get("/library/").status_code == 302
    url = reverse("admin:accounts_user_changelist")
    mine = {"action": "deactivate", "_selected_action": [boss.pk]}
    assert "close your own account" in desk.post(url, mine, follow=True).content.decode()
    boss.refresh_from_db()
    assert boss.is_active


def test_a_person_with_tokens_can_be_deleted(desk):
    person = UserFactory()
    tokens.create(person, ["read"])
    url = reverse("admin:accounts_user_delete", args=[person.pk])

    assert "Yes" in desk.get(url).content.decode()
    assert desk.post(url, {"post": "yes"}).status_code == 302
    assert not type(person).objects.filter(pk=person.pk).exists()


def test_the_admin_s_own_page_for_passwords_leads_to_the_audited_one(desk):
    answer = desk.get("/admin/password_change/")

    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("accounts:account"))


def test_what_only_site_admins_see_is_refused_to_others(signed):
    team = TeamFactory()
    ChunkFactory(document__corpus__team=team)
    client = signed(UserFactory())

    assert client.get(reverse("admin_parts")).status_code == 403
    assert client.post(reverse("admin:corpus_work_listed"), {"pmids": "1"}).status_code == 403
    assert "spent on models" not in client.get(reverse("admin:index")).content.decode()
