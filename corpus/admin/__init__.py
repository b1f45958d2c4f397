"""The curators' desk: corpora, documents, jobs, works, encoders."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from corpus.admin import watched  # noqa: F401
from corpus.models import (
    Corpus,
    CorpusGrant,
    Document,
    Encoder,
    Follower,
    IngestJob,
    JobItem,
    Work,
)
from corpus.tasks import rescope_works


class GrantInline(admin.TabularInline):
    """Who else may do what with a corpus."""

    model = CorpusGrant
    extra = 0
    autocomplete_fields = ("team", "user")


@admin.register(Corpus)
class CorpusAdmin(Audited):
    """Corpora."""

    views_recorded = True
    list_display = ("name", "team", "visibility", "document_count", "chunk_count", "revision")
    list_filter = ("visibility",)
    search_fields = ("name", "slug", "team__name")
    readonly_fields = ("public_id", "revision", "document_count", "chunk_count", "is_demo")
    autocomplete_fields = ("team",)
    inlines = (GrantInline,)

    def corpus_of(self, row: Any) -> Corpus:
        """A corpus is its own."""
        return cast(Corpus, row)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """With the grants saved it is known who reads the corpus: its works follow."""
        super().save_related(request, form, formsets, change)
        corpus = form.instance.pk
        transaction.on_commit(lambda: rescope_works.delay(corpus), robust=True)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not from here: a corpus has entries in indexes that only its own deletion removes."""
        return False


@admin.register(Document)
class DocumentAdmin(ReadOnly, Audited):
    """Documents, with what a curator has to know."""

    views_recorded = True
    list_display = ("title", "source", "external_id", "corpus", "retracted", "note", "updated_at")
    list_filter = ("source", "type", "retracted", "concern", "corrected", "corpus")
    search_fields = ("title", "external_id")
    list_select_related = ("corpus",)
    show_full_result_count = False


class JobItemInline(ReadOnly, admin.TabularInline):
    """What failed in a job, and why."""

    model = JobItem
    fields = ("name", "external_id", "state", "code", "reason")
    verbose_name_plural = "items that failed"

    def get_queryset(self, request: HttpRequest) -> Any:
        """Failures only: a job may have a million items."""
        return super().get_queryset(request).filter(state="failed")


@admin.register(IngestJob)
class IngestJobAdmin(ReadOnly, Audited):
    """Jobs and their failures."""

    views_recorded = True
    list_display = ("created_at", "source", "corpus", "state", "user", "finished_at")
    list_filter = ("state", "source")
    list_select_related = ("corpus", "user")
    inlines = (JobItemInline,)


@admin.register(Work)
class WorkAdmin(ReadOnly, Audited):
    """Papers and their standing."""

    views_recorded = True
    list_display = (
        *("scope", "doi", "pmid", "pmcid", "openalex"),
        *("retracted", "concern", "corrected"),
    )
    list_filter = ("retracted", "concern", "corrected")
    search_fields = ("doi", "pmid", "pmcid", "openalex")


@admin.register(Encoder)
class EncoderAdmin(ReadOnly, Audited):
    """Encoders whose vectors are stored."""

    list_display = ("name", "modality", "dimension", "created_at")


@admin.register(Follower)
class FollowerAdmin(ReadOnly, Audited):
    """How far each follower of the change log has read."""

    list_display = ("name", "host", "xid", "change", "seen_at")
