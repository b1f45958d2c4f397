"""A WebSocket client in the test's own process."""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator

WAIT_S = 10


class Socket:
    """Speaks to an ASGI application as a server would for one socket."""

    def __init__(self, application: Any, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        path, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
        }
        self._inside = ApplicationCommunicator(application, scope)

    async def connect(self) -> int | None:
        """None when accepted, else the code with which it was closed."""
        await self._inside.send_input({"type": "websocket.connect"})
        answer = await self._inside.receive_output(WAIT_S)
        return None if answer["type"] == "websocket.accept" else int(answer.get("code", 1000))

    async def receive(self) -> dict[str, Any]:
        """The next message; `{"closed": code}` at the end."""
        answer = await self._inside.receive_output(WAIT_S)
        if answer["type"] == "websocket.close":
            return {"closed": answer.get("code")}
        return dict(json.loads(answer["text"]))

    async def disconnect(self) -> None:
        """Leave."""
        await self._inside.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._inside.wait(WAIT_S)
