"""What a language model is to the rest of the code: a request in, a stream of events out."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

from flux_site.kernel.errors import FluxError, Unavailable

MESSAGE_OVERHEAD_TOKENS = 16  # role marks and separators that an endpoint adds around each message
IMAGE_TOKENS = 5_000  # more than any endpoint counts for one picture within the size limit
REQUEST_OVERHEAD_TOKENS = 600  # hidden preamble that endpoints add when tools are offered

Outcome = Literal["not_happened", "unknown"]


@dataclass(frozen=True, slots=True)
class Text:
    """A run of plain text in a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """An encoded picture in a message."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The model asks for a tool; also an event of a stream, sent when its input is complete."""

    id: str
    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave, sent back to the model."""

    tool_use_id: str
    content: str
    is_error: bool = False


Part = Text | Image | ToolUse | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may ask for; `schema` is a JSON schema of its input."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a completion."""

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    system: str = ""
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by price class, as the endpoint counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of a stream: why it stopped and what it used."""

    usage: Usage
    stop_reason: str
    model: str


Event = TextDelta | ToolUse | Finished


@dataclass(frozen=True, slots=True)
class Completion:
    """A stream, collected."""

    text: str
    usage: Usage
    stop_reason: str
    model: str
    tool_uses: tuple[ToolUse, ...] = field(default=())


class ModelCallFailed(Unavailable):
    """The endpoint gave no answer. `outcome` says whether money may have been spent."""

    code: ClassVar[str] = "model_call_failed"

    def __init__(
        self,
        message: str,
        *,
        outcome: Outcome,
        again: bool = True,
        retry_after_s: float | None = None,
        **detail: object,
    ) -> None:
        super().__init__(message, **detail)
        self.outcome: Outcome = outcome
        self.again = again  # whether another try can help
        self.retry_after_s = retry_after_s


class CallCancelled(FluxError):
    """The caller asked for the call to end. What it has cost until then is unknown."""

    code: ClassVar[str] = "cancelled"
    status: ClassVar[int] = 409
    outcome: Outcome = "unknown"


class LanguageModel(Protocol):
    """A provider. Implementations keep no state between calls and may be used from several
    threads.
    """

    def stream(
        self, request: Request, *, timeout_s: float, cancel: threading.Event | None = None
    ) -> Iterator[Event]:
        """Yield deltas and tool uses, then one Finished.

        The whole call ends within `timeout_s` seconds, and within a fraction of a second once
        `cancel` is set. Raises ModelCallFailed, or CallCancelled when `cancel` ended it.
        """
        ...

    def count_tokens(self, request: Request, *, timeout_s: float) -> int | None:
        """The endpoint's own count of the input tokens, None where it cannot say."""
        ...


def collect(events: Iterator[Event]) -> Completion:
    """Read a stream to its end. Raises what the stream raises."""
    texts: list[str] = []
    tools: list[ToolUse] = []
    for event in events:
        if isinstance(event, TextDelta):
            texts.append(event.text)
        elif isinstance(event, ToolUse):
            tools.append(event)
        else:
            return Completion(
                "".join(texts), event.usage, event.stop_reason, event.model, tuple(tools)
            )
    raise ModelCallFailed("The model's answer ended without a stop event.", outcome="unknown")


def most_input_tokens(request: Request) -> int:
    """An upper bound of the input tokens without asking anyone: a token holds at least one UTF-8
    byte.
    """
    total = REQUEST_OVERHEAD_TOKENS + len(request.system.encode())
    for tool in request.tools:
        total += len(json.dumps(dict(tool.schema)).encode())
        total += len(tool.name.encode()) + len(tool.description.encode()) + MESSAGE_OVERHEAD_TOKENS
    for message in request.messages:
        total += MESSAGE_OVERHEAD_TOKENS + sum(_most_tokens(part) for part in message.parts)
    return total


def _most_tokens(part: Part) -> int:
    if isinstance(part, Text):
        return len(part.text.encode())
    if isinstance(part, Image):
        return IMAGE_TOKENS
    if isinstance(part, ToolUse):
        text = part.name + part.id + json.dumps(dict(part.input))
        return len(text.encode()) + MESSAGE_OVERHEAD_TOKENS
    return len((part.content + part.tool_use_id).encode()) + MESSAGE_OVERHEAD_TOKENS
