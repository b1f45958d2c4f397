"""The desk of corpora: counts, settings, who else may do what, how far the lexicon has come."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib import admin
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode

from accounts.admin.audited import Audited
from accounts.types import Role
from accounts.web.formats import grouped
from corpus.admin import sources
from corpus.admin.base import Bounded, column, is_site_admin, link, person
from corpus.models import Corpus, CorpusGrant, Document
from corpus.services import lexicons
from corpus.tasks import rescope_works


class GrantInline(admin.StackedInline):
    """Who else may do what with a corpus."""

    model = CorpusGrant
    extra = 0
    raw_id_fields = ("team", "user")


@admin.register(Corpus)
class CorpusAdmin(Audited):
    """Corpora."""

    views_recorded = True
    show_full_result_count = False
    paginator = Bounded
    list_display = ("name", "team", "visibility", "documents", "passages", "revision", "deleting")
    list_filter = ("visibility", "deleting", "external_models_allowed")
    list_select_related = ("team",)
    search_fields = ("name", "slug", "team__name")
    readonly_fields = (
        *("public_id", "revision", "document_count", "chunk_count", "encoder", "languages"),
        *("lexicon", "is_demo", "created_at"),
    )
    fields = (
        *("name", "slug", "description", "team", "visibility", "external_models_allowed"),
        "chunker",
        *readonly_fields,
    )
    raw_id_fields = ("team",)
    inlines = (GrantInline,)

    def corpus_of(self, row: Any) -> Corpus:
        """A corpus is its own."""
        return cast(Corpus, row)

    def get_queryset(self, request: HttpRequest) -> Any:
        """A site admin sees all, anybody else those they may read."""
        rows: Any = super().get_queryset(request)
        return rows if is_site_admin(request) else rows.visible_to(person(request))

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """In any team: so site admins only. Teams make theirs with `bin/flux create_corpus`."""
        return is_site_admin(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Permissions and data policy are the owners'."""
        if not super().has_change_permission(request, obj):
            return False
        if obj is None or is_site_admin(request):
            return True
        return bool(
            Corpus.objects.with_role(person(request), Role.OWNER).filter(pk=obj.pk).exists()
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Whose a corpus is, site admins change: it would be out of its owner's hands."""
        fields = super().get_readonly_fields(request, obj)
        return fields if is_site_admin(request) else (*fields, "team")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not from here: a corpus has entries in indexes that only its own deletion removes."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """The admin's own, and the desk of sources."""
        view = self.admin_site.admin_view(self.sources)
        return [path("sources/", view, name="corpus_sources"), *super().get_urls()]

    def sources(self, request: HttpRequest) -> HttpResponse:
        """Sources with their documents, failures and quotas."""
        return sources.page(self, request)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """With the grants saved it is known who reads the corpus: its works follow."""
        super().save_related(request, form, formsets, change)
        corpus = form.instance.pk
        transaction.on_commit(lambda: rescope_works.delay(corpus), robust=True)

    @column("documents", ordering="document_count")
    def documents(self, corpus: Corpus) -> str:
        """How many, with the way to them."""
        query = urlencode({"corpus": str(corpus.public_id)})
        url = f"{reverse('admin:corpus_document_changelist')}?{query}"
        return link(url, grouped(corpus.document_count))

    @column("passages", ordering="chunk_count")
    def passages(self, corpus: Corpus) -> str:
        """How many."""
        return grouped(corpus.chunk_count)

    @column("encoder")
    def encoder(self, corpus: Corpus) -> str:
        """Which makes the vectors of this installation."""
        return str(settings.DEFAULT_ENCODER)

    @column("languages it reads")
    def languages(self, corpus: Corpus) -> str:
        """Documents of others are found by words."""
        return ", ".join(settings.ENCODER_LANGUAGES)

    @column("lexicon")
    def lexicon(self, corpus: Corpus) -> str:
        """Its version, and how many documents are stamped by it."""
        if corpus.pk is None:
            return "–"
        present = lexicons.present(corpus).fingerprint
        rows = Document.objects.filter(corpus=corpus).order_by().values_list("lexicon")
        counts = dict(rows.annotate(n=Count("pk")))
        return (
            f"{present}: {counts.get(present, 0)} of {sum(counts.values())} documents linked by it"
        )
