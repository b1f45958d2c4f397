"""Jobs as pages show them: what is done, what failed and why, how long it will take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count
from django.urls import reverse

from accounts.models import User
from accounts.web.formats import ago, counted, grouped, percent
from corpus.models import IngestJob, JobItem
from corpus.services import progress
from corpus.services.progress import END_STATES
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url, document_url
from corpus.web.rows import LIVE, State

SHOWN_ITEMS = 40
JOB_STATES = {
    "queued": State("Queued", "acc", "clock", live=True),
    "running": State("Working", "acc", "spin", live=True),
    "paused": State("Paused", "warn", "pause"),
    "done": State("Done", "ok", "ok"),
    "failed": State("Failed", "bad", "bad"),
    "stopped": State("Stopped", "line", "stop"),
}
WITH_FAILURES = State("Done, with failures", "warn", "alert")
NOTHING_DONE = State("Failed", "bad", "bad")
ITEM_STATES = {
    "running": State("in progress", "run", "spin"),
    "done": State("done", "ok", "ok"),
    "unchanged": State("already here", "ok", "check"),
    "failed": State("failed", "bad", "bad"),
    "skipped": State("skipped", "", "info"),
}
STAGE_WORDS = {
    "store": "reading",
    "link": "stored; its entities are being found",
    "propositions": "stored; its statements are being told apart",
    "embed": "found by words; vectors are being made",
    "end": "ending",
}
STAGE_NAMES = {
    "read": "files to read",
    "link": "to find entities in",
    "propositions": "to split into statements",
    "embed": "to embed",
}


def job_counts(jobs: Sequence[IngestJob], reader: User) -> dict[int, dict[str, int]]:
    """Items of jobs by state."""
    items = JobItem.objects.visible_to(reader).filter(job__in=jobs)
    rows = items.order_by().values("job", "state")
    out: dict[int, dict[str, int]] = {}
    for row in rows.annotate(n=Count("pk")):
        out.setdefault(row["job"], {})[row["state"]] = row["n"]
    return out


def job_rows(jobs: Sequence[IngestJob], reader: User) -> list[dict[str, Any]]:
    """Jobs as lines of a table or of the status column."""
    counts = job_counts(jobs, reader)
    return [_job_row(job, counts.get(job.pk, {})) for job in jobs]


def _job_row(job: IngestJob, counts: dict[str, int], total: int = 0) -> dict[str, Any]:
    total = max(total, sum(counts.values()))
    ended = sum(counts.get(state, 0) for state in END_STATES)
    return {
        "url": corpus_url(job.corpus) + "#jobs",
        "title": f"{source_label(job.source)} into {job.corpus.name}",
        "corpus": job.corpus.name,
        "state": _shown_state(job, counts),
        "ended": ended,
        "done": grouped(ended),
        "total": grouped(total),
        "failed": counts.get("failed", 0),
        "percent": percent(ended, total),
        "counted": f"{grouped(ended)} of {grouped(total)}" if total else "not read yet",
        "line": _shown_state(job, counts).label,
        "when": ago(job.created_at),
        "iso": job.created_at.isoformat(),
    }


def _shown_state(job: IngestJob, counts: dict[str, int]) -> State:
    """A job that is over tells at once whether something failed."""
    if job.state == "done" and counts.get("failed"):
        return (
            NOTHING_DONE if not (counts.get("done") or counts.get("unchanged")) else WITH_FAILURES
        )
    return JOB_STATES[job.state]


def job_block(job: IngestJob, reader: User) -> dict[str, Any]:
    """One job with its items, as partials/job.html shows it."""
    state = progress.summary(job, items=False)
    counts = {name: state[name] for name in (*END_STATES, "running")}
    names = list(job.files.values_list("name", flat=True)[:2])
    return _job_row(job, counts, state["total"]) | {
        "id": str(job.public_id),
        "live": job.state in LIVE,
        "title": _job_title(job, names, state["files"]),
        "rate": state["per_second"],
        "left": time_left(state["eta_seconds"]),
        "stages": [(STAGE_NAMES[name], grouped(n)) for name, n in state["stages"].items() if n],
        "waiting": state["waiting"],
        "notes": state.get("fetch", {}).get("notes", []),
        "refused": _refused(state),
        "line": _job_line(job, state["files_left"]),
        "items": [_item_row(item, several=state["files"] > 1) for item in _items(job, reader)],
        "items_title": _items_title(counts),
        "more": _more(counts),
        "actions": _actions(job, counts),
    }


def _refused(state: dict[str, Any]) -> str:
    fetch = state.get("fetch")
    return str(fetch["reason"]) if fetch and fetch["state"] == "failed" else ""


def time_left(seconds: int | None) -> str:
    """About how long, in the unit that fits; empty without an estimate."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{max(5, round(seconds, -1))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _job_title(job: IngestJob, names: Sequence[str], files: int) -> str:
    fetch = getattr(job, "fetch", None)
    if fetch is not None:
        what = fetch.request.get("query") or counted(len(fetch.request.get("ids", ())), "record")
    else:
        what = names[0] if files == 1 else counted(files, "file")
    return f"{source_label(job.source)}: {what}"


def _job_line(job: IngestJob, unread: int) -> str:
    by = f" by {job.user.display_name}" if job.user else ""
    started = f"Started {ago(job.created_at)}{' ago' if ago(job.created_at) != 'now' else ''}{by}"
    waiting = f" · {counted(unread, 'file')} still to be read" if unread else ""
    return f"{started}{waiting} · finished documents can be searched at once"


def _items(job: IngestJob, reader: User) -> list[JobItem]:
    """Failures first, since they ask for something; then what is under way, then the newest."""
    visible = JobItem.objects.visible_to(reader).filter(job=job)
    items = visible.select_related("document", "file").order_by("-updated_at")
    failed = list(items.filter(state="failed")[:SHOWN_ITEMS])
    running = list(items.filter(state="running")[: SHOWN_ITEMS - len(failed)])
    rest = SHOWN_ITEMS - len(failed) - len(running)
    return failed + running + list(items.exclude(state__in=["failed", "running"])[:rest])


def _item_row(item: JobItem, *, several: bool) -> dict[str, Any]:
    """One item; of which file it is, where the job has several."""
    state = ITEM_STATES[item.state]
    elsewhere = several and item.file.name != item.name
    word = STAGE_WORDS.get(item.stage, state.label) if item.state == "running" else state.label
    return {
        "tone": state.tone,
        "icon": state.icon,
        "name": item.name,
        "state": f"{word}, in {item.file.name}" if elsewhere else word,
        "reason": item.reason,
        "url": document_url(item.document.public_id) if item.document else "",
    }


def _items_title(counts: dict[str, int]) -> str:
    if not counts:
        return "Nothing read yet"
    words = [
        ("failed", "failed"),
        ("skipped", "skipped"),
        ("done", "done"),
        ("unchanged", "already here"),
    ]
    parts = [f"{grouped(counts[state])} {word}" for state, word in words if counts.get(state)]
    return ", ".join(parts) or "In progress"


def _more(counts: dict[str, int]) -> str:
    hidden = sum(counts.values()) - SHOWN_ITEMS
    return f"and {grouped(hidden)} more" if hidden > 0 else ""


def _actions(job: IngestJob, counts: dict[str, int]) -> list[dict[str, str]]:
    """What a curator may do with the job now."""
    url = reverse("corpus:job", args=[job.public_id])
    offered: list[tuple[str, str, str]] = []
    if job.state in LIVE:
        first = ("lower", "Later", "down") if job.priority > 0 else ("raise", "First", "up")
        offered = [first, ("pause", "Pause", "pause"), ("cancel", "Cancel", "x")]
    elif job.state == "paused":
        offered = [("resume", "Resume", "refresh"), ("cancel", "Cancel", "x")]
    elif counts.get("failed") or job.state == "failed":
        offered = [("retry", "Retry failed", "refresh")]
    return [{"url": url, "value": v, "label": text, "icon": icon} for v, text, icon in offered]
