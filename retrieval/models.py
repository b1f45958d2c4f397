"""What retrieval keeps of itself."""

from __future__ import annotations

import uuid

from django.db import models


class EvaluationRun(models.Model):
    """One evaluation: the set, the rows measured, and under which versions."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100)
    questions = models.PositiveIntegerField()
    rows = models.JSONField()
    paired = models.JSONField(default=list)
    versions = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name}, {self.created_at:%Y-%m-%d}"
