"""Server-sent events: framing, and the id by which a reader resumes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

HEARTBEAT: Final = ": still here\n\n"
HEARTBEAT_S: Final = 10.0
HEADERS: Final = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",  # proxies that hold text back would hold the stream back
    "Content-Encoding": "identity",  # nor may anything compress it in blocks
}
CONTENT_TYPE: Final = "text/event-stream; charset=utf-8"


@dataclass(frozen=True, slots=True)
class EventId:
    """`<run>:<seq>`: the run of a stream and the last event a reader has seen (0: none)."""

    run: UUID
    seq: int

    def __str__(self) -> str:
        return f"{self.run}:{self.seq}"


def parse_event_id(text: str | None) -> EventId | None:
    """Read a Last-Event-ID header; None when it is absent or not of our form."""
    run, colon, seq = (text or "").strip().partition(":")
    if not colon or not seq.isascii() or not seq.isdigit() or len(seq) > 12:
        return None
    try:
        return EventId(UUID(run), int(seq))
    except ValueError:
        return None


def frame(data: str, *, event: str = "", event_id: str = "", retry_ms: int | None = None) -> str:
    """One event as it goes over the wire. Line breaks inside `data` are kept, as the standard
    says.
    """
    lines = []
    if event_id:
        lines.append(f"id: {_one_line(event_id)}")
    if event:
        lines.append(f"event: {_one_line(event)}")
    if retry_ms is not None:
        lines.append(f"retry: {retry_ms}")
    # The standard ends lines at CR, LF and CRLF only; other separators belong to the text.
    text = data.replace("\r\n", "\n").replace("\r", "\n")
    lines.extend(f"data: {line}" for line in text.split("\n"))
    return "\n".join(lines) + "\n\n"


def json_frame(payload: dict[str, Any], *, event: str, event_id: str = "") -> str:
    """One event whose data is JSON on a single line."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), default=str)
    return frame(body, event=event, event_id=event_id)


def comment(text: str) -> str:
    """A line that readers ignore; it keeps connections open."""
    return f": {_one_line(text)}\n\n"


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ").replace("\0", "")
