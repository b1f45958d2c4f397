"""A loopback server that speaks the Messages protocol, as a script tells it.

It replaces the network and nothing else: real HTTP, real server-sent events, real error bodies, and
a count of its own of what each call used, with which a ledger can be compared.
"""

from __future__ import annotations

import json
import select
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A whole answer. `pause_s` passes before each piece of text; `wait_s` before the first
    byte.
    """

    text: str = ""
    pieces: int = 5
    tools: tuple[JsonObject, ...] = ()
    pause_s: float = 0.0
    wait_s: float = 0.0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read: int = 0
    cache_write: int = 0
    cut_after: int | None = None  # close the connection after so many pieces
    error_after: int | None = None  # send an error event after so many pieces
    stop_reason: str = "end_turn"


@dataclass(frozen=True)
class Refusal:
    """An error status with the vendor's body."""

    status: int
    kind: str = "overloaded_error"
    retry_after: str | None = None
    wait_s: float = 0.0


Action = Reply | Refusal
Script = Callable[[JsonObject], Action]


@dataclass
class Call:
    """One request to /v1/messages and what the server counted for it."""

    body: JsonObject
    at: float
    status: int = 0
    usage: JsonObject = field(default_factory=dict)
    finished: bool = False
    client_left: bool = False


def count_tokens(body: JsonObject) -> int:
    """The server's count: a token per four letters of everything sent."""
    parts = {name: body.get(name) for name in ("system", "messages", "tools")}
    return max(1, len(json.dumps(parts)) // 4)


class AnthropicServer:
    """Serve `script(body)` for each message, or the queued actions one after the other."""

    def __init__(self, script: Script | None = None, *, actions: tuple[Action, ...] = ()) -> None:
        self.calls: list[Call] = []
        self.counted = 0
        self.can_count = True
        self._script, self._queue = script, list(actions)
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base_url for a client."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> AnthropicServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def then(self, *actions: Action) -> None:
        """Queue further actions."""
        with self._lock:
            self._queue.extend(actions)

    def cancels_at_a_call(self) -> threading.Event:
        """An event that is set a moment after the first call has come."""
        cancel = threading.Event()

        def wait() -> None:
            while not self.calls:
                time.sleep(0.01)
            time.sleep(0.2)
            cancel.set()

        threading.Thread(target=wait, daemon=True).start()
        return cancel

    def next_action(self, body: JsonObject) -> Action:
        """The next queued action, else the script's."""
        with self._lock:
            if self._queue:
                return self._queue.pop(0)
        if self._script is None:
            return Refusal(500, "api_error")
        return self._script(body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length) or b"{}")
                if self.path.startswith("/v1/messages/count_tokens"):
                    self._count(body)
                    return
                call = Call(body, time.monotonic())
                server.calls.append(call)
                try:
                    self._act(server.next_action(body), call)
                except (BrokenPipeError, ConnectionResetError):
                    call.client_left = True
                    self.close_connection = True

            def _count(self, body: JsonObject) -> None:
                server.counted += 1
                if not server.can_count:
                    self._json(404, {"type": "error", "error": {"type": "not_found_error"}})
                else:
                    self._json(200, {"input_tokens": count_tokens(body)})

            def _act(self, action: Action, call: Call) -> None:
                if select.select([self.connection], [], [], action.wait_s)[0]:
                    raise ConnectionResetError  # a client that waits sends nothing: it has left
                if isinstance(action, Refusal):
                    call.status = action.status
                    error = {"type": action.kind, "message": action.kind}
                    headers = {"retry-after": action.retry_after} if action.retry_after else {}
                    self._json(action.status, {"type": "error", "error": error}, headers)
                    return
                call.status = 200
                self._stream(action, call)

            def _json(
                self, status: int, body: JsonObject, headers: dict[str, str] | None = None
            ) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def _stream(self, reply: Reply, call: Call) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                self.close_connection = True
                for event in events_of(reply, call):
                    if event is None:
                        return
                    line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(line.encode())
                    self.wfile.flush()
                call.finished = True

            def log_message(self, format: str, *args: object) -> None:
                """Tests read `calls`, not a log."""

        return Handler


def events_of(reply: Reply, call: Call) -> Iterator[JsonObject | None]:
    """The protocol's events of one answer; None ends the connection without a goodbye."""
    counted = count_tokens(call.body) if reply.input_tokens is None else reply.input_tokens
    usage = {
        "input_tokens": counted,
        "output_tokens": 1,
        "cache_read_input_tokens": reply.cache_read,
        "cache_creation_input_tokens": reply.cache_write,
    }
    call.usage = dict(usage)
    yield {
        "type": "message_start",
        "message": {
            "id": f"msg_{id(call)}",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": call.body["model"],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        },
    }
    yield {"type": "ping"}
    block = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    size = max(1, -(-len(reply.text) // max(1, reply.pieces)))
    pieces = [reply.text[i : i + size] for i in range(0, len(reply.text), size)]
    for number, piece in enumerate(pieces):
        if reply.cut_after == number:
            yield None
        if reply.error_after == number:
            yield {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
            return
        time.sleep(reply.pause_s)
        call.usage["output_tokens"] = max(1, sum(map(len, pieces[: number + 1])) // 4)
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    for index, tool in enumerate(reply.tools, start=1):
        head = {"type": "tool_use", "id": tool["id"], "name": tool["name"], "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": head}
        raw = json.dumps(tool["input"])
        for part in (raw[: len(raw) // 2], raw[len(raw) // 2 :]):
            delta = {"type": "input_json_delta", "partial_json": part}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    if reply.output_tokens is not None:
        call.usage["output_tokens"] = reply.output_tokens
    reason = "tool_use" if reply.tools else reply.stop_reason
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": call.usage["output_tokens"]},
    }
    yield {"type": "message_stop"}
