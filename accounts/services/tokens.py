"""API tokens: made once, recognised by their hash."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.services.audit import record
from accounts.types import Scope
from flux_site.kernel.errors import InvalidInput

PREFIX = "flux_"
LAST_USE_PRECISION = timedelta(minutes=1)  # a write for each request would be a write for nothing


def create(
    user: User,
    scopes: Sequence[str],
    *,
    name: str = "",
    expires_at: datetime | None = None,
    origin: str = "",
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is not kept. Raises InvalidInput on unknown scopes."""
    known = [scope.value for scope in Scope]
    unknown = [scope for scope in scopes if scope not in known]
    if unknown or not scopes:
        raise InvalidInput(
            f"Scopes are some of {', '.join(known)}; got {', '.join(scopes) or 'none'}."
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:10],
        sha256=hashlib.sha256(secret.encode()).digest(),
        scopes=sorted(set(scopes), key=known.index),
        expires_at=expires_at,
    )
    record(user, "token.create", token, origin=origin, after={"scopes": token.scopes})
    return token, secret


def revoke(token: ApiToken, *, by: User, origin: str = "") -> None:
    """End a token; it stays listed."""
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    record(by, "token.revoke", token, origin=origin)


def recognise(secret: str) -> ApiToken | None:
    """The live token with that secret, None when there is none; its last use is noted by the
    minute.
    """
    now = timezone.now()
    digest = hashlib.sha256(secret.encode()).digest()
    token = (
        ApiToken.objects.select_related("user")
        .filter(sha256=digest, revoked_at=None, user__is_active=True)
        .filter(Q(expires_at=None) | Q(expires_at__gt=now))
        .first()
    )
    if token and (token.last_used_at is None or now - token.last_used_at > LAST_USE_PRECISION):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
