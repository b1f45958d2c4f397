"""A run is never left running: stopped, begun again or failed with a reason."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from agent.models import Run
from agent.services import leases, runs
from agent.tasks import run_ask
from flux_site.kernel.errors import NotFound
from tests.factories import MembershipFactory, UserFactory
from tests.support.asking import QUESTION, answered, library

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def run():
    reader = UserFactory()
    library(reader)
    return runs.start_run(reader, QUESTION)


def gone(run):
    """The worker that has the run dies, and its lease runs out."""
    lease = leases.take(run.pk)
    leases.give_up(lease)
    past = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(leased_until=past)


def kinds(run):
    return list(run.events.order_by("seq").values_list("kind", flat=True))


def test_a_run_has_one_worker(run):
    lease = leases.take(run.pk)
    assert leases.take(run.pk) is None
    leases.give_up(lease)


def test_a_run_whose_worker_died_is_begun_again(run):
    gone(run)
    assert leases.sweep() == 1
    run_ask(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("done", 2)
    assert kinds(run)[-1] == "done"


def test_what_a_dead_worker_wrote_is_not_written_twice(run, monkeypatch):
    lease = leases.take(run.pk)
    from agent.services import ask as module

    asking = module._Asking(run, lease)
    asking._retrieve()
    leases.give_up(lease)
    Run.objects.filter(pk=run.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    leases.sweep()
    run_ask(run.pk)
    assert kinds(run).count("citations") == 1
    assert kinds(run).count("start") == 1


def test_a_second_death_fails_the_run_with_a_reason(run):
    gone(run)
    leases.sweep()
    gone(run)
    leases.sweep()
    run.refresh_from_db()
    assert run.status == "failed"
    assert "twice" in run.reason
    assert kinds(run)[-2:] == ["error", "done"]


def test_a_live_worker_is_left_alone(run):
    lease = leases.take(run.pk)
    assert leases.sweep() == 0
    leases.give_up(lease)


def test_a_lost_message_is_sent_again_but_not_at_once(run):
    assert leases.sweep() == 0
    Run.objects.filter(pk=run.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert leases.sweep() == 1
    assert leases.sweep() == 0


def test_a_run_that_nobody_has_begun_stops_at_once(run):
    stopped = runs.stop_run(run.public_id, run.user)
    assert (stopped.status, kinds(run)) == ("stopped", ["start", "done"])
    run_ask(run.pk)
    run.refresh_from_db()
    assert run.status == "stopped"


def test_the_teams_owner_may_stop_a_run_and_a_stranger_may_not(run):
    with pytest.raises(NotFound):
        runs.stop_run(run.public_id, UserFactory())
    owner = MembershipFactory(team=run.team, role="owner").user
    assert runs.stop_run(run.public_id, owner).status == "stopped"


def test_stopping_an_ended_run_changes_nothing():
    reader = UserFactory()
    library(reader)
    run = answered(reader)
    assert runs.stop_run(run.public_id, reader).status == "done"


def test_a_broken_search_fails_the_run_in_words(run, monkeypatch, settings):
    settings.DEFAULT_FUSION = "nonsense"
    run_ask(run.pk)
    run.refresh_from_db()
    assert run.status == "failed"
    assert "fusion" in run.reason
    assert kinds(run)[-2:] == ["error", "done"]
