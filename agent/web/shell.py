"""What the frame of every page says about runs."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from agent.models import Run


def running(request: HttpRequest) -> dict[str, Any]:
    """Context processor: how many of the reader's own runs are under way, counted if shown."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"running_runs": SimpleLazyObject(partial(count_running, user))}


def count_running(user: User) -> int:
    """How many runs that the user started have not ended."""
    mine = Run.objects.visible_to(user).filter(user=user, status__in=["queued", "running"])
    return int(mine.count())
