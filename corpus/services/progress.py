"""How a job stands, in the form that pages, admin, API and commands share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone

from corpus.models import IngestJob, JobFetch, JobFile, JobItem
from corpus.services import stages, turns

END_STATES = ("done", "unchanged", "failed", "skipped")
LATELY = timedelta(seconds=60)  # the rate is that of the last minute
ESTIMATE_AFTER = 5  # items: an estimate from fewer jumps about
SILENT_AFTER = timedelta(seconds=120)  # work under way is renewed far more often
NOTES = 20  # different ones: what more there is, each item says itself


def summary(job: IngestJob, *, items: bool = True, states: Collection[str] = ()) -> dict[str, Any]:
    """The job as commands and API give it (FORMS); of its items those in `states`, all where it
    names none.
    """
    result = summaries([job])[job.pk]
    if items:
        rows = job.items.select_related("file")
        shown = rows.filter(state__in=states) if states else rows
        result["notes"] = _notes(job)
        result["items"] = [item_summary(item) for item in shown]
    return result


def summaries(jobs: Sequence[IngestJob]) -> dict[int, dict[str, Any]]:
    """Jobs as commands and API give them, without their items, by row; ten queries, however many
    jobs, where these come with their fetches.
    """
    lines = overview(jobs)
    files = dict(_counted(JobFile.objects.filter(job__in=jobs), Count("pk")))
    encoded = dict(_counted(JobItem.objects.filter(job__in=jobs), Sum("encoded")))
    return {
        job.pk: _told(job, lines[job.pk], files.get(job.pk, 0), encoded.get(job.pk, 0))
        for job in jobs
    }


def _told(job: IngestJob, line: dict[str, Any], files: int, encoded: int) -> dict[str, Any]:
    end = job.finished_at or timezone.now()
    counts, waiting = line["counts"], line["stages"]
    result: dict[str, Any] = {
        "job": str(job.public_id),
        "state": job.state,
        "source": job.source,
        "priority": job.priority,
        **{state: counts.get(state, 0) for state in ("done", "failed", "unchanged", "skipped")},
        "running": counts.get("running", 0),
        "total": line["total"],
        "files": files,
        "files_left": line["files_left"],
        # What waits in each stage: files to read, documents in the stages after.
        "stages": {
            "read": line["files_left"],
            **{name: waiting.get(name, 0) for name in stages.NAMES},
        },
        "encoded": encoded,
        "seconds": round((end - (job.started_at or end)).total_seconds(), 3),
        "per_second": line["per_second"],
        "eta_seconds": line["eta_seconds"],
        "waiting": line["waiting"],
    }
    fetch = getattr(job, "fetch", None)
    if fetch is not None:
        names = ("state", "pages", "reason", "notes", "request")
        result["fetch"] = {name: getattr(fetch, name) for name in names}
    return result


def item_summary(item: JobItem) -> dict[str, Any]:
    """One item as commands and API give it."""
    return {
        "name": item.name,
        "file": item.file.name,
        "external_id": item.external_id,
        "state": item.state,
        "stage": item.stage,
        "attempts": item.attempts,
        "records": item.records,
        "code": item.code,
        "reason": item.reason,
    }


def _notes(job: IngestJob) -> list[dict[str, Any]]:
    """What was noted on stored documents, once each, with how many it concerns."""
    noted = job.items.filter(state__in=["done", "unchanged"]).exclude(reason="")
    rows = noted.values("reason").annotate(n=Count("pk")).order_by("-n", "reason")[:NOTES]
    return [{"note": row["reason"], "items": row["n"]} for row in rows]


def told(result: dict[str, Any]) -> Iterator[str]:
    """A job's summary as lines for a person: counts, what was left out, each failure."""
    yield f"{result['state']}: " + ", ".join(f"{result[name]} {name}" for name in END_STATES)
    if result["eta_seconds"]:
        yield f"about {result['eta_seconds']} s left, {result['per_second']} a second"
    if result["waiting"]:
        yield result["waiting"]
    fetch = result.get("fetch")
    if fetch:
        yield from fetch["notes"]
        if fetch["state"] == "failed":
            yield fetch["reason"]
    for noted in result.get("notes", ()):
        yield f"  noted on {noted['items']}: {noted['note']}"
    for item in result.get("items", ()):
        if item["state"] in {"failed", "skipped"}:
            yield f"  {item['state']}: {item['file']}: {item['reason']}"


def _total(items: int, files: dict[str, Any]) -> int:
    """Items so far and those still expected: files not opened yet count as one each."""
    return items + max(0, int(files["ahead"] or 0)) + int(files["unopened"])


def _rate(job: IngestJob, ended: int, lately: int) -> float:
    """Items ended a second: in the last minute, else since the start."""
    if job.state not in turns.OPEN_STATES or not job.started_at or not ended:
        return 0.0
    now = timezone.now()
    if lately:
        since = max(job.started_at, now - LATELY)
        return lately / max(1.0, (now - since).total_seconds())
    return ended / max(1.0, (now - job.started_at).total_seconds())


def _eta(job: IngestJob, left: int, ended: int, rate: float) -> int | None:
    """Whole seconds to the end, once there is something to go by."""
    if job.state not in turns.OPEN_STATES or ended < ESTIMATE_AFTER or not rate or left < 1:
        return None
    return max(1, round(left / rate))


def reasons_to_wait(jobs: Sequence[IngestJob]) -> dict[int, str]:
    """In a sentence, why each of these jobs does not move, by its row; empty while it does. Five
    queries at most.
    """
    is_open = [job for job in jobs if job.state in turns.OPEN_STATES]
    held = _held(is_open)
    latest = _latest([job for job in is_open if job.pk not in held])
    rivals = set()
    if is_open:
        rows = IngestJob.objects.filter(state__in=turns.OPEN_STATES)
        rivals = set(rows.order_by().values_list("pk", flat=True)[:2])
    return {job.pk: _why(job, held, latest.get(job.pk), bool(rivals - {job.pk})) for job in jobs}


def _held(jobs: Sequence[IngestJob]) -> set[int]:
    """Jobs of which a worker holds a part."""
    now = timezone.now()
    kinds: tuple[Any, ...] = (JobFile, JobItem, JobFetch) if jobs else ()
    held: set[int] = set()
    for kind in kinds:
        rows = kind.objects.filter(job__in=jobs, leased_until__gt=now).order_by()
        held |= set(rows.values_list("job", flat=True))
    return held


def _latest(jobs: Sequence[IngestJob]) -> dict[int, datetime]:
    """When something was last done, where anything was."""
    rows = JobItem.objects.filter(job__in=jobs).order_by().values_list("job")
    return dict(rows.annotate(at=Max("updated_at"))) if jobs else {}


def _why(job: IngestJob, held: Collection[int], latest: datetime | None, rivals: bool) -> str:
    if job.state == "paused":
        return "Paused: resume it to go on."
    if job.state not in turns.OPEN_STATES:
        return ""
    now = timezone.now()
    fetch = getattr(job, "fetch", None)
    if fetch is not None and fetch.not_before and fetch.not_before > now:
        return f"{fetch.reason} It is asked again at {fetch.not_before:%H:%M} UTC."
    if job.pk in held:
        return ""
    if rivals:
        return "Other jobs are being worked on; its turn comes."
    if now - (latest or job.started_at or job.created_at) > SILENT_AFTER:
        return (
            "No worker has taken it for two minutes. If this stays so, an admin should look at the "
            "workers (bin/up --status, bin/flux doctor)."
        )
    return ""


def overview(jobs: Sequence[IngestJob]) -> dict[int, dict[str, Any]]:
    """Jobs as lines of a list, by row: counts, what waits in which stage, rate, time left, why it
    waits. Eight queries, however many jobs.
    """
    counts = _by_job(JobItem.objects.filter(job__in=jobs), "state")
    waiting = _by_job(JobItem.objects.filter(job__in=jobs, state="running"), "stage")
    unread = JobFile.objects.filter(job__in=jobs, state__in=["queued", "reading"])
    files: dict[int, dict[str, Any]] = {
        row["job"]: dict(row)
        for row in unread.order_by()
        .values("job")
        .annotate(
            left=Count("pk"),
            unopened=Count("pk", filter=Q(expected__isnull=True)),
            ahead=Sum(F("expected") - F("cursor")),
        )
    }
    lately = _ended_lately(jobs)
    why = reasons_to_wait(jobs)
    return {
        job.pk: _line(
            job,
            counts.get(job.pk, {}),
            files.get(job.pk, {"left": 0, "unopened": 0, "ahead": 0}),
            lately.get(job.pk, 0),
        )
        | {"stages": waiting.get(job.pk, {}), "waiting": why[job.pk]}
        for job in jobs
    }


def _line(
    job: IngestJob, counts: dict[str, int], files: dict[str, Any], lately: int
) -> dict[str, Any]:
    ended = sum(counts.get(state, 0) for state in END_STATES)
    total = _total(sum(counts.values()), files)
    rate = _rate(job, ended, lately)
    return {
        "counts": counts,
        "ended": ended,
        "total": total,
        "files_left": files["left"],
        "per_second": round(rate, 2) if rate else None,
        "eta_seconds": _eta(job, total - ended, ended, rate),
    }


def _by_job(items: QuerySet[JobItem], column: str) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for row in items.order_by().values("job", column).annotate(n=Count("pk")):
        found.setdefault(row["job"], {})[row[column]] = row["n"]
    return found


def _counted(rows: QuerySet[Any], what: Any) -> Iterator[tuple[int, int]]:
    """A number for each job."""
    yield from rows.order_by().values_list("job").annotate(n=what)


def _ended_lately(jobs: Sequence[IngestJob]) -> dict[int, int]:
    """Items ended in the last minute, by job that is under way."""
    is_open = [job.pk for job in jobs if job.state in turns.OPEN_STATES]
    if not is_open:
        return {}
    since = timezone.now() - LATELY
    rows = JobItem.objects.filter(job__in=is_open, state__in=END_STATES, updated_at__gte=since)
    return dict(rows.order_by().values_list("job").annotate(n=Count("pk")))
