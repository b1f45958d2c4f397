"""Saved answers keep their quotes when what they quote is deleted, and say so."""

from __future__ import annotations

import pytest

from accounts.models import Membership
from agent.models import Answer, Citation, Claim, RunShare
from agent.services import ask, runs
from agent.web import evidence
from agent.web.evidence import Quoted
from corpus.models import Corpus, Document
from corpus.services import deletion, receipts
from tests.db.retrieval.library import index
from tests.factories import UserFactory
from tests.support.asking import answered, library
from tests.support.ingesting import curator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def corpus(reader) -> Corpus:
    made = library(reader)
    index()
    return made


def removed(corpus, documents):
    row = deletion.request(corpus, documents, by=curator_of(corpus))
    return deletion.work_off(row)


def cited() -> Document:
    return Citation.objects.order_by("key").first().document


def test_the_receipt_counts_the_answers_that_cite_a_document_once(reader, corpus):
    run = answered(reader)
    document = cited()
    assert (
        receipts.consequences(document.corpus, Document.objects.filter(pk=document.pk))[
            "answers_marked"
        ]
        == 1
    )

    row = removed(corpus, [document.public_id])

    assert row.counts["answers_marked"] == Answer.objects.count() == 1
    (listed,) = receipts.receipt(row, reader)["answers"]
    assert listed == {
        "id": str(run.public_id), "title": run.question, "url": f"/runs/{run.public_id}/"
    }  # fmt: skip
    assert receipts.receipt(row, row.user)["answers"] == [], "the curator may not see the run"
    final = runs.result_for(run, reader)["final"]
    assert final["citations"][0]["quote"]
    kept = Citation.objects.visible_to(reader).filter(chunk=None)
    assert kept.exists()
    quoted = Quoted(1, kept[0].chunk_public_id, kept[0].quote)
    (item,) = evidence.items([quoted], reader, open_first=False)
    assert item["kind_label"] == "No longer stored"


def test_quotes_of_a_deleted_corpus_are_the_askers_only(reader, corpus):
    run = answered(reader)
    colleague = UserFactory()
    Membership.objects.create(team=corpus.team, user=colleague, role="reader")
    RunShare.objects.create(run=run, user=colleague)
    before = runs.result_for(run, reader)["final"]
    assert runs.result_for(run, colleague)["final"] == before

    row = deletion.request(corpus, None, by=curator_of(corpus))
    assert runs.result_for(run, reader)["final"] == before, "also while it is being deleted"
    deletion.work_off(row)

    assert row.counts["answers_marked"] == 1
    assert runs.result_for(run, reader)["final"] == before
    assert Citation.objects.visible_to(reader).count() == len(before["citations"])
    assert Claim.objects.visible_to(reader).count() == len(before["claims"])
    seen = runs.result_for(run, colleague)["final"]
    assert seen["citations"] == []
    assert seen["claims"] == []
    assert Citation.objects.visible_to(colleague).count() == 0


def test_who_lost_a_corpus_before_it_was_deleted_does_not_get_it_back(reader, corpus):
    run = answered(reader)
    Membership.objects.filter(team=corpus.team, user=reader).delete()

    removed(corpus, None)

    assert runs.result_for(run, reader)["final"]["citations"] == []
    assert Citation.objects.visible_to(reader).count() == 0
    assert set(Citation.objects.values_list("quote", "title")) == {("", "")}


def test_a_document_deleted_while_the_answer_is_written_leaves_the_quote(
    reader, corpus, monkeypatch
):
    keep = ask._Asking._keep

    def too_late(self, found, outcome):
        removed(corpus, list(Document.objects.values_list("public_id", flat=True)))
        keep(self, found, outcome)

    monkeypatch.setattr(ask._Asking, "_keep", too_late)
    run = answered(reader)

    assert run.status == "done"
    assert set(Citation.objects.values_list("document", "chunk")) == {(None, None)}
    assert runs.result_for(run, reader)["final"]["citations"]
