"""Names of entities in passages."""

from __future__ import annotations

from django.db import models

from corpus.models.chunk import Chunk
from corpus.models.graph import Node
from corpus.querysets import MentionQuerySet


class Mention(models.Model):
    """Characters [start, end) of a passage name an entity."""

    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="mentions")
    node = models.ForeignKey(Node, models.CASCADE, related_name="mentions")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    primary = models.BooleanField(
        default=False
    )  # in the title, the section path or the first lines
    vocabulary = models.CharField(max_length=30)

    objects = MentionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["chunk", "start", "end", "node"], name="mention_identity"
            ),
            models.CheckConstraint(
                condition=models.Q(end__gt=models.F("start")), name="mention_span"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.node} at {self.start}"
