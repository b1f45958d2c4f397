"""Money: reserved before a call, settled after it, never counted twice and never lost.

A reservation takes the worst case of a call from every budget that applies, in one short
transaction that locks the budgets' windows in a fixed order. No lock is held while the model
answers.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from accounts.models import Budget, BudgetWindow, LedgerEntry, Membership, ModelCall, User
from accounts.types import MICRO, Role
from flux_site.kernel.errors import BudgetExhausted, NotFound

IN_ALL: Final = date(1970, 1, 1)  # the one window of a budget without a period
GRACE_S: Final = 60.0  # a reservation lives this long beyond its call's time limit


@dataclass(frozen=True, slots=True)
class Payer:
    """Who a call is for. `budgets` are ids of further budgets that apply: a session's, a
    drill's.
    """

    user_id: int | None = None
    team_id: int | None = None
    run: uuid.UUID | None = None
    budgets: tuple[int, ...] = ()
    shared: bool = True  # whether the site's and the owners' budgets apply


def reserve(
    payer: Payer,
    micro_usd: int,
    *,
    model: str,
    purpose: str,
    expires_in_s: float,
    call: uuid.UUID | None = None,
    now: datetime | None = None,
) -> ModelCall:
    """Take the worst case of a call from every budget that applies.

    The same `call` reserves once, whoever asks again. Raises BudgetExhausted, with `renews_at`,
    when any of the budgets would pass its cap; then nothing is taken.
    """
    call, now = call or uuid.uuid4(), now or timezone.now()
    known = ModelCall.objects.filter(call=call).first()
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return _reserve(payer, micro_usd, model, purpose, expires_in_s, call, now)
    except IntegrityError:  # another process reserved the same call between our look and our write
        return ModelCall.objects.get(call=call)


def _reserve(
    payer: Payer,
    micro_usd: int,
    model: str,
    purpose: str,
    expires_in_s: float,
    call: uuid.UUID,
    now: datetime,
) -> ModelCall:
    windows = _lock([_window(budget, now).pk for budget in applying(payer)])
    for window in windows:
        taken = window.reserved_microusd + window.settled_microusd
        if taken + micro_usd > window.budget.cap_microusd:
            raise exhausted(window)
    BudgetWindow.objects.filter(pk__in=[w.pk for w in windows]).update(
        reserved_microusd=F("reserved_microusd") + micro_usd
    )
    made = ModelCall.objects.create(
        call=call,
        run=payer.run,
        user_id=payer.user_id,
        team_id=payer.team_id,
        purpose=purpose,
        model=model,
        reserved_microusd=micro_usd,
        reserved_at=now,
        expires_at=now + timedelta(seconds=expires_in_s + GRACE_S),
    )
    made.windows.set(windows)
    _enter(windows, call, "reserve", micro_usd, now)
    return made


def applying(payer: Payer) -> list[Budget]:
    """The budgets that a call of this payer counts against, by id."""
    applies = Q(pk__in=payer.budgets)
    if payer.shared:
        ensure_site_budget()
        applies |= Q(kind="site")
        applies |= Q(kind="team", team_id=payer.team_id) if payer.team_id else Q()
        applies |= Q(kind="user", user_id=payer.user_id) if payer.user_id else Q()
    return list(Budget.objects.filter(applies).order_by("pk"))


def ensure_site_budget() -> Budget:
    """The site's budget a day; made from DAILY_BUDGET_USD when there is none, edited in the
    admin.
    """
    cap = int(settings.DAILY_BUDGET_USD * MICRO)
    budget, _ = Budget.objects.get_or_create(
        kind="site", period="day", defaults={"cap_microusd": cap}
    )
    return budget


def settle(call: uuid.UUID, micro_usd: int, *, usage: dict[str, int] | None = None) -> ModelCall:
    """Replace a reservation by what the call has cost. Settling again changes nothing."""
    return _end(call, "settled", micro_usd, usage=usage)


def settle_in_full(call: uuid.UUID) -> ModelCall:
    """End a reservation whose outcome is unknown: its worst case counts as spent, marked
    assumed.
    """
    return _end(call, "assumed", None)


def release(call: uuid.UUID) -> ModelCall:
    """Give a reservation back: the call surely did not happen."""
    return _end(call, "released", 0)


def _end(
    call: uuid.UUID, state: str, micro_usd: int | None, *, usage: dict[str, int] | None = None
) -> ModelCall:
    with transaction.atomic():
        found = ModelCall.objects.select_for_update().filter(call=call).first()
        if found is None:
            raise NotFound(f"There is no reservation {call}.")
        if found.state == "reserved":
            _close(found, state, micro_usd, usage or {}, timezone.now())
        return found


def _close(
    call: ModelCall, state: str, micro_usd: int | None, usage: dict[str, int], now: datetime
) -> None:
    windows = _lock([window.pk for window in call.windows.all()])
    amount = call.reserved_microusd if micro_usd is None else micro_usd
    BudgetWindow.objects.filter(pk__in=[w.pk for w in windows]).update(
        reserved_microusd=F("reserved_microusd") - call.reserved_microusd,
        settled_microusd=F("settled_microusd") + amount,
    )
    kind = "release" if state == "released" else "settle"
    entry = call.reserved_microusd if kind == "release" else amount
    _enter(windows, call.call, kind, entry, now, assumed=state == "assumed")
    call.state, call.settled_microusd, call.usage, call.ended_at = state, amount, usage, now
    call.save(update_fields=["state", "settled_microusd", "usage", "ended_at"])


def settle_expired(*, now: datetime | None = None, limit: int = 500) -> int:
    """Settle in full what nobody has ended in time; returns how many. The process died, or never
    told.
    """
    now = now or timezone.now()
    ended = 0
    for _ in range(limit):
        with transaction.atomic():
            open_calls = ModelCall.objects.filter(state="reserved", expires_at__lt=now)
            call = open_calls.select_for_update(skip_locked=True).order_by("expires_at").first()
            if call is None:
                return ended
            _close(call, "assumed", None, {}, now)
            ended += 1
    return ended


def _window(budget: Budget, now: datetime) -> BudgetWindow:
    starts_on = window_start(budget.period, now)
    window, _ = BudgetWindow.objects.get_or_create(budget=budget, starts_on=starts_on)
    return window


def _lock(ids: Iterable[int]) -> list[BudgetWindow]:
    """The windows, locked in the one order that everyone takes."""
    chosen = BudgetWindow.objects.filter(pk__in=list(ids)).select_related("budget")
    return list(chosen.order_by("budget_id", "starts_on").select_for_update(of=("self",)))


def _enter(
    windows: Sequence[BudgetWindow],
    call: uuid.UUID,
    kind: str,
    micro_usd: int,
    now: datetime,
    *,
    assumed: bool = False,
) -> None:
    """A ledger line for each budget. Written under the windows' locks, so ids follow commits."""
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            budget_id=window.budget_id,
            call=call,
            kind=kind,
            micro_usd=micro_usd,
            assumed=assumed,
            at=now,
        )
        for window in windows
    )


def window_start(period: str, now: datetime) -> date:
    """The first day (UTC) of the window that a call belongs to: the one in which it is reserved."""
    today = now.astimezone(UTC).date()
    return {"day": today, "month": today.replace(day=1)}.get(period, IN_ALL)


def renews_at(window: BudgetWindow) -> datetime | None:
    """When the next window of the budget begins; None for one without a period."""
    first = window.starts_on
    if window.budget.period == "day":
        following = first + timedelta(days=1)
    elif window.budget.period == "month":
        following = (first + timedelta(days=32)).replace(day=1)
    else:
        return None
    return datetime(following.year, following.month, following.day, tzinfo=UTC)


def exhausted(window: BudgetWindow) -> BudgetExhausted:
    """The error that names whose budget is used up, and until when."""
    whose = {
        "site": "This site's",
        "team": "The team's",
        "user": "Your",
        "session": "The session's",
    }
    owner = whose.get(window.budget.kind, "This")
    renewal = renews_at(window)
    until = f" It renews at {renewal:%Y-%m-%d %H:%M} UTC." if renewal else ""
    return BudgetExhausted(
        f"{owner} budget is used up.{until}",
        budget=window.budget.kind,
        renews_at=renewal.isoformat() if renewal else None,
    )


def spent_on_run(run: uuid.UUID) -> int:
    """Micro-dollars that the ended calls of a run have cost."""
    total = ModelCall.objects.filter(run=run).aggregate(total=Sum("settled_microusd"))["total"]
    return int(total or 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is used of one budget in its present window, in micro-dollars."""

    kind: str
    period: str
    used_microusd: int
    cap_microusd: int
    renews_at: datetime | None


def standings(payer: Payer, *, now: datetime | None = None) -> list[Standing]:
    """Each budget that applies to a payer, with what is taken of it (open reservations
    included).
    """
    now = now or timezone.now()
    found = []
    for budget in applying(payer):
        starts_on = window_start(budget.period, now)
        window = BudgetWindow.objects.filter(budget=budget, starts_on=starts_on).first()
        window = window or BudgetWindow(budget=budget, starts_on=starts_on)
        used = window.reserved_microusd + window.settled_microusd
        found.append(
            Standing(budget.kind, budget.period, used, budget.cap_microusd, renews_at(window))
        )
    return found


def ledger(budget: uuid.UUID, reader: User) -> list[LedgerEntry]:
    """The entries of one budget in commit order. Raises NotFound for one that the reader may not
    see.
    """
    found = visible_budgets(reader).filter(public_id=budget).first()
    if found is None:
        raise NotFound("There is no such budget.")
    return list(LedgerEntry.objects.filter(budget=found).order_by("pk"))


def visible_budgets(reader: User) -> QuerySet[Budget]:
    """Budgets whose ledger a person may read: their own, their teams' as owner, all as site
    admin.
    """
    if reader.is_superuser:
        return Budget.objects.all()
    owned = Membership.objects.filter(user=reader, role=Role.OWNER.value).values("team_id")
    return Budget.objects.filter(Q(user=reader) | Q(team_id__in=owned) | Q(session__user=reader))
