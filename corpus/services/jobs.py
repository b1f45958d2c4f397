"""Jobs: who gets a worker next, when a job is over, how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from corpus.models import IngestJob, JobFile, JobItem
from corpus.services import embedding, leases, reading

DISPATCH_LOCK = 0x6A6F6273  # one dispatcher at a time, whoever it is
SLOTS_AHEAD = 2  # leases held for each slot: one running, one waiting in the broker
EMBED_ITEMS = 16
EMBED_SECONDS = 10.0  # then others get their turn; what is left is leased again
EMBED_BACKLOG = 200  # the reader never runs ahead of the encoder by more


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A lease on the next slice of a file."""

    file: int
    token: int


@dataclass(frozen=True, slots=True)
class EmbedItems:
    """Leases on items whose documents lack vectors: (item, token) each."""

    items: tuple[tuple[int, int], ...]


Work = ReadFile | EmbedItems


def lease() -> list[Work]:
    """Close what is over, then lease as much work as fits; teams take turns, whatever they queued.

    Returns nothing when another dispatcher is at it. The caller hands the work out after commit.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [DISPATCH_LOCK])
        if not cursor.fetchone()[0]:
            return []
        close_finished()
        free = settings.BULK_SLOTS * SLOTS_AHEAD - _held()
        return [work for work in _leases(free) if work]


def _held() -> int:
    now = timezone.now()
    files = JobFile.objects.filter(leased_until__gt=now).count()
    items = JobItem.objects.filter(leased_until__gt=now, stage="embed").count()
    return files + -(-items // EMBED_ITEMS)


def _leases(free: int) -> Iterator[Work]:
    for _ in range(free):
        work = next((found for job in _in_turn() if (found := _next_of(job))), None)
        if work is None:
            return
        yield work


def _in_turn() -> list[IngestJob]:
    """Open jobs: priority first, then the team that has waited longest, then the older job."""
    jobs = list(IngestJob.objects.filter(state__in=["queued", "running"]).select_related("corpus"))
    served = {
        row["corpus__team"]: row["last"]
        for row in IngestJob.objects.filter(served_at__isnull=False)
        .values("corpus__team")
        .annotate(last=Max("served_at"))
    }
    long_ago = timezone.now() - timedelta(days=36500)
    return sorted(
        jobs, key=lambda job: (-job.priority, served.get(job.corpus.team_id, long_ago), job.pk)
    )


def _next_of(job: IngestJob) -> Work | None:
    """What a job needs next: vectors when many documents wait or nothing is left to read."""
    waiting = _free_items(job).count()
    file = _free_files(job).first()
    work: Work | None = None
    if file and waiting < EMBED_BACKLOG:
        work = _lease_file(file)
    elif waiting:
        work = _lease_items(job)
    if work:
        now = timezone.now()
        IngestJob.objects.filter(pk=job.pk).update(
            state="running", served_at=now, started_at=job.started_at or now
        )
    return work


def _free() -> Q:
    return Q(leased_until=None) | Q(leased_until__lte=timezone.now())


def _free_files(job: IngestJob) -> Any:
    return job.files.filter(_free(), state__in=["queued", "reading"]).order_by("pk")


def _free_items(job: IngestJob) -> Any:
    return job.items.filter(_free(), state="running", stage="embed").order_by("pk")


def _lease_file(file: JobFile) -> ReadFile:
    file.token += 1
    file.leased_until = leases.until()
    file.save(update_fields=["token", "leased_until"])
    return ReadFile(file.pk, file.token)


def _lease_items(job: IngestJob) -> EmbedItems:
    items = list(_free_items(job)[:EMBED_ITEMS])
    if any(item.attempts for item in items):
        items = items[:1]  # after a crash one by one, so that the guilty one is found
    for item in items:
        item.token += 1
        item.leased_until = leases.until()
    JobItem.objects.bulk_update(items, ["token", "leased_until"])
    return EmbedItems(tuple((item.pk, item.token) for item in items))


def perform(work: Work) -> None:
    """Do leased work and give the lease back. Raises LeaseLost when it is another's by now."""
    if isinstance(work, ReadFile):
        if reading.read_slice(work.file, work.token):
            JobFile.objects.filter(pk=work.file, token=work.token).update(
                leased_until=None, attempts=0
            )
    else:
        _embed(work.items)


def _embed(held: Sequence[tuple[int, int]]) -> None:
    ours = Q()
    for pk, token in held:
        ours |= Q(pk=pk, token=token)
    items = list(JobItem.objects.filter(ours, state="running", stage="embed"))
    poison = [item for item in items if item.attempts >= reading.MAX_ATTEMPTS]
    for item in poison:
        _fail(
            item,
            f"Making its vectors stopped {reading.MAX_ATTEMPTS} times. Its text is found "
            "by words; retry when the cause is known.",
        )
    items = [item for item in items if item not in poison]
    JobItem.objects.filter(ours).update(attempts=F("attempts") + 1)
    with leases.kept(JobItem, held):
        documents = {item.document_id for item in items if item.document_id}
        made = embedding.embed_missing(documents, seconds=EMBED_SECONDS)
    for item in items:
        over = item.document_id not in made.unfinished
        JobItem.objects.filter(pk=item.pk, token=item.token).update(
            state="done" if over else "running",
            stage="end" if over else "embed",
            encoded=F("encoded") + made.sent.get(item.document_id or 0, 0),
            leased_until=None,
            attempts=0,
        )


def _fail(item: JobItem, reason: str) -> None:
    JobItem.objects.filter(pk=item.pk, token=item.token).update(
        state="failed", stage="end", code="poison", reason=reason, leased_until=None
    )


def close_finished() -> None:
    """Mark the jobs that have nothing left to do."""
    open_files = Q(files__state__in=["queued", "reading"])
    open_items = Q(items__state="running")
    for job in IngestJob.objects.filter(state__in=["queued", "running"]):
        if not IngestJob.objects.filter(open_files | open_items, pk=job.pk).exists():
            IngestJob.objects.filter(pk=job.pk, state__in=["queued", "running"]).update(
                state="done", finished_at=timezone.now()
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
