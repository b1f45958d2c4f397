"""The desk of items: what came of each record of a job, and why one failed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from accounts.web.formats import shortened
from corpus.admin.base import Desk, column, link
from corpus.models import JobItem


class CodeFilter(admin.SimpleListFilter):
    """The kind of failure: those that there are lately."""

    title = "error code"
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Codes of the newest failures."""
        rows = model_admin.get_queryset(request).filter(state="failed")
        newest = rows.order_by("-pk").values_list("code", flat=True)
        return [(code, code) for code in sorted({code for code in newest[:500] if code})]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Failures of that kind."""
        return queryset.filter(state="failed", code=self.value()) if self.value() else queryset


@admin.register(JobItem)
class JobItemAdmin(Desk):
    """What came of each record, and why one failed."""

    list_display = (
        "name_short",
        "state",
        "stage",
        "attempts",
        "code",
        "why",
        "of_job",
        "updated_at",
    )
    list_filter = ("state", "stage", CodeFilter)
    search_fields = ("=external_id",)
    search_help_text = "The whole id at the source."
    list_select_related = ("job__corpus", "file", "document")
    fields = ("name", "file", "external_id", "state", "stage", "attempts", "code", "reason", "job")

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """The job's own page links here."""
        return lookup == "job__id__exact" or super().lookup_allowed(lookup, value, request)

    def corpus_of(self, row: Any) -> Any:
        """The corpus of its job."""
        return row.job.corpus

    @column("record")
    def name_short(self, item: JobItem) -> str:
        """Its title or file."""
        return shortened(item.name or item.external_id, 80)

    @column("reason")
    def why(self, item: JobItem) -> str:
        """The sentence."""
        return shortened(item.reason, 160)

    @column("job")
    def of_job(self, item: JobItem) -> str:
        """The job's page."""
        url = reverse("admin:corpus_ingestjob_change", args=[item.job_id])
        return link(url, f"{item.job.source} into {item.job.corpus.name}")
