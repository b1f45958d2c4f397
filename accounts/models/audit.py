"""What was done, by whom. The database lets no row be changed or removed."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class AuditEvent(models.Model):
    """One act that changes permissions, money or records. A trigger refuses updates and deletes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    # No foreign keys with effects: the record outlives what it is about.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
    )
    actor_email = models.CharField(max_length=254, blank=True)
    action = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=40, blank=True)
    target = models.CharField(max_length=200, blank=True)
    origin = models.CharField(max_length=60, blank=True)  # address, or "command"
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
