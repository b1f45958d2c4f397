"""Open streams end with the token or the session that opened them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as site
from django.test import AsyncClient

from accounts.models import User
from accounts.services import profile, tokens
from agent.live.readers import EVERY_S
from agent.models import Run
from agent.services import runs
from flux_site.asgi import application
from tests.support.asking import QUESTION, library
from tests.support.sockets import Socket

pytestmark = [pytest.mark.django_db(transaction=True)]
WITHIN_S = 5.0


@pytest.fixture
async def run(reader: User) -> Run:
    """A run that nobody works on: its stream would stay open."""
    await sync_to_async(library)(reader)
    return await sync_to_async(runs.start_run)(reader, QUESTION)


def events_of(run: Run) -> str:
    return f"/api/v1/runs/{run.public_id}/events"


async def to_the_end(response: Any, then: Any) -> float:
    """Do something once the first event is there; the seconds from then until the stream ended."""
    loop, began = asyncio.get_running_loop(), None
    async with asyncio.timeout(3 * WITHIN_S):
        async for chunk in response.streaming_content:
            if began is None and b"event: start" in chunk:
                await then()
                began = loop.time()
    assert began is not None
    return loop.time() - began


async def test_revoking_a_token_ends_its_streams_and_no_others(reader, run):
    token, secret = await sync_to_async(tokens.create)(reader, ("read",))
    _, other = await sync_to_async(tokens.create)(reader, ("read",))
    of_other = await AsyncClient().get(events_of(run), headers={"Authorization": f"Bearer {other}"})
    waiting = aiter(of_other.streaming_content)
    assert b"stream" in await anext(waiting)
    assert b"event: start" in await anext(waiting)
    still = asyncio.ensure_future(anext(waiting))
    response = await AsyncClient().get(
        events_of(run), headers={"Authorization": f"Bearer {secret}"}
    )

    took = await to_the_end(response, lambda: sync_to_async(tokens.revoke)(token, by=reader))

    assert EVERY_S < WITHIN_S
    assert took < WITHIN_S
    assert not still.done()
    await sync_to_async(runs.stop_run)(run.public_id, reader)
    assert b"event: done" in await still


@pytest.mark.parametrize("path", ["/api/v1/runs/{}/events", "/runs/{}/events/"])
async def test_signing_out_ends_the_streams_of_that_session(reader, run, path):
    client = AsyncClient()
    await client.aforce_login(reader)
    response = await client.get(path.format(run.public_id))
    assert response.status_code == 200

    assert await to_the_end(response, client.alogout) < WITHIN_S


async def test_a_new_password_ends_the_streams_of_other_sessions(reader, run):
    client = AsyncClient()
    await client.aforce_login(reader)
    response = await client.get(events_of(run))

    async def change() -> None:
        await sync_to_async(profile.change_password)(reader, "another-long-enough-password")

    assert await to_the_end(response, change) < WITHIN_S


async def test_a_socket_closes_when_its_token_is_revoked(reader, run):
    token, secret = await sync_to_async(tokens.create)(reader, ("read",))
    header = (b"authorization", f"Bearer {secret}".encode())
    socket = Socket(application, f"/ws/runs/{run.public_id}/", [header])
    assert await socket.connect() is None
    assert (await socket.receive())["seq"] == 1

    await sync_to_async(tokens.revoke)(token, by=reader)

    async with asyncio.timeout(WITHIN_S):
        assert await socket.receive() == {"closed": 1000}


async def test_a_socket_closes_when_its_session_signs_out(reader, run):
    client = AsyncClient()
    await client.aforce_login(reader)
    key = client.cookies[site.SESSION_COOKIE_NAME].value
    headers = [
        (b"host", b"localhost"),
        (b"origin", b"http://localhost"),
        (b"cookie", f"{site.SESSION_COOKIE_NAME}={key}".encode()),
    ]
    socket = Socket(application, f"/ws/runs/{run.public_id}/", headers)
    assert await socket.connect() is None
    assert (await socket.receive())["seq"] == 1

    await client.alogout()

    async with asyncio.timeout(WITHIN_S):
        assert await socket.receive() == {"closed": 1000}


async def test_a_token_that_may_only_ask_replays_nothing(reader, run):
    _, secret = await sync_to_async(tokens.create)(reader, ("ask",))
    headers = {"Authorization": f"Bearer {secret}"}
    url = "/api/v1/query/stream"
    answers = []
    for resumed in (run.public_id, "0b1f9a52-6f0e-4a0c-9a5e-2f4f5d1c7a10"):
        seen = headers | {"Last-Event-ID": f"{resumed}:0"}
        answers.append(await AsyncClient().get(url, {"question": QUESTION}, headers=seen))
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].content == answers[1].content
    assert b"scope read" in answers[0].content
    assert await Run.objects.acount() == 1

    started = await AsyncClient().get(url, {"question": QUESTION}, headers=headers)
    assert started.status_code == 200
