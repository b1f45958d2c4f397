"""Addresses of sockets, with sign-in and the check of origins around them."""

from __future__ import annotations

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import path

from agent.live.consumers import TraceConsumer

websocket_urlpatterns = [path("ws/runs/<uuid:run>/", TraceConsumer.as_asgi())]
websocket_application = AllowedHostsOriginValidator(
    AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
)
