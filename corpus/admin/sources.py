"""The desk of sources: documents, failures, when each was last asked, what its quota allows now."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.web.formats import ago, counted, grouped, moment
from corpus.admin.base import acting, is_site_admin, person
from corpus.models import Document, IngestJob, JobFetch, JobItem
from corpus.services import control, fetching
from corpus.services.fingerprint import PIPELINE
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import FluxError

if TYPE_CHECKING:
    from corpus.admin.corpora import CorpusAdmin


def page(desk: CorpusAdmin, request: HttpRequest) -> HttpResponse:
    """All sources; POST tries again what failed of one."""
    if not person(request).has_perm("corpus.view_document"):
        raise PermissionDenied
    may_work = person(request).has_perm("corpus.change_ingestjob")
    if request.method == "POST" and may_work:
        _retry(desk, request)
        return HttpResponseRedirect(request.path)
    context = {
        **desk.admin_site.each_context(request),
        "title": "Sources and quotas",
        "opts": desk.opts,
        "rows": _rows(request),
        "pipeline": PIPELINE,
        "may_work": may_work,
    }
    return TemplateResponse(request, "admin/corpus/sources.html", context)


def _retry(desk: CorpusAdmin, request: HttpRequest) -> None:
    source = request.POST.get("source", "")
    try:
        with transaction.atomic():
            jobs = control.retry_source(source, **acting(request))
            transaction.on_commit(dispatch.delay)
        desk.message_user(request, f"{counted(len(jobs), 'job')} will try its failed items again.")
    except FluxError as refused:
        desk.message_user(request, refused.message)


def _rows(request: HttpRequest) -> list[dict[str, Any]]:
    """A line a source: those with documents or failures first."""
    seen = {
        "documents": Document.objects.all(),
        "items": JobItem.objects.filter(state="failed"),
        "jobs": IngestJob.objects.all(),
    }
    if not is_site_admin(request):
        seen = {name: rows.visible_to(request.user) for name, rows in seen.items()}
    documents = _counts(seen["documents"], "source")
    failed = _counts(seen["items"], "job__source")
    rows = seen["jobs"].order_by().values_list("source")
    jobs = dict(rows.annotate(at=Max("created_at")))
    asked = JobFetch.objects.filter(job__in=seen["jobs"].values("pk")).order_by()
    fetched = dict(asked.values_list("job__source").annotate(at=Max("job__created_at")))
    lines = [
        {
            "name": name,
            "label": source.label,
            "documents": documents.get(name, 0),
            "shown": grouped(documents.get(name, 0)),
            "failed": failed.get(name, 0),
            "read": _when(jobs.get(name)),
            "fetched": _when(fetched.get(name)),
            "quota": _quota(name) if name in fetching.LIVE else None,
            "url": f"{reverse('admin:corpus_document_changelist')}?source={name}",
            "items_url": f"{reverse('admin:corpus_jobitem_changelist')}?state__exact=failed",
        }
        for name, source in SOURCES.items()
    ]
    return sorted(lines, key=lambda line: (-line["documents"], -line["failed"], line["name"]))


def _counts(rows: Any, column: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(column).annotate(n=Count("pk")))


def _when(at: datetime | None) -> str:
    return ago(at) if at else "never"


def _quota(source: str) -> dict[str, str]:
    """What the shared quota of a live source allows now, in words."""
    policy, standing = fetching.standing_of(source)
    rate = f"{policy.per_second:g} a second, all workers together"
    if standing is None:
        return {"rate": rate, "now": "Redis does not answer: each process keeps to its share."}
    now = "may be asked now"
    if standing.spent_s:
        now = f"its quota is used up, free again in {_span(standing.spent_s)}"
    elif standing.paused_s:
        now = f"it asked for a pause, free again in {_span(standing.paused_s)}"
    elif standing.wait_s > 1:
        now = f"busy: the next turn is in {_span(standing.wait_s)}"
    stopped = standing.stopped_at
    last = moment(datetime.fromtimestamp(stopped, UTC)) if stopped else "not within a week"
    return {"rate": rate, "now": now, "last": last}


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{round(seconds / 3600)} h"
