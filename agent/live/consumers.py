"""The trace of a run over a WebSocket: replay what is stored, then follow."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from accounts.models import User
from accounts.services import tokens
from accounts.types import Scope
from agent.live.database import in_database
from agent.live.follow import follow, run_of
from agent.models import Run
from flux_site.kernel.errors import NotFound
from flux_site.kernel.sse import parse_event_id

NOT_FOUND = 4404  # the same for "absent" and "not yours"
NO_MORE = 1000


class TraceConsumer(AsyncJsonWebsocketConsumer):
    """Sends each event as JSON with its number; takes no commands. It starts and decides
    nothing.
    """

    following: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Accept a reader who may see the run; `?after=<seq>` or `<run>:<seq>` resumes."""
        public_id: UUID = self.scope["url_route"]["kwargs"]["run"]
        found = await in_database(_admit, self.scope, public_id)
        if found is None:
            await self.close(code=NOT_FOUND)
            return
        run, reader = found
        await self.accept()
        self.following = asyncio.create_task(self._follow(run, reader, _after(self.scope)))

    async def disconnect(self, code: int) -> None:
        """Stop following; the run goes on."""
        if self.following is not None:
            self.following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.following

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        """Nothing is taken from readers."""

    async def _follow(self, run: Run, reader: User, after: int) -> None:
        async for event in follow(run, reader, after=after):
            if event is None:
                await self.send_json({"type": "heartbeat"})
            else:
                await self.send_json(event.payload | {"seq": event.seq})
        await self.close(code=NO_MORE)


def _admit(scope: dict[str, Any], public_id: UUID) -> tuple[Run, User] | None:
    user = scope.get("user")
    if user is None or not user.is_authenticated:
        user = _token_user(scope)
    if user is None:
        return None
    try:
        return run_of(public_id, user), user
    except NotFound:
        return None


def _token_user(scope: dict[str, Any]) -> User | None:
    for name, value in scope.get("headers", ()):
        if name == b"authorization" and value.lower().startswith(b"bearer "):
            token = tokens.recognise(value[7:].strip().decode("latin-1"))
            return token.user if token is not None and str(Scope.READ) in token.scopes else None
    return None


def _after(scope: dict[str, Any]) -> int:
    query = dict(
        part.split("=", 1) for part in scope["query_string"].decode().split("&") if "=" in part
    )
    given = query.get("after", "").replace("%3A", ":")
    event_id = parse_event_id(given)
    if event_id is not None:
        return event_id.seq
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
