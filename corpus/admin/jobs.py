"""The desk of jobs: how they stand, why one waits, what failed; pausing, cancelling, retrying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from accounts.web.formats import counted, grouped
from corpus.admin.base import Desk, acting, column
from corpus.admin.document_filters import CorpusFilter, SourceFilter
from corpus.models import IngestJob
from corpus.services import control, progress
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import FluxError

LIVE = ("queued", "running")
STAGE_WORDS = {"read": "files to read", "store": "to store", "link": "to link", "embed": "to embed"}
LABELS = {
    "pause": "Pause",
    "resume": "Resume",
    "cancel": "Cancel",
    "retry": "Try failed items again",
    "raise": "Raise priority",
    "lower": "Lower priority",
}
OFFERED = {
    "queued": ("pause", "cancel", "raise", "lower"),
    "running": ("pause", "cancel", "raise", "lower"),
    "paused": ("resume", "cancel", "raise", "lower"),
}


def _acting_on_all(action: str) -> Callable[[Any, HttpRequest, Any], None]:
    """A bulk action: each job for itself, so that one that refuses stops no other."""

    @admin.action(description=LABELS[action], permissions=["work"])
    def act(desk: JobAdmin, request: HttpRequest, queryset: Any) -> None:
        done, refused = 0, ""
        for job in queryset:
            try:
                control.act(job, action, **acting(request))
                done += 1
            except FluxError as why:
                refused = why.message or "It is not yours to work on."
        transaction.on_commit(dispatch.delay)
        text = f"{LABELS[action]}: {counted(done, 'job')}." + (f" {refused}" if refused else "")
        desk.message_user(request, text)

    act.__name__ = action
    return act


@admin.register(IngestJob)
class JobAdmin(Desk):
    """Jobs and how they stand."""

    list_display = ("name", "team", "state", "stage", "progress", "rate", "left", "waits")
    list_display_links = ("name",)
    list_filter = ("state", CorpusFilter, SourceFilter)
    list_select_related = ("corpus__team", "user", "fetch")
    actions = tuple(_acting_on_all(action) for action in LABELS)
    fields = ()
    change_form_template = "admin/corpus/ingestjob/change_form.html"

    def look_up(self, request: HttpRequest, rows: list[Any]) -> None:
        """How each job stands."""
        lines = progress.overview(rows)
        for job in rows:
            job.line = lines[job.pk]

    @column("job")
    def name(self, job: IngestJob) -> str:
        """Source, corpus and day."""
        label = SOURCES[job.source].label if job.source in SOURCES else job.source
        return f"{label} into {job.corpus.name}, {job.created_at:%d %b %H:%M}"

    @column("team")
    def team(self, job: IngestJob) -> str:
        """Whose corpus it fills."""
        return job.corpus.team.name

    @column("stage")
    def stage(self, job: Any) -> str:
        """What waits in which stage."""
        waiting = {"read": job.line["files_left"]} | job.line["stages"]
        parts = [f"{grouped(n)} {STAGE_WORDS.get(at, at)}" for at, n in waiting.items() if n]
        return ", ".join(parts) or "–"

    @column("progress")
    def progress(self, job: Any) -> str:
        """Items at their end, and failures."""
        failed = job.line["counts"].get("failed", 0)
        ended = f"{grouped(job.line['ended'])} of {grouped(job.line['total'])}"
        return f"{ended}, {grouped(failed)} failed" if failed else ended

    @column("per s")
    def rate(self, job: Any) -> str:
        """Items a second, lately."""
        return str(job.line["per_second"] or "–")

    @column("left")
    def left(self, job: Any) -> str:
        """About how long."""
        return in_time(job.line["eta_seconds"]) or "–"

    @column("waits because")
    def waits(self, job: Any) -> str:
        """In words."""
        return str(job.line["waiting"])

    def get_urls(self) -> list[URLPattern]:
        """The admin's own, and the part of the page that asks for itself again."""
        live = self.admin_site.admin_view(self.live)
        return [path("<int:pk>/live/", live, name="corpus_ingestjob_live"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The job as it stands; POST acts on it."""
        job = self.get_object(request, object_id)
        if job is not None and request.method == "POST" and self.has_work_permission(request):
            with self.refusals_told(request):
                control.act(job, request.POST.get("act", ""), **acting(request))
                transaction.on_commit(dispatch.delay)
            return HttpResponseRedirect(request.path)
        more = {} if job is None else self._shown(request, job)
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def live(self, request: HttpRequest, pk: int) -> HttpResponse:
        """How the job stands now."""
        job = self.get_object(request, str(pk))
        if job is None or not self.has_view_permission(request, job):
            raise PermissionDenied
        context = self._shown(request, job)
        return TemplateResponse(request, "admin/corpus/ingestjob/live.html", context)

    def _shown(self, request: HttpRequest, job: IngestJob) -> dict[str, Any]:
        state = progress.summary(job, items=False)
        fetch = state.get("fetch", {})
        offered: tuple[str, ...] = OFFERED.get(job.state, ("retry",))
        if offered == ("retry",) and not state["failed"] and fetch.get("state") != "failed":
            offered = ()
        return {
            "job": job,
            "state": state,
            "state_word": job.get_state_display(),
            "notes": [*fetch.get("notes", ()), *filter(None, [fetch.get("reason")])],
            "left": in_time(state["eta_seconds"]),
            "stages": [(STAGE_WORDS.get(at, at), n) for at, n in state["stages"].items() if n],
            "live_part": job.state in LIVE,
            "live_url": reverse("admin:corpus_ingestjob_live", args=[job.pk]),
            "items_url": f"{reverse('admin:corpus_jobitem_changelist')}?job__id__exact={job.pk}",
            "failures": _failures(job),
            "acts": [(act, LABELS[act]) for act in offered],
            "may_work": self.has_work_permission(request),
        }


def _failures(job: IngestJob) -> list[dict[str, Any]]:
    rows = job.items.filter(state__in=["failed", "skipped"]).select_related("file").order_by("-pk")
    return [progress.item_summary(item) for item in rows[:20]]


def in_time(seconds: int | None) -> str:
    """About how long, in the unit that fits; empty without an estimate."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{seconds} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
