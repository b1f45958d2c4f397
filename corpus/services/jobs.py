"""Jobs: who gets a worker next, when a job is over."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from corpus.models import IngestJob, JobFetch, JobFile, JobItem
from corpus.services import leases, live, reading, stages, turns, wanted

DISPATCH_LOCK = 0x6A6F6273  # one dispatcher at a time, whoever it is
SLOTS_AHEAD = 2  # leases held for each slot: one running, one waiting in the broker
ITEMS = 16  # documents a lease
SLICE_SECONDS = 10.0  # then others get their turn; what is left is leased again
BACKLOG = 200  # the reader never runs ahead of the later stages by more
FETCHES = 4  # at a time: they wait for others' servers and cost no processor
UNREAD_FILES = 20  # the fetcher never runs ahead of the reader by more


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A lease on the next slice of a file."""

    file: int
    token: int


@dataclass(frozen=True, slots=True)
class AdvanceItems:
    """Leases on items, (item, token) each, that wait in the same stage."""

    stage: str
    items: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FetchPages:
    """A lease on the next pages of a live source."""

    fetch: int
    token: int


Work = ReadFile | AdvanceItems | FetchPages


def lease() -> list[Work]:
    """Close what is over, then lease as much work as fits; teams take turns, whatever they queued.

    Returns nothing when another dispatcher is at it. The caller hands the work out after commit.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [DISPATCH_LOCK])
        if not cursor.fetchone()[0]:
            return []
        close_finished()
        free = settings.BULK_SLOTS * SLOTS_AHEAD - _slots_taken()
        return [*_fetches(), *_leases(free)]


def _slots_taken() -> int:
    now = timezone.now()
    files = JobFile.objects.filter(leased_until__gt=now).count()
    items = JobItem.objects.filter(leased_until__gt=now, state="running").count()
    return files + -(-items // ITEMS)


def _fetches() -> list[Work]:
    """Fetches that are due, of jobs whose files are read as they come."""
    now = timezone.now()
    is_open = Q(state__in=["queued", "fetching"], job__state__in=turns.OPEN_STATES)
    held = JobFetch.objects.filter(is_open, leased_until__gt=now).count()
    due = Q(not_before=None) | Q(not_before__lte=now)
    unread = Count("job__files", filter=Q(job__files__state__in=["queued", "reading"]))
    rows = JobFetch.objects.filter(_free(), due, is_open).annotate(unread=unread)
    rows = rows.filter(unread__lt=UNREAD_FILES).order_by("pk")[: max(0, FETCHES - held)]
    for row in rows:
        JobFetch.objects.filter(pk=row.pk).update(token=row.token + 1, leased_until=leases.until())
        _started(row.job)
    return [FetchPages(row.pk, row.token + 1) for row in rows]


def _leases(free: int) -> Iterator[Work]:
    for _ in range(free):
        work = next((found for job in _in_turn() if (found := _next_of(job))), None)
        if work is None:
            return
        yield work


def _in_turn() -> list[IngestJob]:
    """Open jobs as they are served."""
    open_jobs = IngestJob.objects.filter(state__in=turns.OPEN_STATES)
    return turns.in_turn(list(open_jobs.select_related("corpus")))


def _next_of(job: IngestJob) -> Work | None:
    """What a job needs next: its documents' stages when many wait or nothing is left to read."""
    waiting = _free_items(job).count()
    file = _free_files(job).first()
    work: Work | None = None
    if file and waiting < BACKLOG:
        work = _lease_file(file)
    elif waiting:
        work = _lease_items(job)
    if work:
        _started(job)
    return work


def _started(job: IngestJob) -> None:
    IngestJob.objects.filter(pk=job.pk, state="queued").update(
        state="running", started_at=job.started_at or timezone.now()
    )


def _free() -> Q:
    return Q(leased_until=None) | Q(leased_until__lte=timezone.now())


def _free_files(job: IngestJob) -> Any:
    return job.files.filter(_free(), state__in=["queued", "reading"]).order_by("pk")


def _free_items(job: IngestJob) -> Any:
    return job.items.filter(_free(), state="running", stage__in=stages.NAMES).order_by("pk")


def _lease_file(file: JobFile) -> ReadFile:
    file.token += 1
    file.leased_until = leases.until()
    file.save(update_fields=["token", "leased_until"])
    return ReadFile(file.pk, file.token)


def _lease_items(job: IngestJob) -> AdvanceItems:
    """Items of the latest stage that any waits in: what is begun is ended first."""
    free = _free_items(job)
    waiting = set(free.order_by().values_list("stage", flat=True).distinct())
    stage = next(name for name in reversed(stages.NAMES) if name in waiting)
    items = list(free.filter(stage=stage)[:ITEMS])
    if any(item.attempts for item in items):
        items = items[:1]  # after a crash one by one, so that the guilty one is found
    for item in items:
        item.token += 1
        item.leased_until = leases.until()
    JobItem.objects.bulk_update(items, ["token", "leased_until"])
    return AdvanceItems(stage, tuple((item.pk, item.token) for item in items))


def perform(work: Work) -> None:
    """Do leased work and give the lease back. Raises LeaseLost when it is another's by now."""
    if isinstance(work, FetchPages):
        _fetch(work)
        return
    started = time.monotonic()
    job = _read(work) if isinstance(work, ReadFile) else _advance(work)
    if job is not None:
        turns.charge(job.corpus.team_id, time.monotonic() - started)


def _fetch(work: FetchPages) -> None:
    ours = JobFetch.objects.filter(pk=work.fetch, token=work.token)
    row = ours.select_related("job").first()
    if row is None:
        raise leases.LeaseLost("The fetch was handed to another worker.")
    deadline = time.monotonic() + SLICE_SECONDS
    live.fetch_slice(row, work.token, lambda: time.monotonic() > deadline or not ours.exists())
    ours.update(leased_until=None)


def _read(work: ReadFile) -> IngestJob:
    file = JobFile.objects.select_related("job__corpus").filter(
        pk=work.file, token=work.token, leased_until__isnull=False
    )
    row = file.first()
    if row is None or row.job.corpus.deleting:
        raise leases.LeaseLost("The file was handed to another worker, or is to be deleted.")
    turn = turns.Slice(row.job, SLICE_SECONDS, file.exists)
    if reading.read_slice(row, work.token, turn):
        file.update(leased_until=None, attempts=0)
    job: IngestJob = row.job
    return job


def _advance(work: AdvanceItems) -> IngestJob | None:
    """Take documents through their stages, from the one where they wait on, as far as the slice
    goes; the job they are of, None when nothing is ours any more.
    """
    ours = _ours(work.items)
    items = list(ours.filter(stage=work.stage))
    if not items:
        return None
    job: IngestJob = items[0].job
    turn = turns.Slice(job, SLICE_SECONDS, ours.exists)
    with leases.kept(JobItem, work.items):
        for stage in stages.from_on(work.stage):
            _hand_on(items, stage.name, _run(stage, items, turn))
            items = list(ours.filter(stage=stages.after(stage.name)))
            if not items or turn.over():
                break
    JobItem.objects.filter(_held(work.items)).update(leased_until=None)
    return job


def _held(leased: Iterable[tuple[int, int]]) -> Q:
    """Items of which these leases (item, token) are not lost."""
    return reduce(or_, (Q(pk=pk, token=token) for pk, token in leased), Q(pk__in=()))


def _ours(leased: Iterable[tuple[int, int]]) -> QuerySet[JobItem]:
    """Those of leased items that are under way; not of leases that were given back, as a message
    that comes twice finds them.
    """
    rows = JobItem.objects.filter(_held(leased), state="running", leased_until__isnull=False)
    return rows.select_related("job__corpus")


def _run(stage: stages.Stage, items: Sequence[JobItem], turn: turns.Slice) -> stages.Progress:
    """Do a stage of documents, but for those that it has killed its worker with too often."""
    left = []
    for item in items:
        if item.attempts < reading.MAX_ATTEMPTS:
            left.append(item)
        else:
            _fail(item, stage.if_poisoned.format(n=reading.MAX_ATTEMPTS))
    begun = _held((item.pk, item.token) for item in left)
    JobItem.objects.filter(begun).update(attempts=F("attempts") + 1)
    return stage.run({item.document_id for item in left if item.document_id}, turn.over)


def _hand_on(items: Iterable[JobItem], stage: str, made: stages.Progress) -> None:
    """Each document to its next stage; those that end alike by one statement of the database."""
    alike: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for item in items:
        document = item.document_id or 0
        following = stage if item.document_id in made.unfinished else stages.after(stage)
        alike[following, made.sent.get(document, 0)].append((item.pk, item.token))
    for (following, sent), leased in alike.items():
        JobItem.objects.filter(_held(leased), state="running").change(
            state="running" if following in stages.BY_NAME else "done",
            stage=following,
            encoded=F("encoded") + sent,
            attempts=0,
        )


def _fail(item: JobItem, reason: str) -> None:
    JobItem.objects.filter(pk=item.pk, token=item.token).change(
        state="failed", stage="end", code="poison", reason=reason, leased_until=None
    )


def close_finished() -> None:
    """Mark the jobs that have nothing left to do."""
    is_open = (
        Q(files__state__in=["queued", "reading"])
        | Q(items__state="running")
        | Q(fetch__state__in=["queued", "fetching"])
    )
    for job in IngestJob.objects.filter(state__in=turns.OPEN_STATES).select_related("fetch"):
        if not IngestJob.objects.filter(is_open, pk=job.pk).exists():
            fetch = getattr(job, "fetch", None)
            if fetch and (fetch.state == "fetched" or fetch.reason == live.NOTHING):
                wanted.write_missing(job, fetch)
            IngestJob.objects.filter(pk=job.pk, state__in=turns.OPEN_STATES).update(
                state="failed" if fetch and fetch.state == "failed" else "done",
                finished_at=timezone.now(),
            )


def work_off(job: IngestJob) -> IngestJob:
    """Do all work of all open jobs in this process, until this job is over."""
    while not settled(job):
        for work in lease():
            perform(work)
    return job


def settled(job: IngestJob) -> bool:
    """Whether the job is over, by its row as it is now."""
    job.refresh_from_db()
    return job.state in {"done", "failed", "stopped"}
