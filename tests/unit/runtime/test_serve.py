"""The server tells the application who is at the other end, and not who that claims to be."""

from __future__ import annotations

import socket
import threading
from contextlib import closing

import httpx
import uvicorn

from flux_site.runtime import serve


async def tell(scope, receive, send) -> None:
    """An application that answers with what it knows of its caller."""
    if scope["type"] != "http":
        return
    text = f"{scope['client'][0]} {scope['scheme']}".encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": text})


def test_headers_of_a_caller_change_neither_its_address_nor_its_scheme():
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        server = uvicorn.Server(serve.configured(tell))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True)
        thread.start()
        said = {"X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"}
        answer = httpx.get(f"http://127.0.0.1:{held.getsockname()[1]}/", headers=said)
        server.should_exit = True
        thread.join(10)
    assert answer.text == "127.0.0.1 http"
