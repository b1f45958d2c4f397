"""What a curator does with a job under way: pause, resume, cancel, try again."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import F, Min, Q
from django.utils import timezone

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, IngestJob, JobFetch, JobFile, JobItem, RecognisedPart
from corpus.services import outcomes, uploads, wanted
from flux_site.kernel.errors import Conflict, InvalidInput, NotFound

OPEN = ("queued", "running")
OVER = ("done", "failed", "stopped")
HIGHEST = 5


def act(
    job: IngestJob, action: str, *, by: User, origin: str = "", inside_admin: bool = False
) -> IngestJob:
    """Do `pause`, `resume`, `cancel`, `retry`, `raise` or `lower` (its priority).

    Raises NotFound when `by` may not fill the job's corpus, Conflict when the job's state does not
    allow the action, InvalidInput for another word.
    """
    mine = Corpus.objects.workable_by(by, Role.CURATOR, inside_admin=inside_admin)
    if not mine.filter(pk=job.corpus_id).exists():
        raise NotFound
    if action not in ACTIONS:
        raise InvalidInput(f"A job can be told to {', '.join(ACTIONS)}.")
    with transaction.atomic():
        row: IngestJob = IngestJob.objects.select_for_update(no_key=True).get(pk=job.pk)
        before = (row.state, row.priority)
        ACTIONS[action](row)
        row.save(update_fields=["state", "finished_at", "priority"])
        record(
            by,
            f"ingest.{action}",
            row,
            origin=origin,
            before={"state": before[0], "priority": before[1]},
            after={"state": row.state, "priority": row.priority},
        )
    return row


def retry_source(
    source: str, *, by: User, origin: str = "", inside_admin: bool = False
) -> list[IngestJob]:
    """Try again whatever failed in jobs of one source that are over; the jobs.

    Raises Conflict where nothing has.
    """
    mine = Corpus.objects.workable_by(by, Role.CURATOR, inside_admin=inside_admin)
    failed = JobItem.objects.filter(state="failed", job__source=source).order_by().values("job")
    fetches = JobFetch.objects.filter(state="failed", job__source=source).values("job")
    jobs = IngestJob.objects.filter(
        Q(pk__in=failed) | Q(pk__in=fetches), corpus__in=mine.values("pk"), state__in=OVER
    )
    with transaction.atomic():
        tried = [
            act(job, "retry", by=by, origin=origin, inside_admin=inside_admin)
            for job in jobs.order_by("pk")
        ]
    if not tried:
        raise Conflict("Nothing of this source has failed.")
    return tried


def _pause(job: IngestJob) -> None:
    """Nothing more is handed out; what a worker holds is finished."""
    _need(job, OPEN, "paused")
    job.state = "paused"


def _resume(job: IngestJob) -> None:
    _need(job, ("paused",), "resumed")
    job.state = "running" if job.started_at else "queued"


def _cancel(job: IngestJob) -> None:
    """End the job. What is stored stays; a worker that still holds a part of it writes no more."""
    _need(job, (*OPEN, "paused"), "cancelled")
    job.state, job.finished_at = "stopped", timezone.now()
    job.files.filter(state__in=["queued", "reading"]).update(
        token=F("token") + 1, leased_until=None
    )
    RecognisedPart.objects.filter(file__job=job).delete()
    JobFetch.objects.filter(job=job, state__in=["queued", "fetching"]).update(
        state="failed", reason="The job was cancelled.", token=F("token") + 1, leased_until=None
    )
    job.items.filter(state="running").change(
        state="skipped",
        stage="end",
        code="cancelled",
        reason="The job was cancelled before the vectors of this document were made.",
        token=F("token") + 1,
        leased_until=None,
    )


def _retry(job: IngestJob) -> None:
    """Read files again from their first failed item on; what is stored is found unchanged. Where no
    file was read, the failed items themselves are done again.
    """
    _need(job, OVER, "tried again")
    failed = JobItem.objects.filter(job=job, state="failed").exclude(
        code__in=[uploads.REFUSED, wanted.NOT_FOUND]
    )
    if job.source == IngestJob.PROPOSITIONS and failed.exists():
        failed.change(state="running", stage="propositions", code="", reason="", attempts=0)
        job.state, job.finished_at = "queued", None
        return
    firsts = failed.order_by().values_list("file").annotate(first=Min("position"))
    files = dict(firsts)
    # Which record of such a file is which may have changed: it is looked through from its start.
    partly = JobFile.objects.filter(pk__in=files, only__isnull=False)
    files |= dict.fromkeys(partly.values_list("pk", flat=True), 0)
    failed.filter(code=outcomes.MISSED).delete()
    fetches = JobFetch.objects.filter(job=job, state="failed").update(
        state="fetching", reason="", not_before=None, attempts=0
    )
    if not files and not fetches:
        raise Conflict("Nothing of this job has failed that can be read again.")
    for file, position in files.items():
        JobFile.objects.filter(pk=file).update(
            state="queued",
            cursor=position,
            attempts=0,
            token=F("token") + 1,
            leased_until=None,
        )
    failed.update(attempts=0)
    job.state, job.finished_at = "queued", None


def _raise(job: IngestJob) -> None:
    """Go before the team's jobs of lower priority."""
    _need(job, (*OPEN, "paused"), "given priority")
    job.priority = min(job.priority + 1, HIGHEST)


def _lower(job: IngestJob) -> None:
    """Let the team's other jobs go first."""
    _need(job, (*OPEN, "paused"), "put back")
    job.priority = max(job.priority - 1, -HIGHEST)


def _need(job: IngestJob, states: tuple[str, ...], done: str) -> None:
    if job.state not in states:
        raise Conflict(f"The job is {job.get_state_display().lower()}, so it cannot be {done}.")


ACTIONS: dict[str, Callable[[IngestJob], None]] = {
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
    "retry": _retry,
    "raise": _raise,
    "lower": _lower,
}
