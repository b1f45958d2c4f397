"""A document: one record of one source in one corpus."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Left

from corpus.models.corpus import Corpus
from corpus.models.work import Work
from corpus.querysets import DocumentQuerySet, PageQuerySet

SEARCHED = 1_000  # characters of a title that the curators' search reads


class Document(models.Model):
    """What a source says about one thing. Its parts are swapped in one transaction, so readers see
    old or new.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="documents")
    source = models.CharField(max_length=30)
    external_id = models.CharField(max_length=255)
    work = models.ForeignKey(Work, models.SET_NULL, null=True, blank=True, related_name="documents")
    type = models.CharField(max_length=20)
    title = models.TextField(blank=True)
    identifiers = models.JSONField(default=dict)  # doi, pmid, pmcid, openalex
    authors = ArrayField(models.TextField(), default=list)
    journal = models.TextField(blank=True)
    published = models.CharField(max_length=10, blank=True)  # as precise as the source gives it
    year = models.SmallIntegerField(null=True, blank=True)
    licence = models.CharField(max_length=255, blank=True)
    language = models.CharField(max_length=12, blank=True)
    # Standing of its work (services.works), copied here for filters; never what the record alone
    # says.
    retracted = models.BooleanField(default=False)
    concern = models.BooleanField(default=False, db_default=False)
    corrected = models.BooleanField(default=False, db_default=False)
    tags = ArrayField(models.CharField(max_length=80), default=list)
    metadata = models.JSONField(default=dict)
    records = models.PositiveIntegerField(default=1)  # rows, entries, sets of the source in it
    note = models.TextField(blank=True)  # for the curator: why there is no text, what was left out
    content_sha256 = models.CharField(max_length=64)  # of everything stored: equal means unchanged
    pipeline = models.CharField(max_length=20, blank=True)  # that made it (services.fingerprint)
    lexicon = models.CharField(max_length=16, blank=True)  # that stamped its mentions (.lexicons)
    # Which record of which file (a blob) it was read from.
    file_sha256 = models.CharField(max_length=64, blank=True)
    file_position = models.PositiveIntegerField(default=0)
    # Set when its deletion is accepted: from then on no reader sees it, and no job finds it.
    deletion = models.ForeignKey(
        "corpus.Deletion",
        models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,
        related_name="marked",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # One that is on its way out leaves its place to a new one.
            models.UniqueConstraint(
                fields=["corpus", "source", "external_id"],
                condition=Q(deletion=None),
                name="document_identity",
            )
        ]
        indexes = [
            models.Index(fields=["corpus", "-id"], name="document_newest"),  # library pages
            models.Index(fields=["corpus", "year"], name="document_year"),
            GinIndex(fields=["tags"], name="document_tags"),
            models.Index(
                fields=["deletion", "id"], condition=~Q(deletion=None), name="document_marked"
            ),
            models.Index(fields=["file_sha256"], name="document_file"),
            # The curators' desk finds by words of the title and by the source's id.
            GinIndex(
                SearchVector(Left("title", SEARCHED), config="simple"), name="document_title_words"
            ),
            models.Index(
                fields=["external_id"], opclasses=["varchar_pattern_ops"], name="document_external"
            ),
            models.Index(
                fields=["-id"],
                condition=Q(retracted=True) | Q(concern=True) | Q(corrected=True),
                name="document_standing",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class Section(models.Model):
    """A heading and what stands under it, by its path from the top of the document."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="sections")
    position = models.PositiveIntegerField()
    path = ArrayField(models.TextField())

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="section_identity")
        ]

    def __str__(self) -> str:
        return " › ".join(self.path)
