"""Whether the site lives, and whether each part answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.services import tokens
from accounts.types import Scope
from corpus.models import Encoder
from flux_site.celery import app
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import NotFound

LOOPBACK = {"127.0.0.1", "::1"}


def live(request: HttpRequest) -> JsonResponse:
    """The process answers; open to everyone."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """Each part's state, for callers on this machine and for admin tokens; others learn nothing."""
    if not (_is_local(request) or _is_admin(request)):
        raise Http404
    parts = states()
    ok = all(part["state"] == "ok" for part in parts.values())
    return JsonResponse(
        {"status": "ok" if ok else "degraded", "parts": parts}, status=200 if ok else 503
    )


class Health(APIView):
    """GET health."""

    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(
        responses=OpenApiResponse(response={"type": "object"}),
        examples=[OpenApiExample("alive", {"status": "ok"}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """The API answers."""
        return Response({"status": "ok"})


def states() -> dict[str, dict[str, Any]]:
    """Each part's state; the workers get a second to answer."""
    return {name: _state(check) for name, check in CHECKS.items()}


def _is_local(request: HttpRequest) -> bool:
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META  # also by a proxy that nobody has named
    return origin_of(request) in LOOPBACK and not forwarded


def _is_admin(request: HttpRequest) -> bool:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = tokens.recognise(secret.strip()) if scheme.lower() == "bearer" else None
    return token is not None and Scope.ADMIN in token.scopes and token.user.is_superuser


def _state(check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"state": "ok", "detail": check()}
    except Exception as error:  # whatever a part fails with is what an admin wants to read
        return {"state": "down", "detail": f"{type(error).__name__}: {error}"[:300]}


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}"


def _broker() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)
    try:
        client.ping()
    finally:
        client.close()
    return "answers"


def _workers() -> str:
    names = sorted(reply for answer in app.control.ping(timeout=1.0) or [] for reply in answer)
    if not names:
        raise ConnectionError("no worker answers")
    return ", ".join(names)


def _encoder() -> str:
    encoder = Encoder.objects.get(name=settings.DEFAULT_ENCODER)
    return f"{encoder.name}, {encoder.dimension} dimensions"


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "broker": _broker,
    "workers": _workers,
    "encoder": _encoder,
}


@csrf_exempt
def no_such_path(request: HttpRequest, rest: str) -> JsonResponse:
    """Whatever the API does not know: an error in its own form, not a page."""
    raise NotFound(f"The API has no path {rest[:200]!r}: see /api/v1/docs.")
