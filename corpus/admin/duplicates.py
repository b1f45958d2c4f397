"""The desk of doubles: pairs of papers that may be one, side by side."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from corpus.admin.base import Desk, acting, column, is_site_admin, person
from corpus.admin.papers import ident, records_of, standing
from corpus.models import Work, WorkConflict
from corpus.services import works


@admin.register(WorkConflict)
class ConflictAdmin(Desk):
    """Suspected doubles; what a curator says of one is remembered."""

    list_display = ("first", "second", "because")
    list_display_links = ("first",)
    list_filter = ("reason",)
    list_select_related = ("one", "two")
    fields = ()
    change_form_template = "admin/corpus/workconflict/change_form.html"

    def get_queryset(self, request: HttpRequest) -> Any:
        """Pairs of which the person may see both."""
        rows = WorkConflict.objects.all()
        if is_site_admin(request):
            return rows
        known = Work.objects.visible_to(person(request)).values("pk")
        return rows.filter(one__in=known, two__in=known)

    @column("one")
    def first(self, row: WorkConflict) -> str:
        """Its ids."""
        return ident(row.one)

    @column("the other")
    def second(self, row: WorkConflict) -> str:
        """Its ids."""
        return ident(row.two)

    @column("because")
    def because(self, row: WorkConflict) -> str:
        """Why they are suspected."""
        return row.get_reason_display()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Both side by side; POST says that they are one, or two."""
        row = self.get_object(request, object_id)
        if row is not None and request.method == "POST" and self.has_work_permission(request):
            return self._judged(request, row)
        pair = [] if row is None else [self._side(work, request) for work in (row.one, row.two)]
        more = {"pair": pair, "may_work": self.has_work_permission(request)}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def _side(self, work: Work, request: HttpRequest) -> dict[str, Any]:
        return {
            "ident": ident(work),
            "url": reverse("admin:corpus_work_change", args=[work.pk]),
            "standing": standing(work),
            "records": records_of(work, request),
        }

    def _judged(self, request: HttpRequest, row: WorkConflict) -> HttpResponse:
        pair, verdict = [row.one, row.two], request.POST.get("verdict")
        with self.refusals_told(request):
            if verdict == "same":
                works.merge(pair, **acting(request))
                self.message_user(request, "They are one paper now.")
            elif verdict == "apart":
                works.keep_apart(pair, **acting(request))
                self.message_user(request, "They stay two papers, and are suspected no more.")
        return HttpResponseRedirect(reverse("admin:corpus_workconflict_changelist"))
