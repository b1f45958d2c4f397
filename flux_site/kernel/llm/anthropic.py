"""The Anthropic SDK behind the completion protocol; any compatible server works.

The SDK's own retries and its ten-minute timeout are off: time and money are the caller's to plan.
The call runs in an event loop of its own thread, because only an awaited read can be cancelled at
any moment.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import importlib
import json
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from flux_site.kernel.llm.base import (
    CallCancelled,
    Event,
    Finished,
    Image,
    Message,
    ModelCallFailed,
    Part,
    Request,
    Text,
    TextDelta,
    ToolUse,
    Usage,
)

CONNECT_TIMEOUT_S: Final = 5.0
POLL_S: Final = 0.1  # how often a waiting reader looks at its cancel flag
UNPROCESSED: Final = frozenset({408, 413, 429, 503, 529})  # statuses sent before any token is made
AGAIN: Final = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model lives. An empty base_url means the vendor's own."""

    api_key: str
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


class AnthropicModel:
    """Speaks the Messages API to the endpoint that `endpoint()` names at the time of the call."""

    def __init__(self, endpoint: Callable[[], Endpoint]) -> None:
        self._endpoint = endpoint

    def stream(
        self, request: Request, *, timeout_s: float, cancel: threading.Event | None = None
    ) -> Iterator[Event]:
        """See LanguageModel.stream."""
        importlib.import_module("anthropic")  # seconds on a cold process: not the call's own time
        call = _Call(self._endpoint(), request, timeout_s)
        call.start()
        try:
            yield from _follow(call, timeout_s, cancel)
        finally:
            call.abort()

    def count_tokens(self, request: Request, *, timeout_s: float) -> int | None:
        """See LanguageModel.count_tokens. A server without the route, or a silent one, gives
        None.
        """
        import anthropic

        client = anthropic.Anthropic(**_options(self._endpoint(), timeout_s))
        body = _body(request)
        body.pop("max_tokens")
        try:
            with client:
                return int(client.messages.count_tokens(**body).input_tokens)
        except anthropic.AnthropicError:
            return None


def _follow(call: _Call, timeout_s: float, cancel: threading.Event | None) -> Iterator[Event]:
    """Hand on what the call's thread reads; leave at once when cancelled or out of time."""
    deadline = time.monotonic() + timeout_s + 1.0  # the loop's own timeout comes first
    while True:
        if cancel is not None and cancel.is_set():
            raise CallCancelled("The run was stopped.")
        try:
            item = call.events.get(timeout=POLL_S)
        except queue.Empty:
            if time.monotonic() > deadline:
                raise _timed_out(timeout_s) from None
            continue
        if isinstance(item, _Failed):
            raise item.error
        yield item
        if isinstance(item, Finished):
            return


class _Call(threading.Thread):
    """One request in an event loop of its own; `abort` closes its connection from outside."""

    def __init__(self, endpoint: Endpoint, request: Request, timeout_s: float) -> None:
        super().__init__(name="model-call", daemon=True)
        self.events: queue.SimpleQueue[Event | _Failed] = queue.SimpleQueue()
        self._endpoint, self._request, self._timeout_s = endpoint, request, timeout_s
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._aborted = threading.Event()

    def run(self) -> None:
        """Read the stream into the queue; whatever happens, the reader is told."""
        try:
            self._task = self._loop.create_task(self._read())
            if self._aborted.is_set():
                self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                self._loop.run_until_complete(self._task)
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def abort(self) -> None:
        """Cancel the read; nothing happens when it has ended."""
        self._aborted.set()
        with contextlib.suppress(RuntimeError):  # the loop is closed: it ended by itself
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _read(self) -> None:
        progress = _Progress()
        try:
            async with asyncio.timeout(self._timeout_s):
                async for event in _events(
                    self._endpoint, self._request, self._timeout_s, progress
                ):
                    self.events.put(event)
        except TimeoutError:
            self.events.put(_Failed(_timed_out(self._timeout_s)))
        except Exception as error:  # handed to the reader's thread, where it is raised
            self.events.put(_Failed(_as_kernel_error(error, started=progress.started)))


@dataclass(slots=True)
class _Progress:
    started: bool = False


async def _events(
    endpoint: Endpoint, request: Request, timeout_s: float, progress: _Progress
) -> AsyncIterator[Event]:
    import anthropic

    async with anthropic.AsyncAnthropic(**_options(endpoint, timeout_s)) as client:
        raw = await client.messages.create(**_body(request), stream=True)
        progress.started = True
        async with raw:
            reader = _Reader(request.model)
            async for item in raw:
                for event in reader.read(item):
                    yield event
        if not reader.stopped:
            raise ModelCallFailed("The model's answer was cut off.", outcome="unknown")


class _Reader:
    """Turns the vendor's events into ours; tool input arrives in pieces and leaves whole."""

    def __init__(self, model: str) -> None:
        self.stopped = False
        self._model, self._usage, self._reason = model, Usage(), ""
        self._tools: dict[int, tuple[str, str, list[str]]] = {}

    def read(self, item: Any) -> Iterator[Event]:
        """Our events for one of theirs; unknown kinds give none."""
        if item.type == "message_start":
            self._model = item.message.model or self._model
            self._usage = _usage(item.message.usage, self._usage)
        elif item.type == "content_block_start" and item.content_block.type == "tool_use":
            self._tools[item.index] = (item.content_block.id, item.content_block.name, [])
        elif item.type == "content_block_delta":
            yield from self._delta(item)
        elif item.type == "content_block_stop" and item.index in self._tools:
            yield self._tool(item.index)
        elif item.type == "message_delta":
            self._reason = item.delta.stop_reason or self._reason
            self._usage = _usage(item.usage, self._usage)
        elif item.type == "message_stop":
            self.stopped = True
            yield Finished(self._usage, self._reason or "end_turn", self._model)

    def _delta(self, item: Any) -> Iterator[Event]:
        if item.delta.type == "text_delta" and item.delta.text:
            yield TextDelta(item.delta.text)
        elif item.delta.type == "input_json_delta" and item.index in self._tools:
            self._tools[item.index][2].append(item.delta.partial_json)

    def _tool(self, index: int) -> ToolUse:
        tool_id, name, pieces = self._tools.pop(index)
        try:
            parsed = json.loads("".join(pieces) or "{}")
        except json.JSONDecodeError as error:
            raise ModelCallFailed("A tool's input is not JSON.", outcome="unknown") from error
        return ToolUse(tool_id, name, parsed if isinstance(parsed, dict) else {"value": parsed})


def _usage(given: Any, before: Usage) -> Usage:
    """Counts are cumulative; a field that an event leaves out keeps its value."""
    fields = {
        "input_tokens": "input_tokens",
        "output_tokens": "output_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
    }
    news = {ours: getattr(given, theirs, None) for ours, theirs in fields.items()}
    return replace(before, **{name: int(value) for name, value in news.items() if value})


def _options(endpoint: Endpoint, timeout_s: float) -> dict[str, Any]:
    import anthropic

    options: dict[str, Any] = {
        "api_key": endpoint.api_key or "none",  # a local server asks for none, the SDK does
        "max_retries": 0,
        "timeout": anthropic.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s)),
    }
    if endpoint.base_url:
        options["base_url"] = endpoint.base_url
    return options


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [_message(message) for message in request.messages],
    }
    if request.system:
        # The system text and the tools before it are the same in every call of a kind: worth a
        # cache mark.
        cached = {"type": "ephemeral"}
        body["system"] = [{"type": "text", "text": request.system, "cache_control": cached}]
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
            for tool in request.tools
        ]
    return body


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, Image):
        data = base64.b64encode(part.data).decode()
        source = {"type": "base64", "media_type": part.media_type, "data": data}
        return {"type": "image", "source": source}
    if isinstance(part, ToolUse):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.input)}
    return {
        "type": "tool_result",
        "tool_use_id": part.tool_use_id,
        "content": part.content,
        "is_error": part.is_error,
    }


def _timed_out(timeout_s: float) -> ModelCallFailed:
    return ModelCallFailed(
        f"The model did not finish within {timeout_s:.0f} s.", outcome="unknown", kind="timeout"
    )


def _as_kernel_error(error: Exception, *, started: bool) -> Exception:
    """What the caller can act on: whether another try helps, and whether money may be gone."""
    import anthropic
    import httpx2

    if isinstance(error, ModelCallFailed):
        return error
    if isinstance(error, anthropic.APIStatusError):
        return _from_status(error, started=started)
    if isinstance(error, anthropic.APITimeoutError):
        return _timed_out(CONNECT_TIMEOUT_S)
    if isinstance(error, anthropic.APIConnectionError):
        refused = not started and _is_connect_error(error)
        return ModelCallFailed(
            "The model's endpoint cannot be reached.",
            outcome="not_happened" if refused else "unknown",
            kind="connection",
        )
    transport = (anthropic.AnthropicError, httpx2.HTTPError, OSError, json.JSONDecodeError)
    if isinstance(error, transport):
        return ModelCallFailed("The model's answer was cut off.", outcome="unknown", kind="cut")
    return error  # a fault of ours: it must not look like the endpoint's


def _is_connect_error(error: BaseException) -> bool:
    """Whether the chain of causes says that no connection was ever made."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionRefusedError) or type(cause).__name__ == "ConnectError":
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _status_of(error: Any) -> int:
    """An error event inside a stream has the stream's 200; its body says what it means."""
    status = int(error.status_code)
    body = error.body if isinstance(error.body, dict) else {}
    kind = (body.get("error") or {}).get("type", "") if status < 400 else ""
    return {"overloaded_error": 529, "rate_limit_error": 429}.get(kind, 500) if kind else status


def _from_status(error: Any, *, started: bool) -> ModelCallFailed:
    """A status before the stream tells what happened; an error inside it leaves that open."""
    status = _status_of(error)
    refused = not started and (status in UNPROCESSED or 400 <= status < 500)
    kinds = {401: "key refused", 403: "key refused", 404: "unknown model", 429: "rate limited"}
    kind = kinds.get(status, "overloaded" if status == 529 else f"status {status}")
    wait = error.response.headers.get("retry-after", "")
    return ModelCallFailed(
        f"The model's endpoint answered: {kind}.",
        outcome="not_happened" if refused else "unknown",
        again=started or status in AGAIN,
        retry_after_s=float(wait) if wait.replace(".", "", 1).isdigit() else None,
        kind=kind,
        http_status=status,
    )
