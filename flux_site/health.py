"""Whether the site lives, and whether each part answers."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse


def live(request: HttpRequest) -> JsonResponse:
    """The process answers; open to everyone."""
    return JsonResponse({"status": "ok"})
