"""How a job stands, in the form that pages, API and commands share."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone

from corpus.models import IngestJob, JobItem


def summary(job: IngestJob, *, items: bool = True) -> dict[str, Any]:
    """The job as commands and API give it (FORMS)."""
    counts = {row["state"]: row["n"] for row in job.items.values("state").annotate(n=Count("pk"))}
    end = job.finished_at or timezone.now()
    result: dict[str, Any] = {
        "job": str(job.public_id),
        "state": job.state,
        "source": job.source,
        **{state: counts.get(state, 0) for state in ("done", "failed", "unchanged", "skipped")},
        "running": counts.get("running", 0),
        "files": job.files.count(),
        "files_left": job.files.filter(state__in=["queued", "reading"]).count(),
        "encoded": job.items.aggregate(n=Sum("encoded"))["n"] or 0,
        "seconds": round((end - (job.started_at or end)).total_seconds(), 3),
    }
    if items:
        result["items"] = [item_summary(item) for item in job.items.select_related("file")]
    return result


def item_summary(item: JobItem) -> dict[str, Any]:
    """One item as commands and API give it."""
    return {
        "name": item.name,
        "file": item.file.name,
        "external_id": item.external_id,
        "state": item.state,
        "stage": item.stage,
        "records": item.records,
        "code": item.code,
        "reason": item.reason,
    }
