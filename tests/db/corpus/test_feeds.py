"""Feeds: a query that a live source is asked again each day, for what is new."""

from __future__ import annotations

import json
import threading
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.types import Role
from corpus import tasks
from corpus.models import Document, IngestJob, JobFetch, Watched
from corpus.services import control, feeding, fetching, garbage, jobs, progress, scanning, watching
from flux_site.kernel.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tests.factories import CorpusFactory, MembershipFactory, UserFactory
from tests.support.ingesting import curator_of
from tests.support.replay import ReplayServer, Reply
from tests.support.statements import cut_everywhere
from tests.support.upstreams import Entrez

pytestmark = [pytest.mark.django_db, pytest.mark.enable_socket]

OLD = date(2020, 1, 1)


@pytest.fixture
def entrez(settings):
    """PubMed with three old records, on the loopback address."""
    upstream = Entrez(dict.fromkeys((1, 2, 3), OLD))
    with ReplayServer(upstream) as server:
        settings.HTTP_ALLOW_LOOPBACK = True
        settings.SOURCE_URLS = dict.fromkeys(fetching.LIVE, server.url)
        settings.REDIS_URL = ""
        fetching._quota.cache_clear()
        upstream.server = server
        yield upstream


@pytest.fixture
def feed() -> Watched:
    corpus = CorpusFactory()
    return watching.add(corpus, source="pubmed", query="stat3", by=curator_of(corpus))


def asked(row: Watched) -> IngestJob:
    """The job of an asking that is due, worked off."""
    job = feeding.ask(row.pk)
    assert job is not None
    return jobs.work_off(job)


def a_day_later(row: Watched) -> None:
    """As if the last asking had been a day ago."""
    earlier = timezone.now() - feeding.EVERY - timedelta(minutes=1)
    Watched.objects.filter(pk=row.pk).update(scanned_at=earlier)


def ids() -> set[str]:
    return set(Document.objects.values_list("external_id", flat=True))


def told(row: Watched) -> dict:
    return watching.summary(Watched.objects.get(pk=row.pk))


def test_what_the_query_finds_comes_in_through_an_ordinary_job(entrez, feed):
    job = asked(feed)

    assert (job.source, job.user, job.state, job.feed) == ("pubmed", feed.user, "done", feed)
    assert ids() == {"1", "2", "3"}
    assert told(feed) | {"job": str(job.public_id), "taken": 3, "error": ""} == told(feed)


def test_a_day_later_only_what_is_new_comes_in(entrez, feed):
    asked(feed)
    entrez.records = {**entrez.records, 4: timezone.now().date()}
    a_day_later(feed)

    job = asked(feed)

    assert ids() == {"1", "2", "3", "4"}
    assert [item.external_id for item in job.items.all()] == ["4"]
    assert entrez.searches[0].get("mindate") is None
    assert entrez.searches[-1]["mindate"] == f"{timezone.now() - feeding.LAG:%Y/%m/%d}"
    assert told(feed)["taken"] == 4


def test_a_record_that_comes_again_is_left_as_it_is(entrez, feed):
    entrez.records = {1: timezone.now().date()}
    asked(feed)
    before = Document.objects.get()
    a_day_later(feed)

    result = progress.summary(asked(feed))

    assert (result["unchanged"], result["done"]) == (1, 0)
    assert Document.objects.get().updated_at == before.updated_at
    assert told(feed)["taken"] == 1


def test_a_day_without_news_is_no_failure(entrez, feed):
    asked(feed)
    a_day_later(feed)

    job = asked(feed)

    assert job.state == "done"
    assert "nothing" in job.fetch.notes[0]
    assert told(feed)["error"] == ""


def test_a_query_that_finds_nothing_at_all_says_so(entrez, feed):
    entrez.records = {}

    assert asked(feed).state == "failed"
    assert "check it" in told(feed)["error"]


def test_a_source_that_refuses_shows_why_and_is_asked_again_the_next_day(entrez, feed):
    entrez.server.then(Reply(b"no", status=400))
    assert asked(feed).state == "failed"
    assert "PubMed" in told(feed)["error"]
    assert feeding.due() == []

    a_day_later(feed)
    asked(feed)

    assert told(feed)["error"] == ""
    assert ids() == {"1", "2", "3"}, "all of it, since no asking had come to its end"


def test_while_a_source_is_away_the_feed_says_so_and_no_second_job_is_made(entrez, feed):
    entrez.server.then(*[Reply(b"", status=503)] * 10)
    first = feeding.ask(feed.pk)
    for work in jobs.lease():
        jobs.perform(work)
    assert told(feed)["error"] == JobFetch.objects.get(job=first).reason != ""
    a_day_later(feed)

    assert feeding.due() == []
    assert feeding.ask(feed.pk) is None
    assert feeding.ask(feed.pk, early=True) is None
    assert list(feed.jobs.all()) == [first]


def test_what_a_cancelled_job_left_out_the_next_one_asks_for(entrez, feed):
    control.act(feeding.ask(feed.pk), "cancel", by=feed.user)
    a_day_later(feed)

    asked(feed)

    assert ids() == {"1", "2", "3"}


def test_a_feed_goes_back_further_where_a_source_tells_days_of_publication_alone(entrez):
    corpus = CorpusFactory()
    row = watching.add(corpus, source="openalex", query="stat3", by=curator_of(corpus))
    JobFetch.objects.update_or_create(
        job=IngestJob.objects.create(corpus=corpus, source="openalex", feed=row, state="done"),
        defaults={"request": {}, "state": "fetched"},
    )

    job = feeding.ask(row.pk)

    assert job.fetch.request["since"] == f"{timezone.now() - feeding.LAGS['openalex']:%Y-%m-%d}"


def test_a_first_day_and_a_limit_narrow_each_asking(entrez):
    corpus = CorpusFactory()
    day = timezone.now().date() + timedelta(days=1)
    more = {"since": day.isoformat(), "limit": 2, "by": curator_of(corpus)}
    row = watching.add(corpus, source="pubmed", query="stat3", **more)
    for _ in range(2):
        request = asked(row).fetch.request
        assert (request["since"], request["limit"]) == (day.isoformat(), 2)
        a_day_later(row)


def test_old_askings_that_brought_nothing_go_but_for_the_last(entrez, feed):
    entrez.records = {1: timezone.now().date()}
    kept = asked(feed)
    for _ in range(3):
        a_day_later(feed)
        last = asked(feed)
    assert feeding.trim() == 0, "they are not old"
    long_ago = timezone.now() - feeding.KEPT - timedelta(days=1)
    feed.jobs.update(finished_at=long_ago)

    assert tasks.trim_feeds() == 2

    assert set(feed.jobs.all()) == {kept, last}
    assert garbage.sweep() == 0, "the document's file stays"
    assert told(feed)["taken"] == 1
    a_day_later(feed)
    assert asked(feed).state == "done"


def test_an_old_asking_that_failed_stays_until_one_has_come_to_its_end(entrez, feed):
    entrez.server.then(Reply(b"no", status=400))
    asked(feed)
    feed.jobs.update(finished_at=timezone.now() - feeding.KEPT - timedelta(days=1))
    assert feeding.trim() == 0
    a_day_later(feed)
    last = asked(feed)

    assert feeding.trim() == 1

    assert list(feed.jobs.all()) == [last]


def test_whoever_lost_the_role_has_nothing_asked_any_more(entrez, feed):
    feed.corpus.team.memberships.filter(user=feed.user).update(role=Role.READER.value)

    assert feeding.ask(feed.pk) is None

    assert "may no longer add documents" in told(feed)["error"]
    assert not IngestJob.objects.exists()
    assert entrez.searches == []
    assert feeding.due() == [], "it is tried again the next day"


def test_the_beat_asks_what_is_due_and_not_paused(entrez, feed, monkeypatch):
    handed: list[int] = []
    monkeypatch.setattr(tasks.dispatch, "delay", lambda: handed.append(1))
    watching.act(feed, "pause", by=feed.user)
    assert (tasks.ask_feeds(), feeding.ask(feed.pk, early=True)) == (0, None)
    watching.act(feed, "resume", by=feed.user)

    assert (tasks.ask_feeds(), tasks.ask_feeds(), handed) == (1, 0, [1])
    assert scanning.due() == [], "it is no folder"
    assert scanning.scan(feed.pk) == []


@pytest.mark.django_db(transaction=True)
def test_two_beats_at_once_ask_once(entrez, feed):
    start = threading.Barrier(4)

    def beat() -> None:
        try:
            start.wait()
            feeding.ask(feed.pk)
            feeding.ask(feed.pk, early=True)
        finally:
            connection.close()

    threads = [threading.Thread(target=beat) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert IngestJob.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_asking_that_dies_anywhere_leaves_nothing_half(entrez, feed):
    def whole() -> None:
        was_asked = Watched.objects.get().scanned_at is not None
        assert IngestJob.objects.count() == JobFetch.objects.count() == int(was_asked)

    deaths = cut_everywhere(lambda: feeding.ask(feed.pk), whole)

    assert deaths > 5
    assert IngestJob.objects.count() == 1


def test_who_may_have_what_asked():
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    reader = MembershipFactory(team=corpus.team, role=Role.RESEARCHER.value).user

    with pytest.raises(NotFound):
        watching.add(corpus, source="pubmed", query="stat3", by=UserFactory())
    with pytest.raises(NotAllowed):
        watching.add(corpus, source="pubmed", query="stat3", by=reader)
    for wrong in (
        {"source": "text", "query": "stat3"},
        {"source": "nonsense", "query": "stat3"},
        {"source": "", "query": "stat3"},
        {"source": "pubmed", "query": "  "},
        {"source": "pubmed", "query": "x" * 1_001},
        {"source": "pubmed", "query": "stat3", "since": "yesterday"},
        {"source": "pubmed", "query": "stat3", "limit": 0},
        {"source": "pubmed", "query": "stat3", "path": "/srv"},
        {"path": "/srv", "since": "2026-01-01"},
    ):
        with pytest.raises(InvalidInput):
            watching.add(corpus, by=curator, **wrong)
    row = watching.add(corpus, source="pubmed", query=" stat3 ", by=curator)
    with pytest.raises(Conflict):
        watching.add(corpus, source="pubmed", query="stat3", limit=5, by=curator)
    watching.add(corpus, source="openalex", query="stat3", by=curator)
    with pytest.raises(NotFound):
        watching.act(row, "remove", by=reader)
    assert list(Watched.objects.visible_to(reader)) == []


def test_what_came_of_a_feed_stays_when_it_is_removed(entrez, feed):
    job = asked(feed)

    watching.act(feed, "remove", by=feed.user)

    job.refresh_from_db()
    assert (job.feed, ids()) == (None, {"1", "2", "3"})


def test_the_command_adds_asks_pauses_and_removes(entrez, capsys):
    corpus = CorpusFactory()
    email = curator_of(corpus).email

    def flux(*arguments: str) -> dict:
        call_command("watch", *arguments, "--as", email, "--json")
        return json.loads(capsys.readouterr().out)

    made = flux("add", "--corpus", corpus.slug, "--source", "pubmed", "--query", "stat3")
    (job,) = flux("scan", made["id"])["jobs"]
    assert flux("scan", made["id"])["jobs"] == [], "it is being asked"
    jobs.work_off(IngestJob.objects.get(public_id=job))
    (listed,) = flux("list")["watched"]
    assert (listed["query"], listed["taken"], listed["job"]) == ("stat3", 3, job)
    assert flux("pause", made["id"])["paused"] is True
    assert flux("remove", made["id"])["removed"] is True
    assert flux("list")["watched"] == []


def test_the_api_adds_pauses_and_removes(client):
    corpus = CorpusFactory()
    client.force_login(curator_of(corpus))
    given = {"corpus": corpus.slug, "source": "pubmed", "query": "stat3", "limit": 50}
    made = client.post("/api/v1/watched", given)
    assert (made.status_code, made.json()["limit"], made.json()["path"]) == (201, 50, "")
    url = f"/api/v1/watched/{made.json()['id']}"

    changed = client.patch(url, {"paused": True}, content_type="application/json")

    assert changed.json()["paused"] is True
    assert client.get("/api/v1/watched").json()["results"] == [changed.json()]
    assert client.post("/api/v1/watched", given).status_code == 409
    assert client.delete(url).status_code == 204
    assert not Watched.objects.exists()


def test_the_page_fetches_now_and_each_day(entrez, client, monkeypatch):
    monkeypatch.setattr(tasks.dispatch, "delay", lambda: None)
    corpus = CorpusFactory()
    client.force_login(curator_of(corpus))
    url = f"/library/{corpus.slug}/"
    refused = client.post(f"{url}fetch/", {"source": "pubmed", "ids": "1", "daily": "1"})
    assert (refused.status_code, Watched.objects.count()) == (422, 0)

    client.post(f"{url}fetch/", {"source": "pubmed", "query": "stat3", "limit": "2", "daily": "1"})

    row = Watched.objects.get()
    jobs.work_off(row.jobs.get())
    page = client.get(url).content.decode()
    assert (row.query, row.limit, ids()) == ("stat3", 2, {"2", "3"})
    assert "PubMed: stat3" in page
    assert "2 records taken in" in page
    client.post(f"/watched/{row.public_id}/", {"action": "pause"})
    row.refresh_from_db()
    assert row.paused
