"""Messages may come twice, late or never: what they ask for is done once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
import time_machine
from celery.signals import before_task_publish
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from corpus.models import Corpus, Deletion, Document, IngestJob, JobFetch, JobFile
from corpus.services import deletion, jobs, leases, live, progress, uploads
from corpus.sources.fetching import Request
from flux_site.celery import app
from flux_site.settings import base
from tests.db.corpus.test_jobs import SOCS3, TNF, digest
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, ingest, lines

TWO_MINUTES = timedelta(seconds=120)


def queued(corpus: Corpus) -> IngestJob:
    files = [("a.jsonl", lines([SOCS3, TNF]))]
    return uploads.accept(corpus, "jsonl", files, by=curator_of(corpus))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slice_s", "begun"),
    [(10.0, {"read", "link"}), (0.0, {"read", "link", "propositions", "embed"})],
)
def test_any_task_of_an_ingestion_that_comes_twice_changes_nothing(
    slice_s: float, begun: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of short slices each stage is a task of its own."""
    monkeypatch.setattr(jobs, "SLICE_SECONDS", slice_s)
    job = queued(CorpusFactory())
    seen = set()
    while leased := jobs.lease():
        for work in leased:
            jobs.perform(work)
            once, told = digest(), progress.summary(job)
            with suppress(leases.LeaseLost):
                jobs.perform(work)
            assert (digest(), progress.summary(job) | {"seconds": 0}) == (
                once,
                told | {"seconds": 0},
            )
            seen.add(getattr(work, "stage", "read"))

    assert seen == begun
    assert jobs.settled(job)
    assert Document.objects.count() == 2


@pytest.mark.django_db
def test_a_deletion_that_comes_twice_counts_once() -> None:
    corpus = CorpusFactory()
    ingest(corpus, SOCS3, TNF)
    row = deletion.request(corpus, None, by=curator_of(corpus))
    while taken := deletion.lease():
        for erase in taken:
            for _ in range(2):
                with suppress(leases.LeaseLost):
                    deletion.work(erase)

    row.refresh_from_db()
    assert (row.state, row.counts["documents"], row.counts["passages"]) == ("done", 2, 2)


def _file() -> None:
    queued(CorpusFactory())


def _items() -> None:
    queued(CorpusFactory())
    (work,) = jobs.lease()
    jobs.perform(work)


def _fetch() -> None:
    corpus = CorpusFactory()
    live.accept(corpus, "pubmed", Request(ids=("1",)), by=curator_of(corpus))


@pytest.mark.django_db
@pytest.mark.parametrize("make", [_file, _items, _fetch])
def test_what_a_dead_worker_held_is_handed_out_again_within_two_minutes(
    make: Callable[[], None], settings: Any
) -> None:
    """With the lease and the beat of an installation, whatever the document waits for."""
    settings.LEASE_SECONDS = base.LEASE_SECONDS
    make()
    held = jobs.lease()
    assert held
    assert jobs.lease() == [], "nobody else gets it meanwhile"

    beat = timedelta(seconds=app.conf.beat_schedule["dispatch"]["schedule"])
    with time_machine.travel(timezone.now() + TWO_MINUTES - beat, tick=False):
        again = jobs.lease()

    assert len(again) == len(held)
    assert type(again[0]) is type(held[0])
    assert again != held, "by a new token, so that the dead one, should it wake, writes nothing"


@pytest.mark.django_db
def test_a_deletion_whose_worker_died_is_handed_out_again_within_two_minutes(settings: Any) -> None:
    settings.LEASE_SECONDS = base.LEASE_SECONDS
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    deletion.request(corpus, None, by=curator_of(corpus))
    (held,) = deletion.lease()
    assert deletion.lease() == []

    with time_machine.travel(timezone.now() + TWO_MINUTES, tick=False):
        (again,) = deletion.lease()

    assert (again.deletion, again.token) == (held.deletion, held.token + 1)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_work_that_outlasts_its_lease_runs_once_while_its_worker_lives(settings: Any) -> None:
    """A28: as a job of hours under a broker that asks again after one."""
    settings.LEASE_SECONDS = 1
    queued(CorpusFactory())
    (work,) = jobs.lease()
    assert isinstance(work, jobs.ReadFile)

    with leases.kept(JobFile, [(work.file, work.token)]):
        until = monotonic() + 2.5
        while monotonic() < until:
            assert jobs.lease() == []
            sleep(0.1)


def test_no_task_of_an_ingestion_outlives_the_window_of_the_broker() -> None:
    """A28: slices are short, the longest single record is a PDF, and a task is ended in time."""
    window = base.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert jobs.SLICE_SECONDS < settings.PDF_TIMEOUT_SECONDS < base.CELERY_TASK_TIME_LIMIT < window


@pytest.fixture
def committed() -> Iterator[list[tuple[int, int]]]:
    """Jobs and deletions that another connection sees whenever a message is about to be sent."""
    given = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "dbname": "NAME", "user": "USER"}
    options = {ours: given[theirs] for ours, theirs in names.items()}
    counts: list[tuple[int, int]] = []

    def look(**_: object) -> None:
        sql = (
            "SELECT (SELECT count(*) FROM corpus_ingestjob), (SELECT count(*) FROM corpus_deletion)"
        )
        with psycopg.connect(**options, password=given["PASSWORD"]) as other:
            counts.append(other.execute(sql).fetchone())

    before_task_publish.connect(look, weak=False)
    yield counts
    before_task_publish.disconnect(look)


def _file_of_a_form() -> SimpleUploadedFile:
    return SimpleUploadedFile("a.jsonl", lines([SOCS3]))


DOORS = {
    "ingest/document": lambda slug: {"corpus": slug, "source": "jsonl", "file": _file_of_a_form()},
    "ingest/fetch": lambda slug: {"corpus": slug, "source": "pubmed", "ids": "1"},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", DOORS)
def test_the_api_sends_no_task_before_its_job_is_committed(
    door: str, committed: list[tuple[int, int]]
) -> None:
    corpus = CorpusFactory()
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(curator_of(corpus))

    assert client.post(f"/api/v1/{door}", DOORS[door](corpus.slug)).status_code == 202

    assert committed == [(1, 0)]


@pytest.mark.django_db(transaction=True)
def test_the_api_sends_no_task_before_its_deletion_is_committed(
    committed: list[tuple[int, int]],
) -> None:
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(curator_of(corpus))

    path = f"/api/v1/documents/{Document.objects.get().public_id}"
    assert client.delete(path).status_code == 202

    assert committed == [(1, 1)]
    assert Deletion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("form", ["upload", "fetch"])
def test_a_page_sends_no_task_before_its_job_is_committed(
    form: str, committed: list[tuple[int, int]]
) -> None:
    corpus = CorpusFactory()
    client = Client()
    client.force_login(curator_of(corpus))
    given: dict[str, Any] = {"source": "pubmed", "ids": "1"}
    if form == "upload":
        given = {"files": _file_of_a_form()}

    assert client.post(f"/library/{corpus.slug}/{form}/", given).status_code == 302

    assert committed == [(1, 0)]
    assert JobFetch.objects.count() == (form == "fetch")


@pytest.mark.django_db(transaction=True)
def test_the_command_sends_no_task_before_its_job_is_committed(
    committed: list[tuple[int, int]], tmp_path: Any
) -> None:
    corpus = CorpusFactory()
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines([SOCS3]))
    by = curator_of(corpus).email

    call_command(
        *("ingest", "jsonl", "--corpus", corpus.slug, "--from", str(path), "--no-wait"),
        *("--as", by, "--json"),
    )

    assert committed == [(1, 0)]
