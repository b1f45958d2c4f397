"""Saved answers keep their quotes when what they quote is deleted, and say so."""

from __future__ import annotations

import json
import threading

import pytest
from django.db import connection

from accounts.models import Membership, Team
from agent import events
from agent.models import Answer, Citation, Claim, RunShare
from agent.services import answers, ask, runs
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


def everything(run) -> str:
    """All that the tables hold of a run, as text."""
    kept = [
        run.events.values_list("payload", flat=True),
        run.answers.values_list("text", "warnings", "reasoning_summary", "used_sources"),
        Citation.objects.filter(answer__run=run).values_list("quote", "title", "external_id"),
        Claim.objects.filter(answer__run=run).values_list("text", flat=True),
    ]
    return json.dumps([list(rows) for rows in kept], default=str)


def dropping(corpus: Corpus) -> None:
    Team.objects.filter(pk=corpus.team_id).update(drops_quotes=True)


def test_a_team_may_have_the_quotes_go_with_their_document(reader, corpus):
    run = answered(reader)
    other = answered(reader, "When does the museum open on Sundays?")
    document = Citation.objects.filter(answer__run=run).order_by("key").first().document
    before = runs.result_for(other, reader)["final"]
    assert document.title in everything(run)
    dropping(corpus)

    row = removed(corpus, [document.public_id])

    left = everything(run)
    assert document.title not in left
    assert str(document.public_id) not in left
    assert row.counts["quotes_dropped"] >= 1
    final = runs.result_for(run, reader)["final"]
    assert final["warnings"] == [events.DROPPED]
    shown = {one["chunk_id"] for one in final["citations"]}
    kept = Citation.objects.filter(answer__run=run)
    assert {str(one.chunk_public_id) for one in kept} == shown
    assert [event.seq for event in run.events.all()] == sorted(
        {event.seq for event in run.events.all()}
    )
    assert runs.result_for(other, reader)["final"] == before
    assert document.title not in everything(other), "it was found there and not cited"
    assert receipts.receipt(row, reader)["answers"], "the answer is still listed"


def test_nothing_is_taken_out_where_only_another_team_drops_quotes(reader, corpus):
    run = answered(reader)
    before = everything(run)
    Team.objects.exclude(pk=corpus.team_id).update(drops_quotes=True)

    row = removed(corpus, [cited().public_id])

    assert everything(run) == before
    assert receipts.receipt(row, reader)["quotes_dropped"] == 0


def test_with_the_corpus_go_all_its_quotes_where_the_team_drops_them(reader, corpus):
    run = answered(reader)
    titles = list(Document.objects.values_list("title", flat=True))
    dropping(corpus)

    row = deletion.request(corpus, None, by=curator_of(corpus))
    assert runs.result_for(run, reader)["final"]["citations"] == [], "at once"
    deletion.work_off(row)

    left = everything(run)
    assert [title for title in titles if title in left] == []
    assert not Citation.objects.exists()


def test_a_quote_of_a_document_deleted_while_the_answer_is_written_goes_too(
    reader, corpus, monkeypatch
):
    keep = ask._Asking._keep
    dropping(corpus)
    titles = list(Document.objects.values_list("title", flat=True))

    def too_late(self, found, outcome):
        removed(corpus, list(Document.objects.values_list("public_id", flat=True)))
        keep(self, found, outcome)

    monkeypatch.setattr(ask._Asking, "_keep", too_late)
    run = answered(reader)

    assert run.status == "done"
    assert [title for title in titles if title in everything(run)] == []


@pytest.mark.django_db(transaction=True)
def test_a_deletion_that_is_asked_for_while_an_answer_is_kept_waits_and_finds_it(
    reader, corpus, monkeypatch
):
    dropping(corpus)
    owner = curator_of(corpus)
    titles = list(Document.objects.values_list("title", flat=True))
    ids = list(Document.objects.values_list("public_id", flat=True))
    store, threads = answers.store, []

    def delete() -> None:
        try:
            deletion.work_off(deletion.request(corpus, ids, by=owner))
        finally:
            connection.close()

    def stored(*given):
        threads.append(threading.Thread(target=delete))
        threads[0].start()
        threads[0].join(1)
        assert threads[0].is_alive(), "it waits for the documents"
        return store(*given)

    monkeypatch.setattr(answers, "store", stored)
    run = answered(reader)
    threads[0].join(30)

    assert run.status == "done"
    assert not Document.objects.exists()
    assert [title for title in titles if title in everything(run)] == []


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
