"""Passages are also found by their statements, in corpora that want it; a statement is no hit."""

from __future__ import annotations

import threading
import time

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts.types import Role
from corpus.models import Change, Chunk, ChunkVector, Corpus, IngestJob, JobItem
from corpus.services import control, deletion, jobs, progress, propositions, stages, uploads
from flux_site.kernel.errors import NotAllowed, NotFound
from flux_site.management.doctor import orphans
from retrieval.services.search import search
from retrieval.types import Filters
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of, ingest, lines

pytestmark = pytest.mark.django_db

SOCS3 = {
    "id": "a",
    "title": "A negative regulator",
    "text": "SOCS3 is an inhibitor of cytokine signals. It binds JAK2 in 3 of 5 cell lines. "
    "Mice without the gene died before birth.",
}
STATEMENTS = [
    "SOCS3 is an inhibitor of cytokine signals.",
    "SOCS3 binds JAK2 in 3 of 5 cell lines.",
    "Mice without the gene died before birth.",
]


def switch(corpus: Corpus, on: bool = True) -> IngestJob:
    """The job that sees to it, worked off."""
    return jobs.work_off(propositions.switch(corpus, on, by=curator_of(corpus)))


def told(corpus: Corpus) -> list[str]:
    """Statements in order."""
    rows = Chunk.objects.filter(corpus=corpus).exclude(parent=None).order_by("chunk_index")
    return list(rows.values_list("text", flat=True))


def rows(corpus: Corpus) -> list[tuple]:
    """Everything by which passages and statements could differ."""
    found = Chunk.objects.filter(corpus=corpus).order_by("pk")
    return list(found.values_list("pk", "public_id", "parent", "chunk_index", "text", "fields"))


def encoded(job: IngestJob) -> int:
    """Texts that a job sent to the encoder."""
    return progress.summary(job)["encoded"]


def test_a_corpus_splits_nothing_unless_it_is_told_to():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)

    assert told(corpus) == []


def test_what_comes_later_is_split_too_and_each_statement_has_its_vector():
    corpus = CorpusFactory()
    switch(corpus)

    job = ingest(corpus, SOCS3)

    passage = Chunk.objects.get(parent=None)
    assert told(corpus) == STATEMENTS
    assert encoded(job) == 4
    assert set(ChunkVector.objects.values_list("passage", flat=True)) == {None, passage.pk}
    statement = Chunk.objects.get(chunk_index=1, content_type="proposition")
    start, end = statement.fields["start"], statement.fields["end"]
    assert passage.text[start:end] == "It binds JAK2 in 3 of 5 cell lines."


def test_turning_it_on_and_off_is_a_job_over_what_is_there():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    before = rows(corpus)

    on = switch(corpus)
    corpus.refresh_from_db()
    assert (on.state, encoded(on), told(corpus), corpus.chunk_count) == ("done", 3, STATEMENTS, 4)

    off = switch(corpus, on=False)
    corpus.refresh_from_db()
    assert (off.state, encoded(off), corpus.chunk_count) == ("done", 0, 1)
    assert rows(corpus) == before
    assert ChunkVector.objects.count() == 1


def test_a_second_time_writes_and_encodes_nothing():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    switch(corpus)
    before, changes = rows(corpus), Change.objects.count()

    job = switch(corpus)
    again = ingest(corpus, SOCS3)

    assert (encoded(job), encoded(again)) == (0, 0)
    assert rows(corpus) == before
    assert Change.objects.count() == changes


def test_a_passage_that_stays_keeps_its_statements():
    corpus = CorpusFactory()
    switch(corpus)
    ingest(corpus, SOCS3)
    before = {row[1] for row in rows(corpus)}

    job = ingest(corpus, SOCS3 | {"tags": ["new"]})
    assert ({row[1] for row in rows(corpus)}, encoded(job)) == (before, 0)

    other = "TNF is a cytokine. It is made by macrophages."
    ingest(corpus, SOCS3 | {"text": other})
    assert told(corpus) == ["TNF is a cytokine.", "TNF is made by macrophages."]
    assert {row.parent.text for row in Chunk.objects.exclude(parent=None)} == {other}
    corpus.refresh_from_db()
    assert corpus.chunk_count == 3


def test_a_hit_is_the_passage_and_it_is_there_once():
    corpus = CorpusFactory()
    switch(corpus)
    ingest(corpus, SOCS3, SOCS3 | {"id": "b", "title": "Hen", "text": "Hens lay eggs. They fly."})
    reader = curator_of(corpus)

    found = search(STATEMENTS[1], reader=reader, corpora=[corpus.public_id], legs=("dense",)).hits

    assert [hit.text for hit in found] == [SOCS3["text"], "Hens lay eggs. They fly."]
    assert {hit.content_type for hit in found} == {"text"}
    plain = CorpusFactory(team=corpus.team)
    ingest(plain, SOCS3)
    (whole,) = search(STATEMENTS[1], reader=reader, corpora=[plain.public_id], legs=("dense",)).hits
    assert found[0].scores.dense > whole.scores.dense


def test_a_filter_of_passages_holds_for_their_statements():
    corpus = CorpusFactory()
    switch(corpus)
    ingest(corpus, SOCS3)
    document = Chunk.objects.filter(parent=None).get().document

    def found(**filters) -> int:
        return len(
            search(
                STATEMENTS[1],
                reader=curator_of(corpus),
                corpora=[corpus.public_id],
                filters=Filters(**filters),
                legs=("dense",),
            ).hits
        )

    assert found(content_types=("text",)) == 1
    assert found(documents=(document.public_id,)) == 1
    assert found(content_types=("table",)) == 0


def test_they_go_with_their_document_and_leave_nothing():
    corpus = CorpusFactory()
    switch(corpus)
    ingest(corpus, SOCS3)
    document = Chunk.objects.filter(parent=None).get().document
    curator = curator_of(corpus)

    receipt = deletion.work_off(deletion.request(corpus, [document.public_id], by=curator))

    counts = {kind: receipt.counts.get(kind) for kind in ("passages", "propositions", "vectors")}
    assert counts == {"passages": 1, "propositions": 3, "vectors": 4}
    assert not Chunk.objects.exists()
    corpus.refresh_from_db()
    assert corpus.chunk_count == 0


def test_the_doctor_finds_no_orphans_and_counts_what_was_put_wrong():
    corpus = CorpusFactory()
    switch(corpus)
    ingest(corpus, SOCS3)
    assert not any(orphans.places().values())
    assert not any(orphans.counts().values())

    ChunkVector.objects.exclude(passage=None).update(passage=0)
    assert orphans.places()["vectors_of_another_passage"] == 3


def test_the_database_refuses_a_statement_without_its_passage():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    passage = Chunk.objects.get()

    for wrong in ({"content_type": "proposition"}, {"parent": passage}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Chunk.objects.filter(pk=passage.pk).update(**wrong)


def test_it_is_a_stage_of_its_own_before_the_vectors(monkeypatch):
    monkeypatch.setattr(jobs, "SLICE_SECONDS", 0.0)  # each stage a task of its own
    corpus = CorpusFactory()
    switch(corpus)
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([SOCS3]))], by=curator_of(corpus))
    seen = []
    while not jobs.settled(job):
        for work in jobs.lease():
            seen.append(getattr(work, "stage", "read"))
            jobs.perform(work)

    assert list(dict.fromkeys(seen)) == ["read", "link", "propositions", "embed"]
    assert stages.after("propositions") == "embed"


def test_a_failed_document_of_such_a_job_is_done_again():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    job = switch(corpus)
    Chunk.objects.exclude(parent=None).delete()
    JobItem.objects.filter(job=job).update(state="failed", code="poison")

    control.act(job, "retry", by=curator_of(corpus))
    jobs.work_off(job)

    assert told(corpus) == STATEMENTS
    assert not job.items.exclude(state="done").exists()


@pytest.mark.django_db(transaction=True)
def test_a_document_replaced_meanwhile_is_left_to_its_own_job():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    Corpus.objects.update(propositions=True)
    passage = Chunk.objects.get()

    def remake():
        propositions.remake([passage.document_id], lambda: False)
        connection.close()

    with transaction.atomic():
        Corpus.objects.select_for_update().get()
        worker = threading.Thread(target=remake)
        worker.start()
        while not someone_waits():
            time.sleep(0.02)
        Chunk.objects.update(text="Another text.", text_sha256=bytes(32))
    worker.join(30)

    assert told(corpus) == []


def someone_waits() -> bool:
    """Whether another connection waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT exists(SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def test_only_those_who_may_fill_a_corpus_say_how_it_is_read():
    corpus = CorpusFactory(visibility="team")
    reader = MembershipFactory(team=corpus.team, role=Role.READER.value).user

    with pytest.raises(NotAllowed):
        propositions.switch(corpus, True, by=reader)
    with pytest.raises(NotFound):
        propositions.switch(corpus, True, by=UserFactory())


def test_the_command_makes_the_job(capsys):
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    name, mail = str(corpus.public_id), curator.email

    call_command("propositions", "on", "--corpus", name, "--as", mail, "--json", "--no-wait")

    job = IngestJob.objects.get()
    assert str(job.public_id) in capsys.readouterr().out
    corpus.refresh_from_db()
    assert corpus.propositions
