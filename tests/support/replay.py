"""A loopback server that answers for an upstream, as a script tells it, faults included.

It replaces the network and nothing else: real HTTP over real sockets. Answers come from a queue, or
from a function of the request.
"""

from __future__ import annotations

import gzip
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flux_site.kernel.http import Client, Policy, Quota


@dataclass(frozen=True)
class Reply:
    """One answer. `pause_s` passes before each of `pieces` parts of the body; `cut_after` closes
    the connection after so many; `length` is what Content-Length claims.
    """

    body: bytes = b""
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: int = 1
    pause_s: float = 0.0
    wait_s: float = 0.0
    cut_after: int | None = None
    length: int | None = None
    is_chunked: bool = False


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; `params` are those of the address and of a form."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    at: float


Script = Callable[[Asked], Reply]


def said(value: Any, **options: Any) -> Reply:
    """An answer in JSON."""
    return Reply(json.dumps(value).encode(), **options)


def packed(body: bytes, **options: Any) -> Reply:
    """An answer in gzip."""
    return Reply(gzip.compress(body), headers={"Content-Encoding": "gzip"}, **options)


def moved(location: str, status: int = 302) -> Reply:
    """A redirect."""
    return Reply(status=status, headers={"Location": location})


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is part of many tests."""


class ReplayServer:
    """Serve queued replies one after the other, then what `script` says, else 500."""

    def __init__(self, script: Script | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[Asked] = []
        self.script = script
        self._queue: list[Reply] = []
        self._lock = threading.Lock()
        self._http = _Quiet(("127.0.0.1", 0), self._handler())
        self._scheme = "http"
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
            self._scheme = "https"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def __enter__(self) -> ReplayServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def then(self, *replies: Reply) -> None:
        """Queue further replies."""
        with self._lock:
            self._queue.extend(replies)

    def _answer(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            if self._queue:
                return self._queue.pop(0)
        return self.script(asked) if self.script else Reply(b"{}", status=500)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement

            def do_GET(self) -> None:
                self._serve({})

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                self._serve(dict(parse_qsl(self.rfile.read(length).decode())))

            def _serve(self, form: dict[str, str]) -> None:
                parts = urlsplit(self.path)
                params = dict(parse_qsl(parts.query)) | form
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, parts.path, params, headers, time.monotonic())
                try:
                    self._send(server._answer(asked))
                except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
                    self.close_connection = True

            def _send(self, reply: Reply) -> None:
                time.sleep(reply.wait_s)
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.media_type:
                    self.send_header("Content-Type", reply.media_type)
                if reply.is_chunked:
                    self.send_header("Transfer-Encoding", "chunked")
                elif reply.status != 304:
                    length = len(reply.body) if reply.length is None else reply.length
                    self.send_header("Content-Length", str(length))
                self.end_headers()
                self._write(reply)

            def _write(self, reply: Reply) -> None:
                size = max(1, -(-len(reply.body) // reply.pieces))
                for number, start in enumerate(range(0, len(reply.body), size)):
                    if reply.cut_after == number:
                        self.close_connection = True
                        return
                    time.sleep(reply.pause_s)
                    piece = reply.body[start : start + size]
                    frame = b"%x\r\n%s\r\n" % (len(piece), piece) if reply.is_chunked else piece
                    self.wfile.write(frame)
                    self.wfile.flush()
                if reply.is_chunked:
                    self.wfile.write(b"0\r\n\r\n")

            def log_message(self, format: str, *args: object) -> None:
                """Tests read `asked`, not a log."""

        return Handler


QUICK: dict[str, Any] = {
    "per_second": 10_000.0,
    "alone_share": 1.0,
    "first_pause_s": 0.001,
    "most_pause_s": 0.002,
    "connect_s": 2.0,
    "read_s": 2.0,
    "total_s": 5.0,
    "tries": 3,
    "allow_loopback": True,
}


def policy_for(server: ReplayServer, **changes: Any) -> Policy:
    """A policy for the server: quick, and open to the loopback address of its port."""
    given = {"name": "upstream", "label": "The upstream", "base_url": server.url}
    return Policy(**(given | QUICK | changes))


@contextmanager
def client_for(
    server: ReplayServer, *, quota: Quota | None = None, resolve: Any = None, **changes: Any
) -> Iterator[Client]:
    """A client of the server; keyword arguments change its policy."""
    options = {"resolve": resolve} if resolve else {}
    with Client(policy_for(server, **changes), quota or Quota(), **options) as client:
        yield client
