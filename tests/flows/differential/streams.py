"""The streams among the read paths: server-sent events of API and pages, and the socket."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator

from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from django.utils.http import urlencode

from agent.models import Run
from tests.flows.differential.world import QUESTION, Side
from tests.support.sockets import Socket

ROUTES = (
    "api/v1/query/stream",
    "api/v1/runs/<uuid:run>/events",
    "runs/<uuid:run>/events/",
)
UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NUMBERS = re.compile(rb'"\w*ms": [\d.]+')


def all_of(asker: Side, about: Side) -> list[bytes]:
    """Every stream that the asker may open, to its end, without what differs between two runs."""
    return [masked(content) for _, content in _answers(asker, about)]


def lacks(side: Side) -> list[str]:
    """Streams that do not carry the side's own content."""
    return [
        f"stream {path} lacks {side.marker}: {content[:300]!r}"
        for path, content in _answers(side, side)
        if side.marker.encode() not in content
    ] + ([] if side.marker in socket(side, side.run.public_id) else ["the socket lacks it"])


def tells(asker: Side, hidden: Side) -> list[str]:
    """Streams of the hidden side's run that answer otherwise than for a run that is not there."""
    absent = str(uuid.uuid4())
    found = []
    for path, by_token in _run_paths(str(hidden.run.public_id)):
        other = path.replace(str(hidden.run.public_id), absent)
        if _get(asker, path, by_token=by_token) != _get(asker, other, by_token=by_token):
            found.append(f"{path} tells that it exists")
    if socket(asker, hidden.run.public_id) != socket(asker, uuid.UUID(absent)):
        found.append("the socket tells that it exists")
    return found


def masked(content: bytes) -> bytes:
    """Without ids of the run and durations."""
    return NUMBERS.sub(b'"ms"', UUID.sub(b"id", content))


def _answers(asker: Side, about: Side) -> Iterator[tuple[str, bytes]]:
    for path, by_token in _run_paths(str(about.run.public_id)):
        yield path, _get(asker, path, by_token=by_token)
    before = set(Run.objects.values_list("pk", flat=True))
    path = f"/api/v1/query/stream?{urlencode({'question': QUESTION})}"
    yield path, _get(asker, path, by_token=True)
    Run.objects.exclude(pk__in=before).delete()


def _run_paths(run: str) -> list[tuple[str, bool]]:
    return [(f"/api/v1/runs/{run}/events", True), (f"/runs/{run}/events/", False)]


def _get(asker: Side, path: str, *, by_token: bool) -> bytes:
    """Status and whole body of a stream."""

    async def read() -> bytes:
        client = AsyncClient()
        headers = {"Authorization": f"Bearer {asker.secret}"} if by_token else {}
        if not by_token:
            await client.aforce_login(asker.person)
        response = await client.get(path, headers=headers)
        start = f"{response.status_code} ".encode()
        if not response.streaming:
            return start + response.content
        return start + b"".join(
            [part if isinstance(part, bytes) else part.encode() async for part in response]
        )

    return async_to_sync(read)()


def socket(asker: Side, run: uuid.UUID) -> str:
    """Everything that the socket of a run sends to the asker, its closing code at the end."""
    from agent.live.routing import websocket_application

    client = Client()
    client.force_login(asker.person)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()

    async def read() -> str:
        headers = [(b"cookie", cookie), (b"origin", b"http://testserver"), (b"host", b"testserver")]
        opened = Socket(websocket_application, f"/ws/runs/{run}/", headers)
        code = await opened.connect()
        if code is not None:
            return f"refused {code}"
        said: list[str] = []
        while not said or not said[-1].startswith('{"closed"'):
            said.append(json.dumps(await opened.receive()))
        return " ".join(said)

    return async_to_sync(read)()
