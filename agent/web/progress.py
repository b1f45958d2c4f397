"""What a reader has of a run so far, read from its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from agent import events
from agent.models import Run
from agent.services import runs
from agent.types import VisibleEvent
from agent.web import answer
from agent.web.evidence import Quoted
from retrieval.types import Scores
from retrieval.web.hits import legs, ordinal

Item = Mapping[str, Any]  # a passage as the `citations` event gives it
ALL_EVENTS = 20_000  # far more than a run writes: tokens come in pieces of a claim


@dataclass
class Progress:
    """The state that events add up to; a page shows it, a stream tells each change of it."""

    run: Run
    found: list[Mapping[str, Any]] | None = None
    judged: Mapping[str, Any] = field(default_factory=dict)
    raw: str = ""
    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    done: Mapping[str, Any] | None = None
    last_seq: int = 0

    def take(self, event: VisibleEvent) -> None:
        """Add one event."""
        self.last_seq = event.seq
        payload = event.payload
        if event.kind == events.CITATIONS:
            self.found = list(payload["data"])
        elif event.kind == events.JUDGE:
            self.judged = payload
        elif event.kind == events.TOKEN:
            self.raw += payload["text"]
        elif event.kind == events.FINAL:
            self.result = payload["result"]
        elif event.kind == events.ERROR:
            self.error = payload
        elif event.kind == events.DONE:
            self.done = payload

    @property
    def sources(self) -> list[Quoted]:
        """What the evidence panel shows: the cited passages, before an answer those found."""
        if self.result is not None and self.result["citations"]:
            return _cited(self.result, self.found or [])
        found = self.found or []
        return [_found(item, found) for item in found]


def read(run: Run, reader: User) -> Progress:
    """Everything up to now. A run that ends meanwhile is read to its end."""
    readable = runs.readable_in(run, reader)
    while True:
        progress = Progress(run)
        seen, last = runs.events_for(run, readable, limit=ALL_EVENTS)
        for event in seen:
            progress.take(event)
        progress.last_seq = last
        was_open = not run.ended
        run.refresh_from_db()
        if not (was_open and run.ended):
            return progress


def _cited(result: Mapping[str, Any], found: Sequence[Item]) -> list[Quoted]:
    by_chunk = {item["chunk_id"]: item for item in found}
    uses: dict[int, int] = {}
    for claim in result["claims"]:
        for number in claim["citations"]:
            uses[number] = uses.get(number, 0) + 1
    return [
        Quoted(
            number=citation["id"],
            chunk_id=UUID(citation["chunk_id"]),
            quote=citation["quote"],
            claims=uses.get(citation["id"], 0),
            why=_why(by_chunk.get(citation["chunk_id"]), found),
            title=citation["title"],
            source=citation["source"],
            external_id=citation["external_id"],
        )
        for citation in result["citations"]
    ]


def _found(item: Item, found: Sequence[Item]) -> Quoted:
    return Quoted(
        number=item["rank"],
        chunk_id=UUID(item["chunk_id"]),
        why=_why(item, found),
        title=item["title"],
        source=item["source"],
        external_id=item["external_id"],
    )


def _why(item: Item | None, found: Sequence[Item]) -> dict[str, Any] | None:
    """Why a passage was found: a sentence, and a bar for each leg beside the best of its kind."""
    if item is None:
        return None
    reasons: Sequence[str] = item.get("why") or ()
    place = f"It came {ordinal(item['rank'])} of {len(found)}."
    scores = Scores(**item["scores"])
    tops = {
        "score": max(other["score"] for other in found),
        "bm25": max(other["scores"]["bm25"] or 0.0 for other in found),
    }
    return {
        "sentence": " ".join([place, *(_sentence(reason) for reason in reasons)]),
        "legs": legs(scores, item["score"], "", tops),
    }


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def verdicts(progress: Progress) -> dict[str, Any] | None:
    """The strip of three judgements, as far as they are made."""
    found = None if progress.found is None else len(progress.found)
    if progress.result is not None:
        return answer.verdicts(progress.result, found or 0)
    if progress.run.ended:
        return None
    return answer.pending(str(progress.judged.get("verdict", "")), found)
