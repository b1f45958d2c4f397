"""Who may delete, and the doors for it: command, API and page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from accounts.services import tokens
from accounts.types import Role
from corpus.models import (
    Corpus,
    Deletion,
    Document,
)
from corpus.services import deletion
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound
from retrieval.lexical.follower import LexicalFollower
from tests.db.retrieval.library import index
from tests.factories import (
    CorpusFactory,
    DocumentFactory,
    MembershipFactory,
    UserFactory,
)
from tests.support.ingesting import curator_of, ingest

pytestmark = pytest.mark.django_db

STAT3 = {"id": "a", "title": "STAT3", "text": "STAT3 drives SOCS3 in liver cells."}
JAK1 = {"id": "b", "title": "JAK1", "text": "JAK1 binds gp130 and phosphorylates STAT3."}


def of(corpus: Corpus, external_id: str) -> Document:
    return Document.objects.get(corpus=corpus, external_id=external_id)


def test_who_may_delete_what() -> None:
    corpus = CorpusFactory(visibility="team")
    ingest(corpus, STAT3)
    ids = [of(corpus, "a").public_id]
    reader = MembershipFactory(team=corpus.team, role=Role.RESEARCHER.value).user
    curator = MembershipFactory(team=corpus.team, role=Role.CURATOR.value).user

    with pytest.raises(NotFound):
        deletion.request(corpus, ids, by=UserFactory())
    with pytest.raises(NotAllowed):
        deletion.request(corpus, ids, by=reader)
    with pytest.raises(NotAllowed):
        deletion.request(corpus, None, by=curator)
    with pytest.raises(InvalidInput):
        deletion.request(corpus, [], by=curator)
    with pytest.raises(NotFound):
        deletion.request(corpus, [DocumentFactory().public_id], by=curator)
    assert Deletion.objects.count() == 0

    row = deletion.request(corpus, ids, by=curator)
    with pytest.raises(NotFound):
        deletion.request(corpus, ids, by=curator)
    assert list(Deletion.objects.visible_to(curator)) == [row]
    assert list(Deletion.objects.visible_to(reader)) == []


def test_the_command_prints_the_receipt_and_proves_it(capsys) -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3, JAK1)
    index()
    email = curator_of(corpus).email

    result = flux(capsys, "delete", "--corpus", corpus.slug, "--document", "a", "--as", email)
    assert (result["documents"], result["passages"], result["state"]) == (1, 1, "done")
    assert result["left"]["documents"] == 0

    result = flux(capsys, "delete", "--corpus", corpus.slug, "--as", email)
    assert (result["whole_corpus"], result["documents"], result["asked"]) == (True, 1, 1)
    assert not Corpus.objects.filter(pk=corpus.pk).exists()


def flux(capsys, *arguments: str) -> dict[str, Any]:
    """A command's JSON; the word index follows by itself."""
    follower = LexicalFollower(settings.LEXICAL_ROOT)
    follower.rebuild_all()
    row = deletion.work

    def followed(*given: Any, **options: Any) -> bool:
        done = row(*given, **options)
        follower.rebuild_all()
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deletion, "work", followed)
        call_command(*arguments, "--json")
    return dict(json.loads(capsys.readouterr().out))


def test_the_api_deletes_and_gives_the_receipt(client) -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    _, secret = tokens.create(curator_of(corpus), ["read", "ingest"], name="t")
    _, weak = tokens.create(curator_of(corpus), ["read"], name="w")
    url = f"/api/v1/documents/{of(corpus, 'a').public_id}"

    assert client.delete(url, headers={"Authorization": f"Bearer {weak}"}).status_code == 403
    asked = client.delete(url, headers={"Authorization": f"Bearer {secret}"})
    assert (asked.status_code, asked.json()["asked"]) == (202, 1)
    again = client.delete(url, headers={"Authorization": f"Bearer {secret}"})
    assert again.status_code == 404

    deletion.work_off(Deletion.objects.get())
    receipt = client.get(
        f"/api/v1/deletions/{asked.json()['deletion']}",
        headers={"Authorization": f"Bearer {secret}"},
    ).json()
    assert (receipt["state"], receipt["documents"], receipt["passages"]) == ("done", 1, 1)


def test_the_page_says_what_goes_before_it_goes(client) -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    document = of(corpus, "a")
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user
    client.force_login(reader)
    page = f"/documents/{document.public_id}/"
    assert 'id="delete"' not in client.get(page, follow=True).content.decode()
    assert client.get(f"{page}delete/").status_code == 404
    assert client.post(f"{page}delete/").status_code == 404

    client.force_login(curator_of(corpus))
    assert 'id="delete"' in client.get(page, follow=True).content.decode()
    asked = client.get(f"{page}delete/").content.decode()
    assert "1 passage" in asked
    assert "No saved answer cites it" in asked
    answer = client.post(f"{page}delete/", follow=True)
    assert "Being deleted" in answer.content.decode()
    deletion.work_off(Deletion.objects.get())
    assert "1 passage" in client.get(answer.request["PATH_INFO"]).content.decode()
