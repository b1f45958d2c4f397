"""Research sessions: opening, closing, and the gate that research mode passes."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Budget, Membership, ResearchSession, Team, User
from accounts.services.audit import record
from accounts.types import MICRO, Role, at_least
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound

LIFETIME = timedelta(days=7)


@transaction.atomic
def open_session(
    user: User,
    team: Team,
    *,
    usd: Decimal,
    runs: int,
    expires_at: datetime | None = None,
    origin: str = "",
) -> ResearchSession:
    """Grant some runs and some money until some time.

    Raises NotAllowed below researcher in the team, InvalidInput for amounts that are not positive.
    """
    member = Membership.objects.filter(user=user, team=team, role__in=at_least(Role.RESEARCHER))
    if not member.exists():
        raise NotAllowed("Opening a research session needs the role researcher in the team.")
    if usd <= 0 or runs < 1:
        raise InvalidInput("A session needs a positive amount and at least one run.")
    expires_at = expires_at or timezone.now() + LIFETIME
    if expires_at <= timezone.now():
        raise InvalidInput("A session must end in the future.")
    budget = Budget.objects.create(kind="session", period="total", cap_microusd=int(usd * MICRO))
    session = ResearchSession.objects.create(
        user=user, team=team, budget=budget, runs_allowed=runs, expires_at=expires_at
    )
    record(user, "session.open", session, origin=origin, after={"usd": str(usd), "runs": runs})
    return session


@transaction.atomic
def take_run(user: User, session: uuid.UUID) -> ResearchSession:
    """Use one of a session's runs. Raises NotFound for another's, NotAllowed for one that is
    over.
    """
    found = (
        ResearchSession.objects.visible_to(user)
        .select_for_update()
        .filter(public_id=session)
        .first()
    )
    if found is None:
        raise NotFound("There is no such research session.")
    if not is_open(found):
        raise NotAllowed("The research session is closed or has expired; open another one.")
    if found.runs_used >= found.runs_allowed:
        raise NotAllowed("The research session has no runs left; open another one.")
    ResearchSession.objects.filter(pk=found.pk).update(runs_used=F("runs_used") + 1)
    found.refresh_from_db()
    return found


def is_open(session: ResearchSession, *, now: datetime | None = None) -> bool:
    """Whether runs may still start in it."""
    return session.closed_at is None and session.expires_at > (now or timezone.now())


@transaction.atomic
def close_session(user: User, session: uuid.UUID, *, origin: str = "") -> ResearchSession:
    """End a session; closing again changes nothing. Its runs are stopped by agent.services.runs."""
    found = ResearchSession.objects.visible_to(user).filter(public_id=session).first()
    if found is None:
        raise NotFound("There is no such research session.")
    if found.closed_at is None:
        found.closed_at = timezone.now()
        found.save(update_fields=["closed_at"])
        record(user, "session.close", found, origin=origin)
    return found
