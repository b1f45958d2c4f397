"""The desk of corpora: its form changes what was changed in it, by the same rules as elsewhere."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from accounts.models import AuditEvent, User
from accounts.types import Role
from corpus import tasks
from corpus.models import Corpus, IngestJob
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import ingest

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def broker(monkeypatch) -> None:
    """No broker is there to hand work out."""
    monkeypatch.setattr(tasks.dispatch, "delay", lambda: None)
    monkeypatch.setattr(tasks.rescope_works, "delay", lambda corpus: None)


def form_of(client: Client, url: str) -> dict[str, str]:
    """What a browser would send back if nothing were touched."""
    page = html.fromstring(client.get(url).content)
    (form,) = [one for one in page.forms if one.get("id", "").endswith("_form")]
    return {name: value or "" for name, value in form.form_values()}


def page(row: Corpus | User) -> str:
    return reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])


def test_what_others_changed_while_the_form_was_open_stays(desk):
    corpus = CorpusFactory(name="Before", chunker="layout", external_models_allowed=True)
    form = form_of(desk, page(corpus))
    Corpus.objects.filter(pk=corpus.pk).update(
        chunker="sliding", external_models_allowed=False, visibility="private", document_count=7
    )

    assert desk.post(page(corpus), form | {"name": "After"}).status_code == 302

    row = Corpus.objects.get(pk=corpus.pk)
    assert (row.name, row.chunker, row.visibility) == ("After", "sliding", "private")
    assert (row.external_models_allowed, row.document_count) == (False, 7)
    (event,) = AuditEvent.objects.filter(action="admin.change")
    assert (event.before, event.after) == ({"name": "Before"}, {"name": "After"})


def test_a_right_taken_from_a_person_meanwhile_is_not_given_back(desk):
    person = UserFactory(is_staff=True, is_superuser=True)
    form = form_of(desk, page(person))
    User.objects.filter(pk=person.pk).update(is_superuser=False, is_active=False)

    desk.post(page(person), form | {"name": "Another name"})

    person.refresh_from_db()
    assert (person.name, person.is_superuser, person.is_active) == ("Another name", False, False)


def test_a_grant_lowered_meanwhile_is_not_raised_again(desk):
    corpus, guest = CorpusFactory(), UserFactory()
    grant = corpus.grants.create(user=guest, role=Role.CURATOR.value)
    form = form_of(desk, page(corpus))
    assert form["grants-0-role"] == "curator"
    corpus.grants.update(role=Role.READER.value)

    assert desk.post(page(corpus), form | {"name": "After"}).status_code == 302
    grant.refresh_from_db()
    assert grant.role == "reader"

    form = form_of(desk, page(corpus)) | {"grants-0-role": "researcher"}
    assert desk.post(page(corpus), form).status_code == 302
    grant.refresh_from_db()
    assert (grant.role, grant.user) == ("researcher", guest)


def test_another_chunker_has_what_is_stored_read_anew(desk, boss):
    corpus = CorpusFactory(chunker="layout")
    ingest(corpus, {"id": "a", "title": "SOCS3 ends a signal", "text": "It does."})
    before = IngestJob.objects.count()

    desk.post(page(corpus), form_of(desk, page(corpus)) | {"chunker": "sliding"})

    assert Corpus.objects.get(pk=corpus.pk).chunker == "sliding"
    assert IngestJob.objects.count() == before + 1
    assert AuditEvent.objects.get(action="corpus.chunker").actor == boss


def test_the_owner_s_form_opens_no_corpus_to_everybody(signed):
    owner = MembershipFactory(role=Role.OWNER.value).user
    corpus = CorpusFactory(team=owner.memberships.exclude(team__personal_of=owner).get().team)
    client = signed(owner)
    form = form_of(client, page(corpus))

    refused = client.post(page(corpus), form | {"visibility": "site", "name": "Ours"})
    narrowed = client.post(page(corpus), form | {"visibility": "private"})

    assert (refused.status_code, narrowed.status_code) == (403, 302)
    assert "ask a site admin to open it" in refused.content.decode()
    assert "Only a site admin" in client.get(page(corpus)).content.decode()
    row = Corpus.objects.get(pk=corpus.pk)
    assert (row.visibility, row.name) == ("private", corpus.name)


def test_an_open_corpus_stays_open_when_its_owner_saves_another_field(signed):
    owner = MembershipFactory(role=Role.OWNER.value).user
    team = owner.memberships.exclude(team__personal_of=owner).get().team
    corpus = CorpusFactory(team=team, visibility="site")
    client = signed(owner)

    client.post(page(corpus), form_of(client, page(corpus)) | {"description": "For all."})

    row = Corpus.objects.get(pk=corpus.pk)
    assert (row.visibility, row.description) == ("site", "For all.")


def test_a_site_admin_opens_one(desk):
    corpus = CorpusFactory()

    desk.post(page(corpus), form_of(desk, page(corpus)) | {"visibility": "site"})

    assert Corpus.objects.get(pk=corpus.pk).visibility == "site"


def test_a_corpus_that_is_to_be_deleted_is_not_changed(desk):
    corpus = CorpusFactory(deleting=True)

    assert desk.post(page(corpus), {"name": "Another"}).status_code == 403
    assert Corpus.objects.get(pk=corpus.pk).name == corpus.name
