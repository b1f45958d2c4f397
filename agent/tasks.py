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
    """Answer a run's question, or that of someone whose turn it is; nothing when others have it."""
    lease = leases.take_in_turn(run)
    if lease is None:
        return
    try:
        with structlog.contextvars.bound_contextvars(run=lease.run):
            ask(Run.objects.select_related("user", "team").get(pk=lease.run), lease)
    except LeaseLost:
        log.info("lease.lost", run=lease.run)  # whoever holds it now answers it
    finally:
        leases.give_up(lease)


@shared_task
def sweep() -> int:
    """Hand out again the runs that nobody works on."""
    return leases.sweep()
