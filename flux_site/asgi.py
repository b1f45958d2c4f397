"""The ASGI application: pages and API, streams, sockets."""

from __future__ import annotations

import os
from typing import Any

from asgiref.sync import sync_to_async
from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "flux_site.settings.dev")

django_application = get_asgi_application()

# Both need Django to be set up.
from agent.live.routing import websocket_application  # noqa: E402
from corpus.encoding.registry import warm_up  # noqa: E402
from flux_site.bodies import BoundedBodies  # noqa: E402


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Load the encoder before the server takes requests: the first search does not wait for it.

    Not at import: the process may be forked after it, and a session's threads do not survive that.
    """
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await sync_to_async(warm_up)()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(django_application),
        "websocket": websocket_application,
        "lifespan": lifespan,
    }
)
