"""The desk of papers: how they stand, whom a notice reaches, which records are of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from accounts.web.formats import counted, shortened
from corpus.admin.base import Desk, acting, column, is_site_admin, person
from corpus.models import Document, Work, WorkLink
from corpus.services import works
from corpus.services.works.retractions import pmids_of
from corpus.sources import ids
from corpus.tasks import settle_works

ANY_NOTICE = Q(retracted=True) | Q(concern=True) | Q(corrected=True)
STANDINGS = {
    "retracted": ("Retracted", Q(retracted=True)),
    "concern": ("Expression of concern", Q(concern=True)),
    "corrected": ("Corrected", Q(corrected=True)),
    "all": ("All papers", Q()),
}
SHOWN = 20
MOST_LISTED = 2_000_000  # characters of a list that is pasted


class NoticeFilter(admin.SimpleListFilter):
    """How papers stand; those with a notice unless others are asked for."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What there is to choose."""
        return [(value, label) for value, (label, _) in STANDINGS.items()]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The first choice is what a curator comes for."""
        first, *others = super().choices(changelist)
        yield first | {"display": "With a notice"}  # type: ignore[operator]
        yield from others

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Papers that stand so."""
        return queryset.filter(STANDINGS.get(self.value() or "", ("", ANY_NOTICE))[1])


@admin.register(Work)
class WorkAdmin(Desk):
    """Papers, those with a notice first."""

    list_display = ("paper", "stands", "records", "answers", "readers")
    list_display_links = ("paper",)
    list_filter = (NoticeFilter,)
    search_fields = ("doi",)
    search_help_text = "A whole DOI, PMID, PMCID or OpenAlex id."
    actions = ("look_again",)
    fields = ()
    change_form_template = "admin/corpus/work/change_form.html"
    change_list_template = "admin/corpus/work/change_list.html"

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """By id, through the ids' own indexes."""
        given = {name: getattr(ids, name)(search_term) for name in works_ids()}
        match = Q(pk=None)
        for name, value in given.items():
            if value:
                match |= Q(**{name: value})
        return (queryset.filter(match) if search_term.strip() else queryset), False

    def look_up(self, request: HttpRequest, rows: list[Any]) -> None:
        """Records and saved answers of each paper."""
        documents = Document.objects.filter(work__in=rows, deletion=None).order_by()
        records = dict(documents.values_list("work").annotate(Count("pk")))
        cited = documents.filter(citations__isnull=False).values_list("work")
        answers = dict(cited.annotate(Count("citations__answer", distinct=True)))
        for row in rows:
            row.record_count, row.answer_count = records.get(row.pk, 0), answers.get(row.pk, 0)

    @column("paper")
    def paper(self, work: Work) -> str:
        """Its ids."""
        return ident(work)

    @column("standing")
    def stands(self, work: Work) -> str:
        """In words."""
        return standing(work)

    @column("records")
    def records(self, work: Any) -> int:
        """Documents of it."""
        return int(work.record_count)

    @column("saved answers that cite it")
    def answers(self, work: Any) -> int:
        """How many; their texts stay with their readers."""
        return int(work.answer_count)

    @column("among")
    def readers(self, work: Work) -> str:
        """In whose corpora."""
        return {"site": "everyone"}.get(work.scope, work.scope.split(":")[0] + " only")

    @admin.action(description="Look again how they stand", permissions=["work"])
    def look_again(self, request: HttpRequest, queryset: Any) -> None:
        """Have their records settled anew."""
        rows = Document.objects.filter(work__in=queryset.values("pk"))[:10_000]
        documents = list(rows.values_list("pk", flat=True))
        works.note(documents)
        transaction.on_commit(lambda: settle_works.delay())
        self.message_user(request, f"{counted(len(documents), 'record')} will be looked at again.")

    def get_urls(self) -> list[URLPattern]:
        """The admin's own, and where a list of retracted papers is taken in."""
        listed = self.admin_site.admin_view(self.listed)
        return [path("listed/", listed, name="corpus_work_listed"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list; site admins can paste a list of retracted papers."""
        more = {"may_list": is_site_admin(request)}
        return super().changelist_view(request, (extra_context or {}) | more)

    def listed(self, request: HttpRequest) -> HttpResponse:
        """Note papers of a pasted list as retracted for everyone."""
        if request.method != "POST" or not is_site_admin(request):
            raise PermissionDenied
        given = acting(request)
        numbers = list(pmids_of(request.POST.get("pmids", "")[:MOST_LISTED]))
        if numbers:
            noted = works.note_retracted_pmids(numbers, by=given["by"], origin=given["origin"])
            transaction.on_commit(lambda: settle_works.delay())
            said = f"{counted(noted.listed, 'PMID')} read, {noted.new} of them new; "
            said += f"{counted(noted.documents, 'document')} here stand as retracted."
        else:
            said = "No PMID was found: one a line is read, or the first column of a table."
        self.message_user(request, said)
        return HttpResponseRedirect(reverse("admin:corpus_work_changelist"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Its records, links and answers; POST takes a record out of it."""
        work = self.get_object(request, object_id)
        if work is not None and request.method == "POST" and self.has_work_permission(request):
            return self._split(request, work)
        more = {} if work is None else self._shown(request, work)
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def _split(self, request: HttpRequest, work: Work) -> HttpResponse:
        given = request.POST.get("split", "")
        document = work.documents.filter(pk=int(given) if given.isdecimal() else 0).first()
        if document is None:
            return HttpResponseRedirect(request.path)
        apart = work
        with self.refusals_told(request):
            apart = works.split(document, **acting(request))
            self.message_user(request, "The record is a paper of its own now.")
        return HttpResponseRedirect(reverse("admin:corpus_work_change", args=[apart.pk]))

    def _shown(self, request: HttpRequest, work: Work) -> dict[str, Any]:
        return {
            "work": work,
            "standing": standing(work),
            "records": records_of(work, request),
            "links": _links(work),
            "answers": _answers(work) if is_site_admin(request) else [],
            "may_work": self.has_work_permission(request),
        }


def works_ids() -> tuple[str, ...]:
    """Names of the ids that papers have."""
    return ("doi", "pmid", "pmcid", "openalex")


def ident(work: Work) -> str:
    """A paper's ids, else its public id."""
    labels = {"doi": "doi:", "pmid": "PMID ", "pmcid": "", "openalex": ""}
    found = [f"{labels[name]}{value}" for name in works_ids() if (value := getattr(work, name))]
    return ", ".join(found) or str(work.public_id)


def standing(work: Work) -> str:
    """How a paper stands, in words."""
    words = [
        STANDINGS[name][0] for name in ("retracted", "concern", "corrected") if getattr(work, name)
    ]
    return ", ".join(words) or "as published"


def records_of(work: Work, request: HttpRequest) -> list[dict[str, Any]]:
    """Documents of a paper that the person may see here."""
    rows = Document.objects.filter(work=work, deletion=None).select_related("corpus")
    if not is_site_admin(request):
        rows = rows.visible_to(person(request))
    return [
        {
            "pk": row.pk,
            "url": reverse("admin:corpus_document_change", args=[row.pk]),
            "title": row.title or row.external_id,
            "source": f"{row.source} {row.external_id[:40]}",
            "corpus": row.corpus.name,
            "authors": ", ".join(row.authors[:3]),
            "journal": row.journal,
            "year": row.year,
            "ids": ", ".join(f"{k} {v}" for k, v in (row.identifiers or {}).items() if v),
        }
        for row in rows.order_by("pk")[:SHOWN]
    ]


def _links(work: Work) -> list[dict[str, str]]:
    rows = WorkLink.objects.filter(Q(source=work) | Q(target=work)).select_related(
        "source", "target"
    )
    return [
        {
            "text": f"{ident(row.source)} {row.get_kind_display().lower()} {ident(row.target)}",
            "url": reverse(
                "admin:corpus_work_change",
                args=[row.target_id if row.source_id == work.pk else row.source_id],
            ),
        }
        for row in rows.order_by("pk")[:SHOWN]
    ]


def _answers(work: Work) -> list[dict[str, str]]:
    """Runs whose answers cite the paper: that they do, not what they say.

    Citations stand above this app; they are reached through the document's own relation.
    """
    citations: Any = Document._meta.get_field("citations").related_model
    rows = citations.objects.filter(document__work=work).select_related("answer__run__user")
    runs = {row.answer.run_id: row.answer.run for row in rows.order_by("-pk")[:200]}
    return [
        {
            "url": reverse("admin:agent_run_change", args=[run.pk]),
            "text": f"{run.created_at:%d %b %Y}, {shortened(str(run.user), 60)}",
        }
        for run in list(runs.values())[:SHOWN]
    ]
