"""Passages: everything that can be retrieved and cited."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from corpus.models.corpus import Corpus
from corpus.models.document import Document, Section
from corpus.querysets import ChunkQuerySet


class Chunk(models.Model):
    """A passage. Its public id stays while its text stays.

    A proposition is one statement of its parent, the passage that is shown for it; `fields` tell
    the characters [start, end) of the parent that say so.
    """

    CONTENT_TYPES = [
        ("text", "Text"),
        ("image", "Figure"),
        ("table", "Table"),
        ("record", "Record"),
        ("proposition", "Proposition"),
    ]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="chunks")
    parent = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="propositions"
    )
    content_type = models.CharField(max_length=12, choices=CONTENT_TYPES)
    chunk_index = models.PositiveIntegerField()
    text = models.TextField()
    text_sha256 = models.BinaryField(max_length=32)  # of title and text, as encoders see them
    section = models.ForeignKey(Section, models.SET_NULL, null=True, related_name="chunks")
    section_path = ArrayField(models.TextField(), default=list)
    page_start = models.PositiveIntegerField(null=True)
    page_end = models.PositiveIntegerField(null=True)
    char_start = models.PositiveIntegerField(default=0)
    char_end = models.PositiveIntegerField(default=0)
    lines = models.JSONField(default=list)  # [[start, end, page, x0, y0, x1, y1], …] in this text
    fields = models.JSONField(default=dict)  # a structured record's own values

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["document", "content_type", "chunk_index"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "content_type", "chunk_index"],
                name="chunk_identity",
                deferrable=models.Deferrable.DEFERRED,  # kept passages move within one transaction
            ),
            models.CheckConstraint(
                condition=Q(content_type="proposition", parent__isnull=False)
                | ~Q(content_type="proposition") & Q(parent__isnull=True),
                name="proposition_of_passage",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    @property
    def section_title(self) -> str:
        """The path of headings as one line."""
        return " › ".join(self.section_path)
