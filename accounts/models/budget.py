"""Money, in whole micro-dollars: caps, what is committed against them, and the ledger."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.team import Team


class Budget(models.Model):
    """A cap per window of time. Which calls it applies to follows from its kind."""

    KINDS = [
        ("site", "Site"),
        ("team", "Team"),
        ("user", "User"),
        ("session", "Research session"),
        ("drill", "Drill"),
    ]
    PERIODS = [("day", "Day (UTC)"), ("month", "Month (UTC)"), ("total", "In all")]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=8, choices=KINDS)
    period = models.CharField(max_length=5, choices=PERIODS)
    cap_microusd = models.BigIntegerField()
    team = models.ForeignKey(Team, models.CASCADE, null=True, blank=True, related_name="budgets")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="budgets"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(cap_microusd__gte=0), name="budget_cap_not_negative"
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind="team", team__isnull=False, user__isnull=True)
                    | Q(kind="user", team__isnull=True, user__isnull=False)
                    | Q(kind__in=["site", "session", "drill"], team__isnull=True, user__isnull=True)
                ),
                name="budget_owner_fits_kind",
            ),
            models.UniqueConstraint(
                fields=["period"], condition=Q(kind="site"), name="one_site_budget_a_period"
            ),
            models.UniqueConstraint(
                fields=["team", "period"], condition=Q(kind="team"), name="one_team_budget_a_period"
            ),
            models.UniqueConstraint(
                fields=["user", "period"], condition=Q(kind="user"), name="one_user_budget_a_period"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} budget a {self.period}"


class BudgetWindow(models.Model):
    """What is committed of one budget in one window: the row that a reservation locks."""

    budget = models.ForeignKey(Budget, models.CASCADE, related_name="windows")
    starts_on = models.DateField()
    reserved_microusd = models.BigIntegerField(default=0)
    settled_microusd = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["budget", "starts_on"], name="budget_window_identity"),
            models.CheckConstraint(
                condition=Q(reserved_microusd__gte=0) & Q(settled_microusd__gte=0),
                name="budget_window_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.budget} from {self.starts_on}"


class ModelCall(models.Model):
    """One call of a model, from its reservation to its end."""

    STATES = [
        ("reserved", "Reserved"),
        ("settled", "Settled"),
        ("assumed", "Settled in full, outcome unknown"),
        ("released", "Released, did not happen"),
    ]

    call = models.UUIDField(default=uuid.uuid4, unique=True)
    run = models.UUIDField(null=True, blank=True, db_index=True)  # agent.Run's public id
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="model_calls"
    )
    team = models.ForeignKey(Team, models.SET_NULL, null=True, related_name="model_calls")
    purpose = models.CharField(max_length=40)
    model = models.CharField(max_length=100)
    state = models.CharField(max_length=8, choices=STATES, default="reserved")
    windows = models.ManyToManyField(BudgetWindow, related_name="calls")
    reserved_microusd = models.BigIntegerField()
    settled_microusd = models.BigIntegerField(null=True, blank=True)
    usage = models.JSONField(default=dict)  # tokens by kind, as the endpoint counted them
    reserved_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            # accounts.tasks settles what has expired
            models.Index(
                fields=["expires_at"], condition=Q(state="reserved"), name="model_call_open"
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} with {self.model}: {self.state}"


class LedgerEntry(models.Model):
    """A line of the ledger: append-only, one of each kind for a call and a budget. The id gives
    commit order.
    """

    KINDS = [("reserve", "Reserve"), ("settle", "Settle"), ("release", "Release")]

    budget = models.ForeignKey(Budget, models.PROTECT, related_name="entries")
    call = models.UUIDField()
    kind = models.CharField(max_length=8, choices=KINDS)
    micro_usd = models.BigIntegerField()
    assumed = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(
                fields=["budget", "call", "kind"], name="ledger_entry_identity"
            ),
            models.CheckConstraint(condition=Q(micro_usd__gte=0), name="ledger_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.micro_usd} µ$"


class ModelPrice(models.Model):
    """What a model costs from a day on: micro-dollars per million tokens ($3/M is 3,000,000)."""

    model = models.CharField(max_length=100)
    valid_from = models.DateField()
    input_microusd = models.BigIntegerField()
    output_microusd = models.BigIntegerField()
    cache_read_microusd = models.BigIntegerField()
    cache_write_microusd = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["model", "valid_from"], name="model_price_identity")
        ]

    def __str__(self) -> str:
        return f"{self.model} from {self.valid_from}"
