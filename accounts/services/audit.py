"""Writing down what was done."""

from __future__ import annotations

from typing import Any

from django.db import models

from accounts.models import AuditEvent, User


def record(
    actor: User | None,
    action: str,
    target: models.Model | None = None,
    *,
    origin: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEvent:
    """Add an event, in the transaction of the act itself, so that neither stands without the
    other.
    """
    return AuditEvent.objects.create(
        actor=actor,
        actor_email=actor.email if actor else "",
        action=action,
        target_kind=target._meta.model_name or "" if target else "",
        target=str(getattr(target, "public_id", None) or getattr(target, "pk", "")),
        origin=origin,
        before=before,
        after=after,
    )
