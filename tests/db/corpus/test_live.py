"""Jobs that ask a live source: resumable behind every page, waiting when told to."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from corpus.models import Document, IngestJob, JobFetch
from corpus.services import control, fetching, jobs, live, progress
from corpus.sources.fetching import Request
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of
from tests.support.replay import ReplayServer, Reply
from tests.support.upstreams import Entrez

pytestmark = [pytest.mark.django_db, pytest.mark.enable_socket]


@pytest.fixture
def ncbi(settings):
    """A loopback server in place of PubMed's."""
    with ReplayServer(Entrez(dict.fromkeys(range(1, 8), date(2020, 1, 1)))) as server:
        settings.HTTP_ALLOW_LOOPBACK = True
        settings.SOURCE_URLS = dict.fromkeys(fetching.LIVE, server.url)
        settings.REDIS_URL = ""
        fetching._quota.cache_clear()
        yield server


def asked(**request) -> IngestJob:
    """A job for PubMed."""
    corpus = CorpusFactory()
    return live.accept(corpus, "pubmed", Request(**request), by=curator_of(corpus))


def test_what_a_source_gives_becomes_documents(ncbi):
    job = asked(query="stat3")

    result = progress.summary(jobs.work_off(job))

    assert (result["state"], result["done"]) == ("done", 7)
    assert result["fetch"]["state"] == "fetched"
    assert Document.objects.count() == 7


@pytest.mark.slow
def test_a_source_that_is_away_is_asked_again_later(ncbi):
    job = asked(ids=("1",))
    ncbi.then(*[Reply(b"", status=503)] * 10)
    for work in jobs.lease():
        jobs.perform(work)
    fetch = JobFetch.objects.get(job=job)
    assert fetch.state == "queued"
    assert fetch.not_before > timezone.now()
    assert "asked again" in progress.summary(IngestJob.objects.get(pk=job.pk))["waiting"]
    assert jobs.lease() == []

    ncbi._queue.clear()
    JobFetch.objects.update(not_before=timezone.now() - timedelta(seconds=1))

    assert progress.summary(jobs.work_off(job))["done"] == 1


def test_a_refusal_ends_the_job_with_its_reason_and_can_be_retried(ncbi):
    job = asked(ids=("1",))
    ncbi.then(Reply(b"no", status=400))
    result = progress.summary(jobs.work_off(job))
    assert result["state"] == "failed"
    assert result["fetch"]["reason"]

    control.act(job, "retry", by=job.user)

    assert progress.summary(jobs.work_off(job))["done"] == 1


def test_a_cancelled_fetch_asks_for_nothing_more(ncbi):
    job = asked(query="stat3")
    (work,) = jobs.lease()
    control.act(job, "cancel", by=job.user)
    before = len(ncbi.paths)

    with pytest.raises(jobs.leases.LeaseLost):
        jobs.perform(work)

    assert len(ncbi.paths) == before
    assert not Document.objects.exists()
