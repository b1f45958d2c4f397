"""The trace of a run over a WebSocket: replay what is stored, then follow."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from accounts.models import ApiToken, User
from accounts.services import tokens
from accounts.services.credentials import Credential
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
        run, reader, credential = found
        await self.accept()
        self.following = asyncio.create_task(self._follow(run, reader, credential))

    async def disconnect(self, code: int) -> None:
        """Stop following; the run goes on."""
        if self.following is not None:
            self.following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.following

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        """Nothing is taken from readers."""

    async def _follow(self, run: Run, reader: User, credential: Credential) -> None:
        async for event in follow(run, reader, credential, after=_after(self.scope)):
            if event is None:
                await self.send_json({"type": "heartbeat"})
            else:
                await self.send_json(event.payload | {"seq": event.seq})
        await self.close(code=NO_MORE)


def _admit(scope: dict[str, Any], public_id: UUID) -> tuple[Run, User, Credential] | None:
    user = scope.get("user")
    if user is not None and user.is_authenticated:
        credential = Credential(session=scope["session"].session_key)
    elif token := _token(scope):
        user, credential = token.user, Credential(token=token.pk)
    else:
        return None
    try:
        return run_of(public_id, user), user, credential
    except NotFound:
        return None


def _token(scope: dict[str, Any]) -> ApiToken | None:
    for name, value in scope.get("headers", ()):
        if name == b"authorization" and value.lower().startswith(b"bearer "):
            token = tokens.recognise(value[7:].strip().decode("latin-1"))
            return token if token is not None and str(Scope.READ) in token.scopes else None
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
