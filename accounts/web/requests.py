"""Requests of pages: who asks, and for what."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


class SignedInRequest(HttpRequest):
    """A request behind `login_required`, for the type checker."""

    user: User  # type: ignore[assignment]


def wants_json(request: HttpRequest) -> bool:
    """Whether a script of ours asked, rather than a browser that shows what comes back."""
    return "application/json" in request.headers.get("Accept", "")
