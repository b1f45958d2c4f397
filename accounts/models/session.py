"""Research sessions: a grant of runs, money and time."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from accounts.models.budget import Budget
from accounts.models.team import Team
from accounts.querysets import OwnQuerySet


class ResearchSession(models.Model):
    """What research mode needs: some runs, some money, until some time. Its corpora stand in
    agent.SessionCorpus.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="research_sessions"
    )
    team = models.ForeignKey(Team, models.CASCADE, related_name="research_sessions")
    budget = models.OneToOneField(Budget, models.PROTECT, related_name="session")
    runs_allowed = models.PositiveIntegerField()
    runs_used = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = OwnQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(runs_used__lte=models.F("runs_allowed")),
                name="session_runs_within",
            )
        ]

    def __str__(self) -> str:
        return f"Research session {self.public_id}"
