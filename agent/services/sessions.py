"""Research sessions and the corpora they may read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction

from accounts.models import ResearchSession, User
from accounts.services import sessions
from agent.models import Run, SessionCorpus
from agent.services import runs as run_service
from corpus.services import corpora as corpora_service
from flux_site.kernel.errors import InvalidInput


@transaction.atomic
def open_session(
    user: User, corpora: Sequence[str], *, usd: Decimal, runs: int, origin: str = ""
) -> ResearchSession:
    """A session over some corpora that the user may read; the team of the first that is theirs
    pays.

    Raises NotFound for a corpus that is absent or hidden, NotAllowed below researcher, InvalidInput
    for amounts that are not positive.
    """
    scope = corpora_service.scope(user, corpora)
    if not scope:
        raise InvalidInput("A research session needs at least one corpus.")
    team = run_service.paying_team(user, scope)
    session = sessions.open_session(user, team, usd=usd, runs=runs, origin=origin)
    SessionCorpus.objects.bulk_create(
        SessionCorpus(session=session, corpus=corpus) for corpus in scope
    )
    return session


def close_session(user: User, session: uuid.UUID, *, origin: str = "") -> ResearchSession:
    """Close a session and stop the runs that are under way in it."""
    closed = sessions.close_session(user, session, origin=origin)
    under_way = Run.objects.filter(session=closed, status__in=["queued", "running"])
    for public_id in list(under_way.values_list("public_id", flat=True)):
        run_service.stop_run(public_id, user)
    return closed
