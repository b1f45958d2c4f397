"""OpenAlex: works by filter or search with a cursor, or by their ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from corpus.sources import ids as known
from corpus.sources.fetching import (
    Page,
    Request,
    State,
    Tell,
    batches,
    changed,
    missing_note,
    read_json,
)
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import Client, Policy, QuotaHeaders, SourceRefused

LABEL: Final = "OpenAlex"
BASE_URL: Final = "https://api.openalex.org"
PER_PAGE: Final = 200
SURE_PER_PAGE: Final = 100  # what its newer guide promises
IDS_PER_CALL: Final = 50
_CREDITS: Final = QuotaHeaders(
    left="x-ratelimit-remaining",
    needed="x-ratelimit-credits-required",
    reset="x-ratelimit-reset",
)


def policy(
    base_url: str = BASE_URL, *, user_agent: str = "Flux", allow_loopback: bool = False
) -> Policy:
    """How OpenAlex is asked: ten a second, and a daily quota that its headers tell."""
    return Policy(
        name="openalex",
        label=LABEL,
        base_url=base_url or BASE_URL,
        user_agent=user_agent,
        per_second=10.0,
        credits=_CREDITS,
        allow_loopback=allow_loopback,
    )


def fetch(
    request: Request,
    http: Client,
    *,
    api_key: str = "",
    mailto: str = "",
    state: State | None = None,
    tell: Tell,
) -> Iterator[Page]:
    """Yield pages of works as OpenAlex sends them.

    `ids` are OpenAlex ids (W2741809807), DOIs and PMIDs, mixed. `query` is words to search for, or
    `filter:` and a filter of OpenAlex (filter:concepts.id:C71924100,publication_year:2024). `since`
    is the date of publication. Samples are not offered: with a cursor OpenAlex ends them after one
    page without a word.
    """
    access = {name: value for name, value in (("api_key", api_key), ("mailto", mailto)) if value}
    if request.ids:
        yield from _by_ids(request, http, access, int((state or {}).get("at", 0)), tell)
    else:
        yield from _by_query(request, http, access, dict(state or {}), tell)


def _by_query(
    request: Request, http: Client, access: Mapping[str, str], state: dict[str, Any], tell: Tell
) -> Iterator[Page]:
    """One page after the other; no request is made for the page behind the last."""
    asked = _question(request)
    cursor, done, number = state.get("cursor", "*"), state.get("done", 0), state.get("page", 0)
    most = request.limit if request.limit is not None else float("inf")
    size = int(state.get("size", min(PER_PAGE, most)))
    while cursor and done < most:
        params = {**asked, "cursor": cursor, **access}
        answer, body, size = _sized_page(params, size, http)
        works, meta = answer["results"], answer["meta"]
        if not works:
            cursor = ""
        following = meta.get("next_cursor") or ""
        if not isinstance(following, str) or (following == cursor and works):
            raise changed(LABEL, "its cursor does not move")
        number, count = number + 1, meta["count"]
        if done + len(works) > most:
            works = works[: int(most) - done]
            body = json.dumps({**answer, "results": works}).encode()
        done += len(works)
        cursor = following if works and done < count else ""
        if not cursor and done < min(count, most):
            tell(f"OpenAlex gave {done:,} of {count:,} works and then no more.")
        if works:
            left = {"cursor": cursor, "done": done, "page": number, "size": size}
            yield Page(f"openalex-{number:05d}.json", body, left)


def _question(request: Request) -> dict[str, str]:
    query = request.query.strip()
    if query.startswith("sample:"):
        raise InvalidInput("OpenAlex cannot give a sample whole: use a query or a filter.")
    filters = [query.removeprefix("filter:")] if query.startswith("filter:") else []
    if request.since:
        filters.append(f"from_publication_date:{request.since}")
    asked = {"filter": ",".join(filter(None, filters))} if any(filters) else {}
    return asked if query.startswith("filter:") else {"search": query, **asked}


def _sized_page(
    params: Mapping[str, str], size: int, http: Client
) -> tuple[dict[str, Any], bytes, int]:
    """A page of `size` works, or of a hundred where OpenAlex gives no larger ones."""
    try:
        return *_page({**params, "per_page": str(size)}, http), size
    except SourceRefused as refused:
        if refused.answered == 401 and "api_key" not in params:
            raise SourceRefused(
                "OpenAlex gives no more without a key: an admin can get one for nothing and set "
                "OPENALEX_API_KEY.",
                answered=401,
            ) from refused
        if refused.answered != 400 or size <= SURE_PER_PAGE:
            raise
    return *_page({**params, "per_page": str(SURE_PER_PAGE)}, http), SURE_PER_PAGE


def _page(params: Mapping[str, str], http: Client) -> tuple[dict[str, Any], bytes]:
    body = http.get("works", params, expects=("json",)).body
    answer = read_json(body, LABEL)
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise changed(LABEL, "a page has no results")
    meta = answer.get("meta")
    if not isinstance(meta, dict) or not isinstance(meta.get("count"), int):
        raise changed(LABEL, "a page does not tell its count")
    return answer, body


def _by_ids(
    request: Request, http: Client, access: Mapping[str, str], start: int, tell: Tell
) -> Iterator[Page]:
    groups = list(_groups(request.ids[: request.limit]))
    for number, (field, values) in enumerate(groups[start:], start=start + 1):
        state = {"at": number}
        if field == "one":
            body = _single(values[0], http, access, tell)
            if body:
                yield Page(f"openalex-ids-{number:05d}.json", body, state)
            continue
        params = {"filter": f"{field}:{'|'.join(values)}", "per_page": str(SURE_PER_PAGE), **access}
        answer, body = _page(params, http)
        if len(answer["results"]) < len(values):
            tell(missing_note(LABEL, len(answer["results"]), len(values)))
        if answer["results"]:
            yield Page(f"openalex-ids-{number:05d}.json", body, state)


def _groups(given: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(filter field, values) fifty at a time; a DOI that holds a mark of the filter language goes
    alone.
    """
    kinds: dict[str, list[str]] = {"openalex": [], "doi": [], "pmid": [], "one": []}
    for one in dict.fromkeys(given):
        if work := known.openalex(one):
            kinds["openalex"].append(work)
        elif doi := known.doi(one):
            kinds["one" if set(doi) & set(",|") else "doi"].append(doi)
        elif pmid := known.pmid(one):
            kinds["pmid"].append(pmid)
        else:
            raise InvalidInput(f"{one[:60]} is no OpenAlex id, DOI or PMID.")
    for field, values in kinds.items():
        size = 1 if field == "one" else IDS_PER_CALL
        yield from ((field, batch) for batch in batches(values, size))


def _single(doi: str, http: Client, access: Mapping[str, str], tell: Tell) -> bytes:
    try:
        return http.get(f"works/doi:{quote(doi, safe='')}", access, expects=("json",)).body
    except SourceRefused as refused:
        if refused.answered != 404:
            raise
        tell(f"OpenAlex has no work with the DOI {doi}; it is left out.")
        return b""
