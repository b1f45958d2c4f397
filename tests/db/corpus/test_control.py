"""A job can be paused, resumed, cancelled and tried again by those who may fill its corpus."""

from __future__ import annotations

import pytest

from corpus.models import Document, IngestJob, JobFile
from corpus.services import control, jobs, uploads
from flux_site.kernel.errors import Conflict, InvalidInput, NotFound
from tests.factories import CorpusFactory, UserFactory
from tests.support.ingesting import curator_of, ingest, lines

pytestmark = pytest.mark.django_db

GOOD = {"id": "a", "title": "A", "text": "STAT3 drives SOCS3."}


def queued(corpus) -> IngestJob:
    return uploads.accept(corpus, "jsonl", [("a.jsonl", lines([GOOD]))], by=curator_of(corpus))


def test_a_paused_job_gets_no_worker_until_it_is_resumed() -> None:
    corpus = CorpusFactory()
    job = queued(corpus)

    control.act(job, "pause", by=curator_of(corpus))
    assert jobs.lease() == []

    control.act(job, "resume", by=curator_of(corpus))
    jobs.work_off(job)
    assert job.state == "done"
    assert Document.objects.filter(corpus=corpus).count() == 1


def test_a_cancelled_job_stops_for_good_and_its_worker_may_not_write() -> None:
    corpus = CorpusFactory()
    job = queued(corpus)
    (work,) = jobs.lease()

    control.act(job, "cancel", by=curator_of(corpus))

    job.refresh_from_db()
    assert job.state == "stopped"
    assert JobFile.objects.get(job=job).token == work.token + 1
    assert jobs.lease() == []


def test_retry_reads_what_failed_again_and_leaves_the_rest() -> None:
    corpus = CorpusFactory()
    job = ingest(corpus, GOOD, {"id": "b"})
    assert sorted(job.items.values_list("state", flat=True)) == ["done", "failed"]

    control.act(job, "retry", by=curator_of(corpus))
    jobs.work_off(job)

    assert job.items.count() == 2
    assert job.items.get(state="failed").position == 1
    assert Document.objects.filter(corpus=corpus).count() == 1


def test_what_the_state_does_not_allow_is_refused() -> None:
    corpus = CorpusFactory()
    job = ingest(corpus, GOOD)

    with pytest.raises(Conflict, match="cannot be paused"):
        control.act(job, "pause", by=curator_of(corpus))
    with pytest.raises(Conflict, match="has failed"):
        control.act(job, "retry", by=curator_of(corpus))
    with pytest.raises(InvalidInput):
        control.act(job, "explode", by=curator_of(corpus))


def test_for_a_stranger_the_job_does_not_exist() -> None:
    job = queued(CorpusFactory())

    with pytest.raises(NotFound):
        control.act(job, "cancel", by=UserFactory())
