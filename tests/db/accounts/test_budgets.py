"""The sum of settled and open reservations never passes a cap, whatever happens to the callers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, connections, transaction

from accounts.models import Budget, BudgetWindow, LedgerEntry, ModelCall
from accounts.services import budgets
from accounts.services.budgets import Payer
from flux_site.kernel.errors import BudgetExhausted, NotFound
from tests.factories import TeamFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def drill_budget(cap: int) -> tuple[Budget, Payer]:
    budget = Budget.objects.create(kind="drill", period="total", cap_microusd=cap)
    return budget, Payer(budgets=(budget.pk,), shared=False)


def reserve(payer: Payer, amount: int, **more: object) -> ModelCall:
    fields = {"model": "m", "purpose": "test", "expires_in_s": 30} | more
    return budgets.reserve(payer, amount, **fields)  # type: ignore[arg-type]


def totals(budget: Budget) -> tuple[int, int]:
    window = BudgetWindow.objects.get(budget=budget)
    return window.reserved_microusd, window.settled_microusd


def test_settling_replaces_the_reservation():
    budget, payer = drill_budget(1_000)
    call = reserve(payer, 600)
    assert totals(budget) == (600, 0)

    budgets.settle(call.call, 250, usage={"input_tokens": 9})

    assert totals(budget) == (0, 250)
    entries = LedgerEntry.objects.filter(budget=budget).values_list("kind", "micro_usd", "assumed")
    assert list(entries) == [("reserve", 600, False), ("settle", 250, False)]
    call.refresh_from_db()
    assert (call.state, call.settled_microusd, call.usage) == ("settled", 250, {"input_tokens": 9})


def test_releasing_gives_everything_back():
    budget, payer = drill_budget(1_000)
    call = reserve(payer, 1_000)
    budgets.release(call.call)
    assert totals(budget) == (0, 0)
    reserve(payer, 1_000)


def test_what_would_pass_the_cap_is_refused_and_takes_nothing():
    budget, payer = drill_budget(1_000)
    reserve(payer, 700)
    with pytest.raises(BudgetExhausted):
        reserve(payer, 301)
    assert totals(budget) == (700, 0)
    reserve(payer, 300)


def test_every_end_happens_once():
    budget, payer = drill_budget(1_000)
    call = reserve(payer, 600)
    assert reserve(payer, 600, call=call.call).pk == call.pk
    budgets.settle(call.call, 100)
    budgets.settle(call.call, 500)
    budgets.release(call.call)
    budgets.settle_in_full(call.call)
    assert totals(budget) == (0, 100)
    assert LedgerEntry.objects.filter(budget=budget).count() == 2


def test_a_call_counts_against_site_team_and_user_and_the_tightest_decides(settings):
    user, team = UserFactory(), TeamFactory()
    payer = Payer(user_id=user.pk, team_id=team.pk)
    Budget.objects.create(kind="team", team=team, period="month", cap_microusd=5_000)
    Budget.objects.create(kind="user", user=user, period="day", cap_microusd=800)

    reserve(payer, 500)

    used = {standing.kind: standing.used_microusd for standing in budgets.standings(payer)}
    assert used == {"site": 500, "team": 500, "user": 500}
    with pytest.raises(BudgetExhausted, match="Your budget") as caught:
        reserve(payer, 301)
    assert caught.value.detail["renews_at"]
    reserve(Payer(user_id=UserFactory().pk, team_id=team.pk), 301)


def test_the_sites_budget_comes_from_the_settings(settings):
    settings.DAILY_BUDGET_USD = settings.DAILY_BUDGET_USD.__class__("0.001")
    with pytest.raises(BudgetExhausted, match="This site's"):
        reserve(Payer(), 1_001)
    reserve(Payer(), 1_000)


def test_a_call_belongs_to_the_day_in_which_it_is_reserved():
    user = UserFactory()
    Budget.objects.create(kind="user", user=user, period="day", cap_microusd=1_000)
    payer = Payer(user_id=user.pk)
    before = datetime(2026, 3, 31, 23, 59, 59, 900_000, tzinfo=UTC)
    late = reserve(payer, 900, now=before)
    with pytest.raises(BudgetExhausted) as caught:
        reserve(payer, 900, now=before)
    assert caught.value.detail["renews_at"] == "2026-04-01T00:00:00+00:00"

    reserve(payer, 900, now=before + timedelta(seconds=1))  # a new day, a new window
    budgets.settle(late.call, 400)

    windows = BudgetWindow.objects.filter(budget__user=user).order_by("starts_on")
    values = [(str(w.starts_on), w.reserved_microusd, w.settled_microusd) for w in windows]
    assert values == [("2026-03-31", 0, 400), ("2026-04-01", 900, 0)]


def test_months_begin_on_the_first():
    now = datetime(2026, 12, 31, 12, tzinfo=UTC)
    budget = Budget(period="month")
    window = BudgetWindow(budget=budget, starts_on=budgets.window_start("month", now))
    assert str(window.starts_on) == "2026-12-01"
    assert budgets.renews_at(window) == datetime(2027, 1, 1, tzinfo=UTC)


def test_an_expired_reservation_is_settled_in_full_and_says_so():
    budget, payer = drill_budget(1_000)
    call = reserve(payer, 600)
    soon = call.expires_at - timedelta(seconds=1)
    assert budgets.settle_expired(now=soon) == 0
    assert budgets.settle_expired(now=call.expires_at + timedelta(seconds=1)) == 1
    assert totals(budget) == (0, 600)
    entry = LedgerEntry.objects.get(budget=budget, kind="settle")
    assert (entry.micro_usd, entry.assumed) == (600, True)
    budgets.settle(call.call, 10)  # the process lives after all: too late to count less
    assert totals(budget) == (0, 600)


def test_the_ledger_can_only_grow():
    _, payer = drill_budget(1_000)
    reserve(payer, 600)
    rows = LedgerEntry.objects.all()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows.update(micro_usd=1)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows.delete()


def test_a_ledger_is_for_its_owner_and_the_site_admin():
    owner, stranger, admin = UserFactory(), UserFactory(), UserFactory(is_superuser=True)
    budget = Budget.objects.create(kind="user", user=owner, period="day", cap_microusd=1_000)
    reserve(Payer(user_id=owner.pk), 10)
    assert len(budgets.ledger(budget.public_id, owner)) == 1
    assert len(budgets.ledger(budget.public_id, admin)) == 1
    with pytest.raises(NotFound):
        budgets.ledger(budget.public_id, stranger)
    with pytest.raises(NotFound):
        budgets.ledger(uuid.uuid4(), stranger)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_hundred_callers_at_once_stay_below_the_cap():
    UserFactory(is_superuser=True)
    out = StringIO()
    call_command("budget_drill", "--callers", "100", "--cap", "0.02", "--json", stdout=out)
    result = json.loads(out.getvalue())
    out = StringIO()
    call_command("export", "ledger", "--budget", result["budget"], "--json", stdout=out)
    entries = json.loads(out.getvalue())["entries"]

    held: dict[str, int] = {}
    for entry in entries:
        held[entry["call"]] = 0 if entry["kind"] == "release" else entry["micro_usd"]
        assert sum(held.values()) <= 20_000
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    assert len(held) + len(result["refused"]) == 100
    assert len(held) >= 20, "what fits must be let through"
    assert result["refused"], "the cap must have been reached"


@pytest.mark.django_db(transaction=True)
def test_one_call_reserved_by_many_threads_counts_once():
    budget, payer = drill_budget(10_000)
    call, gate = uuid.uuid4(), threading.Barrier(8)

    def try_it(_: int) -> int:
        gate.wait()
        try:
            return reserve(payer, 700, call=call).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(try_it, range(8)))) == 1
    assert totals(budget) == (700, 0)


KILLED = """
import os, signal, uuid, django
django.setup()
from accounts.services import budgets
call = budgets.reserve(
    budgets.Payer(budgets=({budget},), shared=False), 600, model="m", purpose="t", expires_in_s=1
)
print(call.call, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_process_killed_between_reserve_and_settle_keeps_the_money_counted():
    budget, payer = drill_budget(1_000)
    child = subprocess.run(
        [sys.executable, "-c", KILLED.format(budget=budget.pk)],
        env=os.environ | {"DATABASE_URL": database_url()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    assert totals(budget) == (600, 0)
    with pytest.raises(BudgetExhausted):
        reserve(payer, 500)

    call = ModelCall.objects.get(call=child.stdout.strip())
    assert budgets.settle_expired(now=call.expires_at + timedelta(seconds=1)) == 1
    assert totals(budget) == (0, 600)
    assert ModelCall.objects.get(pk=call.pk).state == "assumed"


def database_url() -> str:
    given = connection.settings_dict
    login = f"{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT']}"
    return f"postgres://{login}/{given['NAME']}"
