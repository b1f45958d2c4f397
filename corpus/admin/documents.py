"""The desk of documents: found, looked at, read again, deleted with a receipt."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode

from accounts.web.formats import counted, shortened
from corpus.admin import deleting, document_filters, finding, preview
from corpus.admin.base import MOST_COUNTED, Desk, acting, column
from corpus.models import Document
from corpus.services import reparsing
from corpus.services.fingerprint import pipeline
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch

TITLE_CHARS = 90


@admin.register(Document)
class DocumentAdmin(Desk):
    """Documents, with what a curator has to know."""

    list_display = (
        "name",
        "source_name",
        "external",
        "of_corpus",
        "stands",
        "remark",
        "updated_at",
    )
    list_display_links = ("name",)
    list_filter = (
        document_filters.CorpusFilter,
        document_filters.SourceFilter,
        document_filters.StateFilter,
        document_filters.StandingFilter,
        document_filters.NoteFilter,
        document_filters.YearFilter,
    )
    search_fields = ("title", "external_id")
    search_help_text = "Beginnings of words of the title, or a DOI, PMID, PMCID, id at the source."
    list_select_related = ("corpus",)
    actions = ("read_again", "delete_for_good")
    fields = ()
    change_form_template = "admin/corpus/document/change_form.html"

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """By words and ids, through indexes."""
        return finding.documents(queryset, search_term), False

    @column("document")
    def name(self, row: Document) -> str:
        """Its title, else its id."""
        return shortened(row.title or row.external_id, TITLE_CHARS)

    @column("source")
    def source_name(self, row: Document) -> str:
        """The source as people call it."""
        return SOURCES[row.source].label if row.source in SOURCES else row.source

    @column("id there")
    def external(self, row: Document) -> str:
        """The source's id; a file's hash is shortened."""
        long = len(row.external_id) > 40
        return f"{row.external_id[:12]}…" if long else row.external_id

    @column("corpus")
    def of_corpus(self, row: Document) -> str:
        """The corpus by name."""
        return row.corpus.name

    @column("standing")
    def stands(self, row: Document) -> str:
        """What readers are warned of, and whether it is to be read anew."""
        words = preview.standing_words(row)
        if row.deletion_id:
            words = ["being deleted"]
        elif row.pipeline != pipeline(row.corpus.chunker):
            words.append("to be read anew")
        return ", ".join(words) or "–"

    @column("note")
    def remark(self, row: Document) -> str:
        """The beginning of the curator's note."""
        return shortened(row.note, 60)

    def get_urls(self) -> list[URLPattern]:
        """The admin's own, and the page that asks before a deletion."""
        own = path(
            "remove/", self.admin_site.admin_view(self.remove), name="corpus_document_remove"
        )
        return [own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A preview of the document; POST reads it again."""
        row = self.get_object(request, object_id)
        if row is not None and request.method == "POST" and self.has_work_permission(request):
            self.read_again(request, Document.objects.filter(pk=row.pk))
            return HttpResponseRedirect(request.path)
        more = {} if row is None else preview.of(row, self.get_queryset(request), request)
        more["may_work"] = self.has_work_permission(request)
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    @admin.action(description="Read again from their files", permissions=["work"])
    def read_again(self, request: HttpRequest, queryset: Any) -> None:
        """A job for each corpus and source."""
        if queryset[: MOST_COUNTED + 1].count() > MOST_COUNTED:
            self.message_user(request, "That is too many at a time: filter first.", messages.ERROR)
            return
        with self.refusals_told(request):
            made = reparsing.request(queryset.order_by(), **acting(request))
            transaction.on_commit(dispatch.delay)
            text = f"{counted(made.documents, 'document')} will be read again"
            self.message_user(request, f"{text}: {counted(len(made.jobs), 'job')} made.")
            if made.without_file:
                text = f"{counted(made.without_file, 'document')} has no file any more: left out."
                self.message_user(request, text, messages.WARNING)

    @admin.action(description="Delete for good, with a receipt…", permissions=["work"])
    def delete_for_good(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        """Go to the page that says what would go."""
        chosen = list(queryset.order_by().values_list("pk", flat=True)[: deleting.MOST + 1])
        if len(chosen) > deleting.MOST:
            self.message_user(request, deleting.TOO_MANY, messages.ERROR)
            return None
        query = urlencode({"pk": chosen}, doseq=True)
        return HttpResponseRedirect(f"{reverse('admin:corpus_document_remove')}?{query}")

    def remove(self, request: HttpRequest) -> HttpResponse:
        """Say what would go; on POST, delete."""
        return deleting.remove(self, request)
