"""Teams and who belongs to them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from accounts.querysets import TeamQuerySet
from accounts.types import ROLE_CHOICES, Role


class Team(models.Model):
    """A group that owns corpora and pays for runs; each user also has a personal one."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=150)
    personal_of = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="personal_team",
    )
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="teams"
    )
    # Saved answers lose the quotes of a document that is deleted; else they keep them, marked.
    drops_quotes = models.BooleanField("drop quotes on deletion", default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's role in one team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=ROLE_CHOICES, default=Role.READER.value)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="membership_identity"),
            models.CheckConstraint(
                condition=models.Q(role__in=[value for value, _ in ROLE_CHOICES]),
                name="membership_role",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} ({self.role})"
