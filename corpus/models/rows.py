"""Rows of tables and vocabularies, as their source states them: what graph, ranking and lexicon are
built from.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Left

from corpus.models.corpus import Corpus
from corpus.models.document import SEARCHED, Document
from corpus.querysets import RowQuerySet, RulingQuerySet


class RelationDraft(models.Model):
    """What a document says of two things. Edges are made from these; of a table, one stands for one
    row.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="relations")
    position = models.PositiveIntegerField()  # in the document, from 0
    subject = models.CharField(max_length=255)  # a CURIE or a name, as the source has it
    subject_label = models.TextField(blank=True)
    subject_kind = models.CharField(max_length=20, blank=True)
    predicate = models.CharField(max_length=60)
    object = models.CharField(max_length=255)
    object_label = models.TextField(blank=True)
    object_kind = models.CharField(max_length=20, blank=True)
    sign = models.SmallIntegerField(default=0)
    record = models.CharField(max_length=255, blank=True)
    pmids = ArrayField(models.CharField(max_length=20), default=list)
    fields = models.JSONField(default=dict)  # the row's other columns

    objects = RowQuerySet.as_manager()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "position"], name="relation_draft_identity"
            ),
            models.CheckConstraint(condition=Q(sign__in=[-1, 0, 1]), name="relation_draft_sign"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate} {self.object}"


class Signature(models.Model):
    """What a perturbation does to many genes: `values[i]` is the effect on `genes[i]`."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="signatures")
    position = models.PositiveIntegerField()
    name = models.TextField()
    perturbation = models.CharField(max_length=255)
    perturbation_label = models.TextField(blank=True)
    kind = models.CharField(max_length=20)
    statistic = models.CharField(max_length=60)
    context = models.TextField(blank=True)
    taxon = models.CharField(max_length=30, blank=True)
    genes = ArrayField(models.TextField(), default=list)
    values = ArrayField(models.FloatField(), default=list)
    p_values = ArrayField(models.FloatField(), default=list)  # empty, or one for each gene

    objects = RowQuerySet.as_manager()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="signature_identity")
        ]

    def __str__(self) -> str:
        return self.name


class Term(models.Model):
    """An entity of a vocabulary and its names. The lexicon is built from these."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="terms")
    position = models.PositiveIntegerField()
    curie = models.CharField(max_length=120)
    label = models.TextField()
    kind = models.CharField(max_length=20)
    names = ArrayField(models.TextField(), default=list)  # the preferred one first
    symbols = ArrayField(models.TextField(), default=list)
    xrefs = ArrayField(models.TextField(), default=list)
    parents = ArrayField(models.TextField(), default=list)
    roles = ArrayField(models.TextField(), default=list)
    taxon = models.CharField(max_length=30, blank=True)
    withdrawn = models.BooleanField(default=False)
    replaced_by = ArrayField(models.TextField(), default=list)

    objects = RowQuerySet.as_manager()

    class Meta:
        verbose_name = "entity of a vocabulary"
        verbose_name_plural = "entities of vocabularies"
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="term_identity")
        ]
        indexes = [
            models.Index(fields=["curie"], name="term_curie"),
            # The curators' desk finds terms by words of the label.
            GinIndex(
                SearchVector(Left("label", SEARCHED), config="simple"), name="term_label_words"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.curie})"


class AliasRuling(models.Model):
    """A curator's word on a name that a vocabulary of a corpus gives an entity: it is not to be
    looked for, or only where the text speaks of the entity.

    It outlives the vocabulary's rows, which are replaced whenever it is read again.
    """

    VERDICTS = [("off", "Never matched"), ("ambiguous", "Matched only in context")]

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="alias_rulings")
    curie = models.CharField(max_length=120)
    alias = models.TextField()  # as it was shown when it was ruled on
    key = models.CharField(max_length=255)  # folded: spellings that fold alike are ruled alike
    verdict = models.CharField(max_length=9, choices=VERDICTS)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now=True)

    objects = RulingQuerySet.as_manager()

    class Meta:
        verbose_name = "ruling on a name"
        verbose_name_plural = "rulings on names"
        constraints = [
            models.UniqueConstraint(fields=["corpus", "curie", "key"], name="alias_ruling_identity")
        ]

    def __str__(self) -> str:
        return f"{self.alias} of {self.curie}: {self.get_verdict_display()}"
