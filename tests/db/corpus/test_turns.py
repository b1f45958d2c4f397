"""Fairness between teams: the newcomer goes first, equals share, nobody starves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from corpus.models import IngestJob, JobFile, JobTurn
from corpus.services import jobs, turns, uploads
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, lines

pytestmark = pytest.mark.django_db

SOCS3 = {"id": "a", "title": "SOCS3", "text": "SOCS3 inhibits JAK2. It is induced by STAT3."}


def queued(corpus, *, files: int = 1) -> IngestJob:
    """A job that no worker has begun."""
    given = [(f"{n}.jsonl", lines([SOCS3 | {"id": str(n)}])) for n in range(files)]
    return uploads.accept(corpus, "jsonl", given, by=curator_of(corpus))


def served() -> list[int]:
    """Teams of what is leased next, in order."""
    files = [work.file for work in jobs.lease() if isinstance(work, jobs.ReadFile)]
    return [JobFile.objects.get(pk=file).job.corpus.team_id for file in files]


def test_the_team_that_had_least_is_served_first():
    busy, new = CorpusFactory(), CorpusFactory()
    queued(busy, files=6)
    queued(new)
    turns.charge(busy.team_id, 30)

    assert served()[0] == new.team_id


def test_what_a_team_had_fades():
    team = CorpusFactory().team
    turns.charge(team.pk, 64)
    JobTurn.objects.update(at=timezone.now() - timedelta(seconds=2 * turns.HALF_LIFE_S))

    assert turns.spent()[team.pk] == pytest.approx(16, rel=0.01)
    turns.charge(team.pk, 1)
    assert turns.spent()[team.pk] == pytest.approx(17, rel=0.01)


def test_priority_orders_the_jobs_of_a_team_and_pushes_no_other_back():
    mine, other = CorpusFactory(), CorpusFactory()
    queued(mine)
    urgent = queued(mine)
    IngestJob.objects.filter(pk=urgent.pk).update(priority=1)
    queued(other)
    turns.charge(mine.team_id, 10)

    order = turns.in_turn(list(IngestJob.objects.select_related("corpus")))

    assert [job.corpus.team_id for job in order] == [other.team_id, mine.team_id, mine.team_id]
    assert order[1] == urgent


def test_a_slice_ends_when_a_team_that_had_less_waits(monkeypatch):
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.0)
    mine, other = CorpusFactory(), CorpusFactory()
    slice_ = turns.Slice(queued(mine), 1000)
    turns.charge(mine.team_id, 10)
    assert not slice_.over()

    queued(other)

    assert slice_.over()


def test_a_slice_goes_on_beside_work_that_another_worker_has_begun(monkeypatch):
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.0)
    mine, other = CorpusFactory(), CorpusFactory()
    turns.charge(mine.team_id, 10)
    begun = queued(other)
    begun.files.update(attempts=1, leased_until=timezone.now() + timedelta(seconds=60))

    assert not turns.Slice(queued(mine), 1000).over()


def test_a_slice_ends_when_its_lease_is_lost(monkeypatch):
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.0)

    assert turns.Slice(queued(CorpusFactory()), 1000, lambda: False).over()


def test_two_teams_with_much_to_do_share_alike():
    one, two = CorpusFactory(), CorpusFactory()
    for corpus in (one, two):
        queued(corpus, files=10)
    had = {one.team_id: 0, two.team_id: 0}
    for _ in range(10):
        work = jobs.lease()[0]
        assert isinstance(work, jobs.ReadFile)
        file = JobFile.objects.get(pk=work.file)
        JobFile.objects.filter(leased_until__isnull=False).update(leased_until=None)
        JobFile.objects.filter(pk=file.pk).update(state="read")
        had[file.job.corpus.team_id] += 1
        turns.charge(file.job.corpus.team_id, 5)

    assert had == {one.team_id: 5, two.team_id: 5}
