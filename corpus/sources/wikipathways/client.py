"""WikiPathways: the list of pathways, and each as GPML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from corpus.sources.fetching import Page, Request, State, Tell, changed, read_json
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import Client, Policy, SourceRefused

LABEL: Final = "WikiPathways"
BASE_URL: Final = "https://www.wikipathways.org"
_ID: Final = re.compile(r"WP\d{1,7}")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_GPML: Final = ("xml", "octet-stream", "text/plain", "gpml")  # served as a plain file


def policy(
    base_url: str = BASE_URL, *, user_agent: str = "Flux", allow_loopback: bool = False
) -> Policy:
    """How WikiPathways is asked: static files, five a second."""
    return Policy(
        name="wikipathways",
        label=LABEL,
        base_url=base_url or BASE_URL,
        hosts=frozenset({"wikipathways.org"}),
        user_agent=user_agent,
        per_second=5.0,
        allow_loopback=allow_loopback,
    )


def fetch(
    request: Request, http: Client, *, state: State | None = None, tell: Tell
) -> Iterator[Page]:
    """Yield one GPML file a pathway.

    `ids` are those of pathways (WP554). `query` is a species ('Homo sapiens'): all its pathways, or
    those revised on or after `since`.
    """
    ids = _asked(request) if request.ids else _of_species(request, http)
    start = int((state or {}).get("at", 0))
    for number, one in enumerate(ids[: request.limit][start:], start=start + 1):
        try:
            path = f"wikipathways-assets/pathways/{one}/{one}.gpml"
            body = http.get(path, expects=_GPML).body
        except SourceRefused as refused:
            if refused.answered not in (404, 410):
                raise
            tell(f"WikiPathways has no {one}; it is left out.")
            continue
        if b"<Pathway" not in body[:4000]:
            raise changed(LABEL, f"{one} is no GPML")
        yield Page(f"{one}.gpml", body, {"at": number})


def _asked(request: Request) -> list[str]:
    for given in request.ids:
        if not _ID.fullmatch(given):
            raise InvalidInput(f"{given[:40]} is no id of WikiPathways: they look like WP554.")
    return list(dict.fromkeys(request.ids))


def _of_species(request: Request, http: Client) -> list[str]:
    answer = read_json(http.get("json/listPathways.json", expects=("json",)).body, LABEL)
    organisms = answer.get("organisms") if isinstance(answer, dict) else None
    if not isinstance(organisms, list):
        raise changed(LABEL, "the list of pathways names no organisms")
    listed = {str(one.get("name", "")): one for one in organisms if isinstance(one, dict)}
    wanted = request.query.strip().casefold()
    name = next((name for name in listed if name.casefold() == wanted), None)
    if name is None:
        some = ", ".join(sorted(listed)[:30])
        raise InvalidInput(f"WikiPathways has no species of that name; it has: {some}.")
    rows = listed[name].get("pathways")
    if not isinstance(rows, list):
        raise changed(LABEL, f"it lists no pathways of {name}")
    return [_row_id(row) for row in rows if _is_new(row, request.since)]


def _row_id(row: Any) -> str:
    given = str(row.get("id", "")) if isinstance(row, dict) else ""
    if not _ID.fullmatch(given):
        raise changed(LABEL, "a pathway of its list has no id")
    return given


def _is_new(row: Any, since: str) -> bool:
    """Whether a pathway was revised since; one without a date counts as new."""
    revision = str(row.get("revision", "")) if isinstance(row, dict) else ""
    day = _DAY.search(revision)
    return not since or day is None or day.group() >= since
