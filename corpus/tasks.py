"""Background work of corpora: ids in, one service call, next step enqueued."""

from __future__ import annotations

import structlog
from celery import shared_task

from corpus.models import Corpus
from corpus.services import changelog, jobs, leases, works

log = structlog.get_logger(__name__)

SETTLED_AT_ONCE = 1_000  # documents a task; the next beat goes on


@shared_task
def dispatch() -> int:
    """Lease work and hand it out; how much. Called every second and whenever work may be there."""
    leased = jobs.lease()
    for work in leased:
        if isinstance(work, jobs.ReadFile):
            read_file.delay(work.file, work.token)
        else:
            embed_items.delay([list(pair) for pair in work.items])
    return len(leased)


@shared_task
def read_file(file: int, token: int) -> None:
    """Read the next slice of a job's file."""
    _perform(jobs.ReadFile(file, token))


@shared_task
def embed_items(items: list[list[int]]) -> None:
    """Make the vectors that some documents lack."""
    _perform(jobs.EmbedItems(tuple((pk, token) for pk, token in items)))


def _perform(work: jobs.Work) -> None:
    try:
        jobs.perform(work)
    except leases.LeaseLost:
        log.info("lease.lost", work=str(work))  # handed out again; whoever holds it does it
    dispatch.delay()


@shared_task
def trim_changes() -> int:
    """Cut the change log behind the slowest live follower."""
    return changelog.trim()


@shared_task
def settle_works() -> int:
    """Settle documents that a change elsewhere concerns; how many."""
    return works.drain_all(SETTLED_AT_ONCE)


@shared_task
def rescope_works(corpus: int) -> int:
    """After a change of who reads a corpus: move its documents to works of the right scope."""
    found = Corpus.objects.filter(pk=corpus).first()
    return works.rescope(found) + works.drain_all(SETTLED_AT_ONCE) if found else 0


@shared_task
def sweep_works() -> int:
    """Find corpora and works that no door has told of."""
    return works.sweep()
