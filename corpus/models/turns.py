"""How much of the workers each team has had lately."""

from __future__ import annotations

from django.db import models

from accounts.models import Team


class JobTurn(models.Model):
    """Seconds of bulk work done for a team, fading with time (services.turns)."""

    team = models.OneToOneField(Team, models.CASCADE, primary_key=True, related_name="+")
    spent_s = models.FloatField(default=0)
    at = models.DateTimeField()  # when `spent_s` was right

    def __str__(self) -> str:
        return f"{self.team}: {self.spent_s:.1f} s"
