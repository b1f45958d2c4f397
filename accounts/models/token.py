"""API tokens: shown once, kept as a hash."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.querysets import OwnQuerySet
from accounts.types import SCOPE_CHOICES


class ApiToken(models.Model):
    """A secret that stands for a person; only its SHA-256 is kept, its prefix is shown."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100, blank=True)
    prefix = models.CharField(max_length=12)
    sha256 = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=SCOPE_CHOICES))
    rate_per_minute = models.PositiveIntegerField(default=600)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = OwnQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.user}"
