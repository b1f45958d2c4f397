"""Background work of runs: ids in, one service call."""

from __future__ import annotations

import structlog
from celery import shared_task

from agent.models import Run
from agent.services import leases
from agent.services.ask import ask
from agent.types import LeaseLost

log = structlog.get_logger(__name__)


@shared_task
def run_ask(run: int) -> None:
    """Answer a run's question, unless it has ended or another worker has it."""
    lease = leases.take(run)
    if lease is None:
        return
    try:
        with structlog.contextvars.bound_contextvars(run=run):
            ask(Run.objects.select_related("user", "team").get(pk=run), lease)
    except LeaseLost:
        log.info("lease.lost", run=run)  # whoever holds it now answers it
    finally:
        leases.give_up(lease)


@shared_task
def sweep() -> int:
    """Hand out again the runs that nobody works on."""
    return leases.sweep()
