"""What someone came in with, and whether it is still good: for whatever stays open for long."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import ApiToken, User


@dataclass(frozen=True, slots=True)
class Credential:
    """An API token, by its row, or a session, by its key. One of neither is never good."""

    token: int | None = None
    session: str = ""


def good(credentials: Collection[Credential]) -> set[Credential]:
    """Those that still let their owner in: tokens neither revoked nor expired, sessions of someone
    who has neither signed out nor changed the password since.

    At most three statements for any number.
    """
    tokens = _live_tokens({each.token for each in credentials if each.token is not None})
    sessions = _live_sessions({each.session for each in credentials if each.session})
    return {each for each in credentials if each.token in tokens or each.session in sessions}


def _live_tokens(ids: set[int]) -> set[int]:
    if not ids:
        return set()
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    live = ApiToken.objects.filter(unexpired, pk__in=ids, revoked_at=None, user__is_active=True)
    return set(live.values_list("pk", flat=True))


def _live_sessions(keys: set[str]) -> set[str]:
    """The database holds sessions (SESSION_ENGINE); signing out removes the row."""
    if not keys:
        return set()
    kept = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    held = {session.session_key: session.get_decoded() for session in kept}
    ids = {data[SESSION_KEY] for data in held.values() if SESSION_KEY in data}
    users = {str(user.pk): user for user in User.objects.filter(pk__in=ids, is_active=True)}
    return {
        key
        for key, data in held.items()
        if (user := users.get(data.get(SESSION_KEY, "")))
        and constant_time_compare(data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    }
