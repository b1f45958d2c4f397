"""Reactome's Content Service: pathways with all events inside them, twenty a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from corpus.sources.fetching import Page, Request, State, Tell, batches, changed, read_json
from corpus.sources.reactome.answers import EVENTS, PATHWAYS
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import Client, Policy, SourceRefused

LABEL: Final = "Reactome"
BASE_URL: Final = "https://reactome.org/ContentService"
PER_PAGE: Final = 20
_ID: Final = re.compile(r"R-[A-Z]{3}-\d{1,12}(\.\d+)?|\d{1,12}")
_SPECIES: Final = re.compile(r"[A-Za-z0-9. -]{1,60}")


def policy(
    base_url: str = BASE_URL, *, user_agent: str = "Flux", allow_loopback: bool = False
) -> Policy:
    """How Reactome is asked: it states no rate, five a second disturb nobody."""
    return Policy(
        name="reactome",
        label=LABEL,
        base_url=base_url or BASE_URL,
        hosts=frozenset({"www.reactome.org"}),
        user_agent=user_agent,
        per_second=5.0,
        allow_loopback=allow_loopback,
    )


def fetch(
    request: Request, http: Client, *, state: State | None = None, tell: Tell
) -> Iterator[Page]:
    """Yield JSONL files of whole events.

    `ids` are stable ids; a pathway brings the events it contains, at any depth. `query` is a
    species, by name or taxon number: all its top-level pathways with what they contain. An event
    changed before `since` is left out.
    """
    walk = _Walk(request, http, tell)
    at = dict(state or {})
    done = int(at.get("done", 0))
    roots = _roots(request, http)
    for number in range(int(at.get("root", 0)), len(roots)):
        start = int(at.pop("event", 0))
        for group in batches(walk.inside(roots[number])[start:], PER_PAGE):
            if request.limit is not None:
                group = group[: max(0, request.limit - done)]
            if not group:
                return
            start, done = start + len(group), done + len(group)
            lines = [line for one in group if (line := walk.line(one))]
            if lines:
                name = f"reactome-{roots[number]}-{start:05d}.jsonl"
                yield Page(name, b"".join(lines), {"root": number, "event": start, "done": done})


class _Walk:
    """Events by id; a root is fetched once, though it is both looked into and read."""

    def __init__(self, request: Request, http: Client, tell: Tell) -> None:
        self._request, self._http, self._tell = request, http, tell
        self._root: tuple[str, dict[str, Any] | None] = ("", None)

    def inside(self, root: str) -> list[str]:
        """The event and, for a pathway, all events in it at any depth, in Reactome's order."""
        event = self._event(root)
        self._root = (root, event)
        if event is None:
            return []
        if event["schemaClass"] not in EVENTS:
            self._tell(f"{root} is no pathway or reaction of Reactome; it is left out.")
            return []
        if event["schemaClass"] not in PATHWAYS:
            return [root]
        contained = _get(f"data/pathway/{root}/containedEvents", self._http)
        if not isinstance(contained, list):
            raise changed(LABEL, "the contained events are no list")
        return list(dict.fromkeys([root, *_ids(contained)]))

    def line(self, given: str) -> bytes:
        """One event in full, on a line; nothing when it is unknown or older than asked for."""
        event = self._root[1] if given == self._root[0] else self._event(given)
        if event is None:
            return b""
        when = event.get("lastUpdatedDate") or event.get("releaseDate")
        if self._request.since and isinstance(when, str) and when[:10] < self._request.since:
            return b""
        return json.dumps(event).encode() + b"\n"  # in ASCII: no character in it ends a line

    def _event(self, given: str) -> dict[str, Any] | None:
        try:
            event = _get(f"data/query/enhanced/{given}", self._http)
        except SourceRefused as refused:
            if refused.answered not in (404, 410):
                raise
            self._tell(f"Reactome has no {given}; it is left out.")
            return None
        if not isinstance(event, dict) or not isinstance(event.get("schemaClass"), str):
            raise changed(LABEL, f"{given} comes without schemaClass")
        return event


def _roots(request: Request, http: Client) -> list[str]:
    for given in request.ids:
        if not _ID.fullmatch(given):
            raise InvalidInput(f"{given[:40]} is no id of Reactome: they look like R-HSA-109581.")
    if request.ids:
        return list(dict.fromkeys(request.ids))
    species = request.query.strip()
    if not _SPECIES.fullmatch(species):
        raise InvalidInput("Name a species, as 'Homo sapiens' or its taxon number 9606.")
    found = _get(f"data/pathways/top/{species}", http)
    if not isinstance(found, list):
        raise changed(LABEL, "the top-level pathways are no list")
    return _ids(found)


def _ids(items: list[Any]) -> list[str]:
    """Stable ids of a list of events; one that was told before comes as its bare number, which may
    be nested anywhere before it.
    """
    seen: dict[int, str] = {}
    stack: list[Any] = list(reversed(items))
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if isinstance(item.get("dbId"), int) and isinstance(item.get("stId"), str):
                seen[item["dbId"]] = item["stId"]
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            stack.extend(reversed(item))
    found = (_one_id(item, seen) for item in items)
    return list(dict.fromkeys(one for one in found if one))


def _one_id(item: Any, seen: dict[int, str]) -> str:
    if isinstance(item, dict):
        given = item.get("stId") or item.get("dbId")
    elif isinstance(item, int) and not isinstance(item, bool):
        given = seen.get(item, item)
    else:
        raise changed(LABEL, "a list of events holds something else")
    if not _ID.fullmatch(str(given)):
        raise changed(LABEL, "an event has no id")
    return str(given)


def _get(path: str, http: Client) -> Any:
    return read_json(http.get(path, expects=("json",)).body, LABEL)
