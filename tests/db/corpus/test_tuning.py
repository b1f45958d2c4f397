"""How a corpus is read is set on its page and by the API, and jobs see to what is stored."""

from __future__ import annotations

import pytest

from accounts.models import AuditEvent
from accounts.types import Role
from corpus import tasks
from corpus.models import Corpus, Document, IngestJob
from corpus.services import jobs, tuning
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound
from tests.db.corpus.test_propositions import SOCS3, STATEMENTS, told
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of, ingest
from tests.support.statements import cut_everywhere

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    made = CorpusFactory(visibility="team")
    ingest(made, SOCS3)
    return made


@pytest.fixture(autouse=True)
def broker(monkeypatch) -> None:
    """No broker is there to hand work out."""
    monkeypatch.setattr(tasks.dispatch, "delay", lambda: None)


def work_off() -> int:
    """Do what is open; how many jobs it was."""
    rows = list(IngestJob.objects.filter(state="queued"))
    for job in rows:
        jobs.work_off(job)
    return len(rows)


def settings_of(corpus: Corpus) -> tuple[str, bool]:
    row = Corpus.objects.get(pk=corpus.pk)
    return row.chunker, row.propositions


def test_both_are_set_and_done(corpus):
    made = tuning.tune(corpus, chunker="sliding", statements=True, by=curator_of(corpus))

    assert (len(made), work_off()) == (2, 2)
    assert settings_of(corpus) == (corpus.chunker, corpus.propositions) == ("sliding", True)
    assert Document.objects.get().pipeline.endswith("-sliding")
    assert told(corpus) == STATEMENTS
    events = AuditEvent.objects.filter(action__in=["corpus.chunker", "corpus.propositions"])
    assert {event.action: (event.before, event.after) for event in events} == {
        "corpus.chunker": ({"chunker": "layout"}, {"chunker": "sliding"}),
        "corpus.propositions": ({"propositions": False}, {"propositions": True}),
    }


def test_what_is_as_it_was_makes_no_job(corpus):
    assert tuning.tune(corpus, chunker="layout", statements=False, by=curator_of(corpus)) == []
    assert tuning.tune(corpus, by=curator_of(corpus)) == []


def test_only_curators_say_how(corpus):
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user
    with pytest.raises(NotAllowed):
        tuning.tune(corpus, chunker="layout", by=reader)
    with pytest.raises(NotFound):
        tuning.tune(corpus, statements=True, by=UserFactory())
    with pytest.raises(InvalidInput):
        tuning.tune(corpus, chunker="magic", statements=True, by=curator_of(corpus))
    assert settings_of(corpus) == ("layout", False)


@pytest.mark.django_db(transaction=True)
def test_a_death_anywhere_leaves_all_or_nothing(corpus):
    owner = curator_of(corpus)

    def whole() -> None:
        made = IngestJob.objects.filter(state="queued").count()
        assert (settings_of(corpus), made) in {(("layout", False), 0), (("sliding", True), 2)}

    def act() -> None:
        row = Corpus.objects.get(pk=corpus.pk)
        tuning.tune(row, chunker="sliding", statements=True, by=owner)

    deaths = cut_everywhere(act, whole)

    assert deaths > 10
    assert settings_of(corpus) == ("sliding", True)


def test_the_page_sets_them_for_those_who_may_fill_the_corpus(corpus, client):
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user
    url = f"/library/{corpus.slug}/"
    client.force_login(reader)
    assert "How documents are read" not in client.get(url).content.decode()
    assert client.post(f"{url}reading/", {"statements": "1"}).status_code == 404

    client.force_login(curator_of(corpus))
    assert "How documents are read" in client.get(url).content.decode()
    client.post(f"{url}reading/", {"chunker": "semantic", "statements": "1"})
    assert settings_of(corpus) == ("semantic", True)
    client.post(f"{url}reading/", {"chunker": "semantic"})
    assert settings_of(corpus) == ("semantic", False)


def test_the_api_changes_what_is_named_and_nothing_else(corpus, client):
    client.force_login(curator_of(corpus))
    url = f"/api/v1/corpora/{corpus.public_id}"

    def patch(**values: object) -> dict:
        return client.patch(url, values, content_type="application/json").json()

    assert (patch(propositions=True)["chunker"], settings_of(corpus)[1]) == ("layout", True)
    assert patch(chunker="sliding")["propositions"] is True
    assert settings_of(corpus) == ("sliding", True)
    assert patch(chunker="magic")["code"] == "invalid_input"
    client.force_login(MembershipFactory(team=corpus.team, role=Role.READER.value).user)
    assert patch(propositions=False)["status"] == 403
    client.force_login(UserFactory())
    assert patch(propositions=False)["status"] == 404
    assert settings_of(corpus) == ("sliding", True)
