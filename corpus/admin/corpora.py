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

from accounts.admin.audited import Audited, Remembering
from accounts.types import Role
from accounts.web.formats import grouped
from corpus.admin import sources
from corpus.admin.base import Bounded, acting, column, is_site_admin, link, person
from corpus.models import Corpus, CorpusGrant, Document
from corpus.services import corpora, garbage, lexicons, tuning
from corpus.tasks import dispatch, rescope_works


class GrantInline(Remembering, admin.StackedInline):
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
        """Permissions and data policy are the owners', until the corpus is to be deleted."""
        if not super().has_change_permission(request, obj) or (obj and obj.deleting):
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

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Who may open a corpus to everybody is said where others look for the choice."""
        field = super().formfield_for_choice_field(db_field, request, **kwargs)
        if field is not None and db_field.name == "visibility" and not is_site_admin(request):
            field.help_text = "Only a site admin opens a corpus to everyone signed in: ask one."
        return field

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

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form; files that its jobs name are kept until these are committed."""
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        with garbage.keeping():
            return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save what was changed; a refusal changes nothing."""
        if not change:
            corpora.check_opening(obj.visibility, person(request))
        super().save_model(request, obj, form, change)

    def save_columns(self, request: HttpRequest, obj: Any, names: list[str]) -> None:
        """How a corpus is read is set as on its page: jobs see to what is stored already."""
        if "visibility" in names:
            corpora.check_opening(obj.visibility, person(request))
        super().save_columns(request, obj, [name for name in names if name != "chunker"])
        if "chunker" in names:
            row = Corpus.objects.get(pk=obj.pk)
            if tuning.tune(row, chunker=obj.chunker, **acting(request)):
                transaction.on_commit(dispatch.delay)

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
