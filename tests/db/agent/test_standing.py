"""An answer's sources as they stand when it is read again."""

from __future__ import annotations

import pytest
from django.test import Client

from agent.models import Citation, Run, RunShare
from agent.services import runs
from corpus.services import works
from tests.db.retrieval.library import embed
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.asking import answered, library
from tests.support.papers import paper, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def starter():
    return UserFactory()


@pytest.fixture
def run(starter) -> Run:
    library(starter, slug="open")
    embed()
    return answered(starter)


def cited(run: Run):
    """The document of the answer's first citation."""
    return Citation.objects.filter(answer__run=run).order_by("key").first().document


def mark(document, predicate: str) -> None:
    """The same record, now with a notice about it."""
    record = paper(
        document.external_id,
        pmid="11",
        source=document.source,
        title=document.title,
        said=((predicate, "pmid:99"),),
    )
    scope = works.scope_of(document.corpus)
    works.settle(scope, works.describe(document, record, scope))


def test_an_answer_whose_sources_stand_says_nothing_of_it(run, starter):
    result = runs.result_for(run, starter)

    assert result["final"]["citations"]
    assert result["standing"] == []
    assert not any("retracted" in text for text in result["final"]["warnings"])


def test_a_source_that_is_retracted_later_is_told_with_the_answer(run, starter):
    mark(cited(run), "retracted_by")

    result = runs.result_for(run, starter)

    documents = {str(c.chunk_public_id): c.document for c in Citation.objects.all()}
    numbers = [
        c["id"] for c in result["final"]["citations"] if documents[c["chunk_id"]] == cited(run)
    ]
    told = {"retracted": True, "concern": False, "corrected": False, "since_answer": True}
    assert result["standing"] == [{"citation": number} | told for number in numbers]
    assert any("retracted since this answer" in text for text in result["final"]["warnings"])

    client = Client()
    client.force_login(starter)
    shown = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "has been retracted since this answer was made" in shown
    assert "</svg>Retracted</span>" in shown


def test_concern_is_a_warning_and_a_correction_a_mark(run, starter):
    document = cited(run)
    mark(document, "concern_by")
    assert any("concern" in w for w in runs.result_for(run, starter)["final"]["warnings"])

    mark(document, "corrected_by")

    result = runs.result_for(run, starter)
    assert result["standing"][0]["corrected"]
    assert not any("Source 1" in text for text in result["final"]["warnings"])


def test_a_viewer_without_the_corpus_is_told_nothing(run):
    viewer = UserFactory()
    RunShare.objects.create(run=run, user=viewer)
    before = runs.result_for(run, viewer)

    mark(cited(run), "retracted_by")

    assert runs.result_for(run, viewer) == before
    MembershipFactory(team=cited(run).corpus.team, user=viewer)
    assert runs.result_for(run, viewer)["standing"]


def test_a_hidden_corpus_cannot_put_a_warning_on_an_answer(run, starter):
    document = cited(run)
    mark(document, "comments_on")
    before = runs.result_for(run, starter)

    put(CorpusFactory(visibility="private"), paper("n", pmid="99", said=(("retracts", "pmid:11"),)))

    assert runs.result_for(run, starter) == before
