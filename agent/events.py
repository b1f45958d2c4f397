"""Events of a run: their kinds, their payloads, and what of them a reader may see.

Pure: a payload goes in, a payload comes out. Keys that begin with an underscore stay inside; they
tell from which corpora (database ids) a part was made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

START: Final = "start"
CITATIONS: Final = "citations"
JUDGE: Final = "judge"
TOKEN: Final = "token"
METER: Final = "meter"
FINAL: Final = "final"
DONE: Final = "done"
ERROR: Final = "error"

Payload = dict[str, Any]
DROPPED: Final = "A source of this answer was deleted, and with it what rested on it."
_PLAIN: Final = frozenset({START, JUDGE, METER, DONE, ERROR})  # say nothing of what was read
_WITHHELD: Final = "An answer was given from sources that are not shown."


def visible(
    kind: str, payload: Mapping[str, Any], corpora: Iterable[int], readable: Collection[int]
) -> Payload | None:
    """The payload for a reader of the corpora `readable`; None when nothing of it may be shown."""
    if set(corpora) <= set(readable):
        return public(payload)
    if kind == CITATIONS:
        return public(payload) | {"data": _readable(payload.get("data", ()), readable)}
    if kind == FINAL:
        return _final(payload, readable)
    return None


def public(payload: Mapping[str, Any]) -> Payload:
    """Without what stays inside."""
    return {key: _public(value) for key, value in payload.items() if not key.startswith("_")}


def _public(value: Any) -> Any:
    if isinstance(value, Mapping):
        return public(value)
    return [_public(item) for item in value] if isinstance(value, list) else value


def without(kind: str, payload: Mapping[str, Any], documents: Collection[str]) -> Payload | None:
    """The payload, with what stays inside, but nothing of these documents (public ids); None where
    what it tells of them cannot be told apart.
    """

    def stays(item: Mapping[str, Any]) -> bool:
        return (item.get("_document") or item.get("document_id")) not in documents

    if kind in _PLAIN:
        return dict(payload)
    if kind == CITATIONS:
        return dict(payload) | {"data": _ranked(filter(stays, payload.get("data", ())))}
    if kind != FINAL:
        return None
    if all(map(stays, payload["result"]["citations"])):
        return dict(payload)
    rebuilt = _rebuilt(payload, stays, dict)
    rebuilt["result"]["warnings"] = [DROPPED]
    return rebuilt


def _readable(items: Iterable[Mapping[str, Any]], readable: Collection[int]) -> list[Payload]:
    return _ranked(public(item) for item in items if item.get("_corpus") in readable)


def _ranked(items: Iterable[Mapping[str, Any]]) -> list[Payload]:
    """What is left, ranked anew: a gap would count what is hidden."""
    return [
        dict(item) | {"rank": rank} if "rank" in item else dict(item)
        for rank, item in enumerate(items, start=1)
    ]


def _final(payload: Mapping[str, Any], readable: Collection[int]) -> Payload:
    return _rebuilt(payload, lambda item: item.get("_corpus") in readable, public)


def _rebuilt(
    payload: Mapping[str, Any],
    stays: Callable[[Mapping[str, Any]], bool],
    shown: Callable[[Mapping[str, Any]], Payload],
) -> Payload:
    """A FinalAnswer without citations that do not stay and the claims that rest on them; of the
    rest, what is `shown`.

    What was written over the whole (answer text, warnings, reasoning) may tell of hidden parts, so
    it is made again from the claims that are left.
    """
    result = payload["result"]
    citations = [item for item in result["citations"] if stays(item)]
    kept = {item["id"] for item in citations}
    claims = [claim for claim in result["claims"] if set(claim["citations"]) <= kept]
    used = {number for claim in claims for number in claim["citations"]}
    citations = [item for item in citations if item["id"] in used]
    numbers = {item["id"]: new for new, item in enumerate(citations, start=1)}
    documents = list(dict.fromkeys(item["_document"] for item in citations))
    text = "\n\n".join(claim["text"] for claim in claims) or result.get("_bare") or _WITHHELD
    rebuilt = shown(result) | {
        "answer": text,
        "citations": [shown(item) | {"id": numbers[item["id"]]} for item in citations],
        "claims": [
            shown(claim) | {"citations": [numbers[number] for number in claim["citations"]]}
            for claim in claims
        ],
        "used_sources": {"documents": documents, "legs": result["used_sources"]["legs"]},
        "warnings": [],
        "reasoning_summary": "",
    }
    return {
        "type": FINAL,
        "answer": text,
        "result": rebuilt,
        "checks": [],
        "image_hashes": [item["image_hash"] for item in citations if item["image_hash"]],
    }
