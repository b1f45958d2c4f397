"""Bodies that are too long: refused before they are taken in."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn

from flux_site.asgi import application
from flux_site.bodies import ENVELOPE_BYTES, BoundedBodies

UPLOAD = "/api/v1/ingest/document"
LIMIT = 1 << 20
PIECE = b"x" * 65_536


@pytest.fixture(autouse=True)
def limit(settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = LIMIT


class Caller:
    """A caller by ASGI; notes how many pieces were taken from it and what it was told."""

    def __init__(self, path: str, *, length: int | None = None) -> None:
        headers = [] if length is None else [(b"content-length", str(length).encode())]
        self.scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        self.scope |= {"query_string": b"", "scheme": "http", "http_version": "1.1"}
        self.taken, self.said = 0, []

    async def receive(self) -> dict[str, Any]:
        self.taken += 1
        return {"type": "http.request", "body": PIECE, "more_body": True}

    async def send(self, message: dict[str, Any]) -> None:
        self.said.append(message)


@pytest.mark.parametrize("path", [UPLOAD, "/login/", "/ask/", "/api/v1/a/upload/", "/a/upload/"])
async def test_a_length_over_the_limit_is_refused_before_a_byte_is_read(path: str):
    caller = Caller(path, length=LIMIT + ENVELOPE_BYTES + 1)

    await application(caller.scope, caller.receive, caller.send)

    problem = json.loads(caller.said[1]["body"])
    assert caller.taken == 0
    assert (caller.said[0]["status"], problem["code"]) == (413, "too_large")
    assert "1 MB" in problem["detail"]


async def test_a_body_that_tells_no_length_is_refused_where_it_passes_the_limit():
    caller = Caller(UPLOAD)

    await application(caller.scope, caller.receive, caller.send)

    assert caller.said[0]["status"] == 413
    assert caller.taken == (LIMIT + ENVELOPE_BYTES) // len(PIECE) + 1


async def test_what_fits_passes_and_the_form_for_many_files_has_no_limit_of_its_own():
    reached = []

    async def view(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        reached.append(scope["path"])

    for caller in (Caller(UPLOAD, length=LIMIT), Caller("/library/a/upload/", length=9 * LIMIT)):
        await BoundedBodies(view)(caller.scope, caller.receive, caller.send)

    assert reached == [UPLOAD, "/library/a/upload/"]


@pytest.fixture
def served() -> Iterator[str]:
    """The whole application behind the server that it has in use."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(application, log_config=None, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize("tells_length", [True, False])
def test_a_caller_who_sends_too_much_reads_why(served: str, tells_length: bool):
    pieces = 64  # four times the limit
    whole = PIECE * pieces
    answer = httpx.post(
        served + UPLOAD, content=whole if tells_length else (PIECE for _ in range(pieces))
    )

    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "too_large"
