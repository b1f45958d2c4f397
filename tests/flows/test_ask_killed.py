"""A worker killed in the middle of a model call loses no run and no money."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import ModelCall
from accounts.services import budgets
from agent.services import leases, runs
from agent.tasks import run_ask
from tests.factories import UserFactory
from tests.support.anthropic_server import AnthropicServer, Reply
from tests.support.asking import QUESTION, as_json, library

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
WORKER = "import django; django.setup()\nfrom agent.tasks import run_ask; run_ask({run})"


@pytest.fixture(autouse=True)
def quiet_keeper() -> Any:
    yield
    thread = leases.keeper._thread
    if thread is not None:
        thread.join(10)


def test_a_run_whose_worker_is_killed_in_a_model_call_is_answered_by_another(settings: Any) -> None:
    settings.LEASE_SECONDS = 2
    reader = UserFactory()
    library(reader)
    run = runs.start_run(reader, QUESTION)
    with AnthropicServer(lambda body: Reply(as_json()(body), pieces=300, pause_s=0.1)) as slow:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER.format(run=run.pk)], env=environment(slow.url, settings)
        )
        try:
            wait_for(lambda: bool(slow.calls))
            wait_for(lambda: run.events.filter(kind="token").exists())
        finally:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait(10)
    call = ModelCall.objects.get()
    assert call.state == "reserved"

    wait_for(lambda: leases.sweep() == 1)
    run_ask(run.pk)

    run.refresh_from_db()
    assert (run.status, run.attempts) == ("done", 2)
    kinds = list(run.events.order_by("seq").values_list("kind", flat=True))
    assert [kinds.count(kind) for kind in ("start", "citations", "final", "done")] == [1, 1, 1, 1]
    assert kinds[-1] == "done"
    assert list(run.events.values_list("seq", flat=True)) == list(range(1, len(kinds) + 1))

    assert budgets.settle_expired(now=call.expires_at + timedelta(seconds=1)) == 1
    call.refresh_from_db()
    assert (call.state, call.settled_microusd) == ("assumed", call.reserved_microusd)


def environment(url: str, settings: Any) -> dict[str, str]:
    """The test's own database and folders, for a process beside it."""
    given = connection.settings_dict
    login = f"{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT']}"
    return os.environ | {
        "DATABASE_URL": f"postgres://{login}/{given['NAME']}",
        "DJANGO_SETTINGS_MODULE": "flux_site.settings.test",
        "MEDIA_ROOT": settings.MEDIA_ROOT,
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "key",
        "LEASE_SECONDS": "2",
        "PYTHONPATH": str(settings.ROOT),
    }


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
