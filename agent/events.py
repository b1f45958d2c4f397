"""Events of a run: their kinds, their payloads, and what of them a reader may see.

Pure: a payload goes in, a payload comes out. Keys that begin with an underscore stay inside; they
tell from which corpora (database ids) a part was made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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


def _readable(items: Iterable[Mapping[str, Any]], readable: Collection[int]) -> list[Payload]:
    """What is left, ranked anew: a gap would count what is hidden."""
    left = [public(item) for item in items if item.get("_corpus") in readable]
    return [
        item | {"rank": rank} if "rank" in item else item for rank, item in enumerate(left, start=1)
    ]


def _final(payload: Mapping[str, Any], readable: Collection[int]) -> Payload:
    """A FinalAnswer rebuilt without hidden citations and the claims that rest on them.

    What was written over the whole (answer text, warnings, reasoning) may tell of hidden parts, so
    it is made again from the claims that are left.
    """
    result = payload["result"]
    citations = [item for item in result["citations"] if item.get("_corpus") in readable]
    kept = {item["id"] for item in citations}
    claims = [claim for claim in result["claims"] if set(claim["citations"]) <= kept]
    used = {number for claim in claims for number in claim["citations"]}
    citations = [item for item in citations if item["id"] in used]
    numbers = {item["id"]: new for new, item in enumerate(citations, start=1)}
    documents = list(dict.fromkeys(item["_document"] for item in citations))
    text = "\n\n".join(claim["text"] for claim in claims) or result.get("_bare") or _WITHHELD
    rebuilt = public(result) | {
        "answer": text,
        "citations": [public(item) | {"id": numbers[item["id"]]} for item in citations],
        "claims": [
            public(claim) | {"citations": [numbers[number] for number in claim["citations"]]}
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
