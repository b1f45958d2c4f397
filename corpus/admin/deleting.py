"""Deleting documents from their desk: what would go, then the receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from accounts.models import User
from accounts.web.formats import counted, moment
from corpus.admin.base import Desk, acting, column, person
from corpus.models import Corpus, Deletion, Document
from corpus.services import deletion, receipts
from corpus.tasks import dispatch

if TYPE_CHECKING:
    from corpus.admin.documents import DocumentAdmin

MOST = 200
TOO_MANY = (
    f"Choose at most {MOST} at a time: what goes is shown before. "
    "`bin/flux delete` deletes more, or a whole corpus."
)


def remove(desk: DocumentAdmin, request: HttpRequest) -> HttpResponse:
    """The page that asks, and on POST the deletions that were asked for."""
    if not desk.has_work_permission(request):
        raise PermissionDenied
    rows = list(_chosen(desk, request))
    if not rows:
        desk.message_user(request, "Choose documents that are not being deleted already.")
        return HttpResponseRedirect(reverse("admin:corpus_document_changelist"))
    by_corpus: dict[Corpus, list[Document]] = {}
    for row in rows:
        by_corpus.setdefault(row.corpus, []).append(row)
    if request.method == "POST":
        made: list[Deletion] = []
        with desk.refusals_told(request):
            made = [_delete(corpus, documents, request) for corpus, documents in by_corpus.items()]
            transaction.on_commit(dispatch.delay)
        return HttpResponseRedirect(_after(made))
    desk._listed(request, rows)
    return TemplateResponse(request, "admin/corpus/remove.html", _asked(desk, request, by_corpus))


def _chosen(desk: DocumentAdmin, request: HttpRequest) -> Any:
    given = [pk for pk in request.GET.getlist("pk") if pk.isdecimal() and len(pk) < 19]
    rows = desk.get_queryset(request).filter(pk__in=given[:MOST], deletion=None)
    return rows.select_related("corpus").order_by("pk")


def _delete(corpus: Corpus, documents: list[Document], request: HttpRequest) -> Deletion:
    return deletion.request(corpus, [row.public_id for row in documents], **acting(request))


def _after(made: list[Deletion]) -> str:
    """The receipt, or the list where there are several."""
    if len(made) == 1:
        return reverse("admin:corpus_deletion_change", args=[made[0].pk])
    return reverse(
        "admin:corpus_deletion_changelist" if made else "admin:corpus_document_changelist"
    )


def _asked(
    desk: DocumentAdmin, request: HttpRequest, by_corpus: dict[Corpus, list[Document]]
) -> dict[str, Any]:
    groups = []
    for corpus, documents in by_corpus.items():
        chosen = Document.objects.filter(pk__in=[row.pk for row in documents])
        taken = receipts.consequences(corpus, chosen)
        cited = taken.get("answers_marked", 0)
        groups.append(
            {
                "corpus": corpus.name,
                "documents": documents,
                "takes": receipts.in_words(taken, without={"answers_marked"}),
                "cited": counted(cited, *receipts.WORDS["answers_marked"]) if cited else "",
                "quotes": receipts.of_quotes(corpus.team),
            }
        )
    count = sum(len(group["documents"]) for group in groups)
    return {
        **desk.admin_site.each_context(request),
        "title": f"Delete {counted(count, 'document')}?",
        "opts": desk.opts,
        "groups": groups,
    }


@admin.register(Deletion)
class DeletionAdmin(Desk):
    """Deletions and their receipts."""

    list_display = ("asked_for", "what", "corpus_name", "state", "user", "finished_at")
    list_select_related = ("user",)
    list_filter = ("state",)
    fields = ()
    change_form_template = "admin/corpus/deletion/change_form.html"

    def corpus_of(self, row: Any) -> Any:
        """The corpus by its row, which may be gone."""
        return Corpus.objects.filter(pk=row.corpus_id).first()

    @column("asked for")
    def asked_for(self, row: Deletion) -> str:
        """When."""
        return moment(row.created_at)

    @column("deleted")
    def what(self, row: Deletion) -> str:
        """How much."""
        return "the whole corpus" if row.whole else counted(len(row.documents), "document")

    def get_urls(self) -> list[URLPattern]:
        """The admin's own, and the part of the page that asks for itself again."""
        live = self.admin_site.admin_view(self.live)
        return [path("<int:pk>/live/", live, name="corpus_deletion_live"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The receipt."""
        row = self.get_object(request, object_id)
        receipt = None if row is None else _receipt(row, person(request))
        more = {"receipt": receipt, "live_part": receipt is not None and not receipt["clean"]}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def live(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The receipt as it stands now."""
        row = self.get_object(request, str(pk))
        if row is None or not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {"receipt": _receipt(row, person(request))}
        return TemplateResponse(request, "admin/corpus/deletion/receipt.html", context)


def _receipt(row: Deletion, reader: User) -> dict[str, Any]:
    result = receipts.receipt(row, reader)
    still = {kind: n for kind, n in result["left"].items() if n}
    done = row.state == "done"
    answers = result["answers_marked"]
    return {
        "url": reverse("admin:corpus_deletion_live", args=[row.pk]),
        "done": done,
        "clean": done and not still,
        "what": "The whole corpus" if row.whole else counted(result["asked"], "document"),
        "corpus": row.corpus_name,
        "removed": receipts.in_words(result, without={"answers_marked"}),
        "answers": counted(answers, *receipts.WORDS["answers_marked"]) if answers else "",
        "quotes": receipts.of_quotes(row.team),
        "left": receipts.in_words(still),
        "asked_for": moment(row.created_at),
        "finished": moment(row.finished_at) if row.finished_at else "",
    }
