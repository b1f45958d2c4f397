"""Addresses of sockets, with sign-in and the check of origins around them."""

from __future__ import annotations

from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import path

from agent.live.consumers import TraceConsumer

websocket_urlpatterns = [path("ws/runs/<uuid:run>/", TraceConsumer.as_asgi())]
_by_token = URLRouter(websocket_urlpatterns)
_by_session = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))


async def websocket_application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Programs come with a token and no origin; pages come with a session and must be our own.

    A page of another site cannot set the header of a token, and a token's caller gets no session.
    """
    carries_token = any(name == b"authorization" for name, _ in scope["headers"])
    await (_by_token if carries_token else _by_session)(scope, receive, send)
