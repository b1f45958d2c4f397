"""A run followed by streams and sockets: to its end, again, and only by those who may."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.test import AsyncClient

from accounts.models import User
from accounts.services import tokens
from accounts.services.credentials import Credential
from agent.live import follow
from agent.models import Run
from agent.services import runs
from agent.tasks import run_ask
from flux_site.asgi import application
from flux_site.kernel import sse
from tests.factories import UserFactory
from tests.support.asking import (
    QUESTION,
    answered,
    library,
)
from tests.support.sockets import Socket

pytestmark = [pytest.mark.django_db(transaction=True)]


URL = "/api/v1/query/stream"


def came_in(user: User) -> Credential:
    """By a token."""
    token, _ = tokens.create(user, ("read",))
    return Credential(token=token.pk)


def headers_of(user: User, *scopes: str) -> dict[str, str]:
    _, secret = tokens.create(user, scopes or ("read", "ask"))
    return {"Authorization": f"Bearer {secret}"}


async def events_in(response: Any) -> AsyncIterator[dict[str, str]]:
    """Events of a stream as a browser reads them."""
    waiting = ""
    async for chunk in response.streaming_content:
        waiting += chunk.decode()
        while "\n\n" in waiting:
            block, waiting = waiting.split("\n\n", 1)
            fields = dict(
                line.split(": ", 1) for line in block.split("\n") if not line.startswith(":")
            )
            if fields:
                yield fields


async def read(response: Any, *, most: int = 1_000) -> list[dict[str, str]]:
    found = []
    async for event in events_in(response):
        found.append(event)
        if len(found) >= most:
            break
    return found


def work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker takes each run as it is handed out."""

    def work(run: int) -> None:
        def task() -> None:
            try:
                run_ask(run)
            finally:
                connections.close_all()

        threading.Thread(target=task).start()

    monkeypatch.setattr(runs, "enqueue", work)


async def test_a_question_is_streamed_to_its_end(reader, monkeypatch):
    await sync_to_async(library)(reader)
    work_at_once(monkeypatch)
    headers = await sync_to_async(headers_of)(reader)
    response = await AsyncClient().get(URL, {"question": QUESTION}, headers=headers)
    assert response.status_code == 200
    assert response["X-Accel-Buffering"] == "no"
    found = await read(response)
    order = [event["event"] for event in found]
    assert order[0] == "start"
    assert order[-2:] == ["final", "done"]
    run = json.loads(found[0]["data"])["run"]
    assert [event["id"] for event in found] == [f"{run}:{n}" for n in range(1, len(found) + 1)]
    final = json.loads(found[-2]["data"])
    assert final["result"]["citations"]
    assert final["answer"] == final["result"]["answer"]


async def test_a_reader_who_reconnects_starts_nothing_and_gets_the_rest(reader, monkeypatch):
    await sync_to_async(library)(reader)
    work_at_once(monkeypatch)
    headers = await sync_to_async(headers_of)(reader)
    client = AsyncClient()
    first = await client.get(URL, {"question": QUESTION}, headers=headers)
    head = await read(first, most=2)
    again = await client.get(
        URL, {"question": QUESTION}, headers=headers | {"Last-Event-ID": head[-1]["id"]}
    )
    rest = await read(again)
    assert await Run.objects.acount() == 1
    numbers = [int(event["id"].rsplit(":", 1)[1]) for event in head + rest]
    assert numbers == list(range(1, len(numbers) + 1))
    assert rest[-1]["event"] == "done"


async def test_a_runs_events_can_be_read_later_and_from_the_middle(reader):
    await sync_to_async(library)(reader)
    run = await sync_to_async(answered)(reader)
    headers = await sync_to_async(headers_of)(reader)
    url = f"/api/v1/runs/{run.public_id}/events"
    whole = await read(await AsyncClient().get(url, headers=headers))
    after = await read(
        await AsyncClient().get(url, headers=headers | {"Last-Event-ID": whole[2]["id"]})
    )
    assert after == whole[3:]


async def test_streams_refuse_strangers_and_other_peoples_runs(reader):
    await sync_to_async(library)(reader)
    run = await sync_to_async(answered)(reader)
    stranger = await sync_to_async(UserFactory)()
    theirs = await sync_to_async(headers_of)(stranger)
    client = AsyncClient()
    url = f"/api/v1/runs/{run.public_id}/events"
    assert (await client.get(url)).status_code == 401
    missing = await client.get(url, headers=theirs)
    absent = await client.get(url.replace(str(run.public_id)[:8], "00000000"), headers=theirs)
    assert missing.status_code == absent.status_code == 404
    assert missing.content == absent.content
    resumed = await client.get(
        URL, {"question": "x y"}, headers=theirs | {"Last-Event-ID": f"{run.public_id}:1"}
    )
    assert resumed.status_code == 404


async def test_starting_by_get_needs_a_token_of_that_scope_or_our_own_page(reader, monkeypatch):
    await sync_to_async(library)(reader)
    monkeypatch.setattr(runs, "enqueue", lambda run: None)
    client = AsyncClient()
    reading = await sync_to_async(headers_of)(reader, "read")
    assert (await client.get(URL, {"question": QUESTION}, headers=reading)).status_code == 403
    await client.aforce_login(reader)
    assert (await client.get(URL, {"question": QUESTION})).status_code == 403
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert (await client.get(URL, {"question": QUESTION}, headers=cross)).status_code == 403
    assert await Run.objects.acount() == 0
    own = {"Sec-Fetch-Site": "same-origin"}
    response = await client.get(URL, {"question": QUESTION}, headers=own)
    assert response.status_code == 200
    assert (await read(response, most=1))[0]["event"] == "start"


@pytest.mark.parametrize(
    ("asked", "status"),
    [({}, 422), ({"question": "\0"}, 422), ({"question": QUESTION, "corpus": "absent"}, 404)],
)
async def test_bad_questions_are_problems_in_json(reader, asked, status):
    headers = await sync_to_async(headers_of)(reader)
    response = await AsyncClient().get(URL, asked, headers=headers)
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert json.loads(response.content)["code"]


async def test_a_reader_who_loses_access_is_cut_off(reader, monkeypatch):
    monkeypatch.setattr("agent.live.readers.EVERY_S", 0.2)
    corpus = await sync_to_async(library)(reader)
    run = await sync_to_async(runs.start_run)(reader, QUESTION)
    watcher = await sync_to_async(UserFactory)()
    share = await run.shares.acreate(user=watcher)
    seen = []
    credential = await sync_to_async(came_in)(watcher)
    async for event in follow.follow(run, watcher, credential, heartbeat_s=0.1):
        if event is not None:
            seen.append(event.kind)
            await share.adelete()
    assert seen == ["start"]
    assert corpus.pk


async def test_with_redis_away_a_stream_still_follows(reader, settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    await sync_to_async(library)(reader)
    run = await sync_to_async(runs.start_run)(reader, QUESTION)
    seen = []
    credential = await sync_to_async(came_in)(reader)
    async for event in follow.follow(run, reader, credential, heartbeat_s=0.3):
        if event is None:
            if len(seen) == 1:
                await sync_to_async(run_ask)(run.pk)
        else:
            seen.append(event.kind)
    assert seen[0] == "start"
    assert seen[-1] == "done"


async def test_many_readers_share_a_few_database_connections(reader):
    await sync_to_async(library)(reader)
    run = await sync_to_async(runs.start_run)(reader, QUESTION)
    before = await sync_to_async(connections_open)()
    arrived: list[int] = []
    credential = await sync_to_async(came_in)(reader)

    async def watch() -> list[str]:
        kinds = []
        async for event in follow.follow(run, reader, credential, heartbeat_s=30):
            if event is not None:
                kinds.append(event.kind)
                arrived.append(event.seq)
        return kinds

    watchers = [asyncio.create_task(watch()) for _ in range(100)]
    while len(arrived) < 100:
        await asyncio.sleep(0.05)
    assert await sync_to_async(connections_open)() - before <= 10
    await sync_to_async(runs.stop_run)(run.public_id, reader)
    for kinds in await asyncio.gather(*watchers):
        assert kinds == ["start", "done"]


def connections_open() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


async def test_silence_is_filled_with_heartbeats(reader):
    await sync_to_async(library)(reader)
    run = await sync_to_async(runs.start_run)(reader, QUESTION)
    beats = 0
    credential = await sync_to_async(came_in)(reader)
    async for event in follow.follow(run, reader, credential, heartbeat_s=0.1):
        beats += event is None
        if beats == 3:
            await sync_to_async(runs.stop_run)(run.public_id, reader)
            beats += 1
    assert beats >= 4
    assert sse.HEARTBEAT_S == 10.0


async def test_a_socket_replays_follows_and_closes(reader):
    await sync_to_async(library)(reader)
    run = await sync_to_async(answered)(reader)
    socket = await socket_of(reader, f"/ws/runs/{run.public_id}/")
    assert await socket.connect() is None
    found = []
    while not found or found[-1].get("type") != "done":
        found.append(await socket.receive())
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    assert await socket.receive() == {"closed": 1000}

    later = await socket_of(reader, f"/ws/runs/{run.public_id}/?after={run.public_id}:3")
    assert await later.connect() is None
    assert (await later.receive())["seq"] == 4
    await later.disconnect()


async def test_a_socket_closes_alike_on_absent_and_hidden_runs(reader):
    run = await sync_to_async(answered)(reader)
    stranger = await sync_to_async(UserFactory)()
    for public_id in (run.public_id, "0b1f9a52-6f0e-4a0c-9a5e-2f4f5d1c7a10"):
        socket = await socket_of(stranger, f"/ws/runs/{public_id}/")
        assert await socket.connect() == 4404


async def test_a_socket_from_another_sites_page_is_refused(reader, settings):
    settings.ALLOWED_HOSTS = ["flux.example.org"]
    run = await sync_to_async(answered)(reader)
    origin = [(b"origin", b"https://elsewhere.example.org")]
    socket = Socket(application, f"/ws/runs/{run.public_id}/", origin)
    assert await socket.connect() is not None


async def socket_of(user: User, path: str) -> Socket:
    secret = (await sync_to_async(headers_of)(user))["Authorization"]
    return Socket(application, path, [(b"authorization", secret.encode())])
