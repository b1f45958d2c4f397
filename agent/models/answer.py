"""What a run comes to: an answer, its claims, and what they cite."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from agent.models.run import Run
from agent.querysets import CitationQuerySet, ClaimQuerySet, OfRunQuerySet
from corpus.models import Chunk, Corpus, Document


class Answer(models.Model):
    """A FinalAnswer as it was given; a later check makes a new revision and the old one stays."""

    MODES = [
        ("model", "Model"),
        ("extractive", "Extractive"),
        ("fallback", "Fallback"),
        ("abstained", "Abstained"),
    ]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    run = models.ForeignKey(Run, models.CASCADE, related_name="answers")
    revision = models.PositiveSmallIntegerField(default=1)
    mode = models.CharField(max_length=10, choices=MODES)
    text = models.TextField()
    confidence = models.FloatField()
    retrieval_quality = models.CharField(max_length=7)
    reasoning_summary = models.TextField(blank=True)
    warnings = models.JSONField(default=list)
    used_sources = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    objects = OfRunQuerySet.as_manager()

    class Meta:
        ordering = ["run", "-revision"]
        constraints = [
            models.UniqueConstraint(fields=["run", "revision"], name="answer_identity"),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0, confidence__lte=1), name="answer_confidence"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Citation(models.Model):
    """A verbatim quote of a passage. The quote stays when the passage goes, and then says so."""

    answer = models.ForeignKey(Answer, models.CASCADE, related_name="citations")
    key = models.PositiveSmallIntegerField()  # its number in the answer, from 1
    # Null once the corpus is deleted: then the quote is the asker's only (services.deleted).
    corpus = models.ForeignKey(Corpus, models.SET_NULL, null=True, related_name="+")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="citations")
    chunk = models.ForeignKey(Chunk, models.SET_NULL, null=True, related_name="citations")
    chunk_public_id = models.UUIDField()
    source = models.CharField(max_length=30)
    external_id = models.CharField(max_length=255)
    title = models.TextField(blank=True)
    quote = models.TextField()
    start = models.PositiveIntegerField()  # of the quote in the passage's text
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    section = models.TextField(blank=True)
    content_type = models.CharField(max_length=12)
    image_hash = models.CharField(max_length=64, blank=True)

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "key"]
        constraints = [models.UniqueConstraint(fields=["answer", "key"], name="citation_identity")]

    def __str__(self) -> str:
        return f"[{self.key}] {self.quote[:60]}"


class Claim(models.Model):
    """One statement of an answer and the citations it rests on."""

    STATUSES = [
        ("supported", "Supported"),
        ("uncertain", "Uncertain"),
        ("unverified", "Unverified"),
    ]

    answer = models.ForeignKey(Answer, models.CASCADE, related_name="claims")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    status = models.CharField(max_length=10, choices=STATUSES)
    checks = models.JSONField(default=list)  # reasons of the grounding checks
    citations = models.ManyToManyField(Citation, related_name="claims")

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "position"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "position"], name="claim_identity")
        ]

    def __str__(self) -> str:
        return self.text[:80]
