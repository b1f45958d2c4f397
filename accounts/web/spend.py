"""What a person has spent, for the pages. It is read; only accounts.services.budgets decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Budget, Membership, ModelCall, User
from accounts.types import MICRO
from accounts.web.formats import money, percent


@dataclass(frozen=True, slots=True)
class Spend:
    """Micro-dollars that one person committed, and the daily cap that they meet first."""

    today: int
    month: int
    calls: int
    cap_microusd: int

    @property
    def spent(self) -> str:
        """Today's sum in words."""
        return money(self.today)

    @property
    def cap(self) -> str:
        """The cap in words."""
        return money(self.cap_microusd)

    @property
    def cap_short(self) -> str:
        """The cap without cents where it has none."""
        return self.cap.removesuffix(".00")

    @property
    def percent(self) -> float:
        """Share of the cap."""
        return percent(self.today, self.cap_microusd)


def spend_of(user: User, now: datetime | None = None) -> Spend:
    """The person's own spend; a call counts when it is reserved (UTC), and open ones in full."""
    now = now or timezone.now()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    mine = ModelCall.objects.filter(user=user, reserved_at__gte=today.replace(day=1)).exclude(
        state="released"
    )
    amount = Coalesce("settled_microusd", "reserved_microusd")
    sums = mine.aggregate(
        month=Sum(amount, default=0), today=Sum(amount, filter=Q(reserved_at__gte=today), default=0)
    )
    return Spend(
        sums["today"], sums["month"], mine.count() if sums["month"] else 0, daily_cap(user)
    )


def daily_cap(user: User) -> int:
    """The lowest daily cap that applies to the person, in micro-dollars."""
    teams = Membership.objects.filter(user=user).values("team_id")
    own = Budget.objects.filter(period="day").filter(
        Q(kind="user", user=user) | Q(kind="team", team_id__in=teams)
    )
    caps = list(own.values_list("cap_microusd", flat=True))
    return min([*caps, int(settings.DAILY_BUDGET_USD * MICRO)])


def renewal(now: datetime | None = None) -> datetime:
    """When daily budgets start again: the next midnight, UTC."""
    now = now or timezone.now()
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
