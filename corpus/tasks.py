"""Background work of corpora: ids in, one service call, next step enqueued."""

from __future__ import annotations

import time

import structlog
from celery import shared_task

from corpus.models import Corpus
from corpus.services import (
    changelog,
    deletion,
    feeding,
    garbage,
    jobs,
    leases,
    linking,
    scanning,
    turns,
    works,
)

log = structlog.get_logger(__name__)

SCAN_SECONDS = 60.0  # then the next beat goes on with the folders that were not seen
SETTLED_AT_ONCE = 1_000  # documents a task; the next beat goes on


@shared_task
def dispatch() -> int:
    """Lease work and hand it out; how much. Called every second and whenever work may be there."""
    leased = jobs.lease()
    for work in leased:
        if isinstance(work, jobs.ReadFile):
            read_file.delay(work.file, work.token)
        elif isinstance(work, jobs.FetchPages):
            fetch_pages.delay(work.fetch, work.token)
        else:
            advance_items.delay(work.stage, [list(pair) for pair in work.items])
    erasing = deletion.lease()
    for erase in erasing:
        delete_documents.delay(erase.deletion, erase.token)
    return len(leased) + len(erasing)


@shared_task
def fetch_pages(fetch: int, token: int) -> None:
    """Take the next pages of a live source."""
    _perform(jobs.FetchPages(fetch, token))


@shared_task
def read_file(file: int, token: int) -> None:
    """Read the next slice of a job's file."""
    _perform(jobs.ReadFile(file, token))


@shared_task
def advance_items(stage: str, items: list[list[int]]) -> None:
    """Do one stage of some documents."""
    _perform(jobs.AdvanceItems(stage, tuple((pk, token) for pk, token in items)))


def _perform(work: jobs.Work) -> None:
    try:
        jobs.perform(work)
    except leases.LeaseLost:
        log.info("lease.lost", work=str(work))  # handed out again; whoever holds it does it
    dispatch.delay()


@shared_task
def delete_documents(pk: int, token: int) -> None:
    """Work on a deletion for a while; the dispatcher hands out the rest."""
    try:
        deletion.work(deletion.Erase(pk, token))
    except leases.LeaseLost:
        log.info("lease.lost", deletion=pk)
    dispatch.delay()


@shared_task
def scan_watched() -> int:
    """Look through the watched folders, until a while has passed; how many jobs came of it."""
    deadline = time.monotonic() + SCAN_SECONDS
    made = 0
    for folder in scanning.due():
        if time.monotonic() > deadline:
            break
        made += len(scanning.scan(folder))
    if made:
        dispatch.delay()
    return made


@shared_task
def ask_feeds() -> int:
    """Ask the feeds that are due; how many."""
    made = [job for feed in feeding.due() if (job := feeding.ask(feed))]
    if made:
        dispatch.delay()
    return len(made)


@shared_task
def sweep_files() -> int:
    """Remove stored files that nothing refers to any more."""
    return garbage.sweep()


@shared_task
def trim_changes() -> int:
    """Cut the change log behind the slowest live follower."""
    return changelog.trim()


@shared_task
def trim_feeds() -> int:
    """Delete old askings of feeds that brought nothing."""
    return feeding.trim()


@shared_task
def relink_stale() -> int:
    """Stamp documents anew whose vocabularies have changed, while no job is at work; how many."""
    if turns.any_at_work():
        return 0
    for corpus in Corpus.objects.order_by("pk"):
        if documents := linking.stale(corpus):
            linking.link(documents, lambda: False)
            return len(documents)
    return 0


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
