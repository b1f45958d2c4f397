"""KEGG's REST service: lists, entries ten at a time, links; only under a licence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from corpus.sources.fetching import (
    Page,
    Request,
    State,
    Tell,
    batches,
    changed,
    missing_note,
)
from flux_site.kernel.errors import InvalidInput, NotAllowed
from flux_site.kernel.http import Client, Policy, SourceRefused

LABEL: Final = "KEGG"
BASE_URL: Final = "https://rest.kegg.jp"
PER_CALL: Final = 10  # entries that KEGG gives in one answer
_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,60}")
_MAP: Final = re.compile(r"([A-Za-z0-9:]{1,40})/kgml")
_QUERY: Final = re.compile(r"(?:(list|link)/)?([a-z]{1,20})(?:/([A-Za-z0-9_.:-]{1,60}))?")


def policy(
    base_url: str = BASE_URL, *, user_agent: str = "Flux", allow_loopback: bool = False
) -> Policy:
    """How KEGG is asked: at most three a second."""
    return Policy(
        name="kegg",
        label=LABEL,
        base_url=base_url or BASE_URL,
        user_agent=user_agent,
        per_second=3.0,
        allow_loopback=allow_loopback,
    )


def fetch(
    request: Request,
    http: Client,
    *,
    licensed: bool,
    state: State | None = None,
    tell: Tell,
) -> Iterator[Page]:
    """Yield flat entries (.txt), maps (.xml) or tables (.tsv).

    `ids` are entries (hsa04630, C00031, hsa:3716), or maps (hsa04630/kgml). `query` is a database,
    with an organism where it has one (pathway/hsa, disease): its list, then all its entries; or one
    table by itself (list/pathway/hsa, link/pathway/hsa). KEGG tells no dates, so `since` changes
    nothing.

    Raises NotAllowed unless the deployment says that its licence allows it.
    """
    if not licensed:
        raise NotAllowed(
            "KEGG may be asked live only where the licence of this installation allows it: an "
            "admin then sets KEGG_LICENSED. Saved files of KEGG can be read with --from."
        )
    if request.since:
        tell("KEGG does not tell when an entry changed: all entries are fetched.")
    at = dict(state or {})
    if request.ids:
        yield from _entries(_checked(request.ids), request, http, int(at.get("at", 0)), tell)
        return
    kind, database, organism = _query(request.query)
    path = "/".join(filter(None, (kind or "list", database, organism)))
    if kind and at:
        return
    table = http.get(path, expects=("text/plain",)).body
    if not at and table.strip():
        yield Page(f"kegg-{path.replace('/', '-')}.tsv", table, {"at": 0})
    if not kind:
        yield from _entries(_listed(table), request, http, int(at.get("at", 0)), tell)


def _query(query: str) -> tuple[str, str, str]:
    found = _QUERY.fullmatch(query.strip())
    if not found:
        raise InvalidInput(
            "A query to KEGG names a database: pathway/hsa, disease, or link/pathway/hsa."
        )
    return found[1] or "", found[2], found[3] or ""


def _checked(ids: tuple[str, ...]) -> list[str]:
    for given in ids:
        if not (_ID.fullmatch(given) or _MAP.fullmatch(given)):
            raise InvalidInput(f"{given[:40]} is no id of KEGG: they look like hsa04630 or C00031.")
    return list(dict.fromkeys(ids))


def _listed(table: bytes) -> list[str]:
    rows = table.decode("utf-8", errors="replace").splitlines()
    found = [row.split("\t")[0].removeprefix("path:").strip() for row in rows if row.strip()]
    if any(not _ID.fullmatch(one) for one in found):
        raise changed(LABEL, "its list holds no ids in the first column")
    return list(dict.fromkeys(found))


def _entries(
    ids: list[str], request: Request, http: Client, start: int, tell: Tell
) -> Iterator[Page]:
    ids = ids[: request.limit]
    maps = [one for one in ids if _MAP.fullmatch(one)]
    plain = [one for one in ids if not _MAP.fullmatch(one)]
    groups = [*batches(plain, PER_CALL), *((one,) for one in maps)]
    for number, group in enumerate(groups[start:], start=start + 1):
        body = _get(group, http)
        is_map = group[0] in maps
        found = 1 if is_map and body else body.count(b"\n///")
        if found < len(group):
            tell(missing_note(LABEL, found, len(group)))
        if body:
            name = group[0].replace("/kgml", ".xml") if is_map else f"kegg-{number:05d}.txt"
            yield Page(name.replace(":", "_"), body, {"at": number})


def _get(group: tuple[str, ...], http: Client) -> bytes:
    """The entries of a group; nothing when KEGG knows none of them."""
    try:
        body = http.get(f"get/{'+'.join(group)}", expects=("text/plain", "xml")).body
    except SourceRefused as refused:
        if refused.answered != 404:
            raise
        return b""
    is_map = _MAP.fullmatch(group[0])
    if is_map and b"<pathway" not in body[:2000]:
        raise changed(LABEL, "a map is no KGML")
    if not is_map and body.strip() and not body.startswith(b"ENTRY"):
        raise changed(LABEL, "an entry does not begin with ENTRY")
    return body
