"""Asking live sources, with the addresses, keys and quotas of this installation."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.conf import settings

from corpus.sources.fetching import Fetch, Page, Request, State, Tell
from corpus.sources.kegg import client as kegg
from corpus.sources.openalex import client as openalex
from corpus.sources.pubmed import client as pubmed
from corpus.sources.reactome import client as reactome
from corpus.sources.wikipathways import client as wikipathways
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import Client, Policy, Quota, Standing

LIVE: Final = ("kegg", "openalex", "pubmed", "reactome", "wikipathways")
MOST_RECORDS: Final = 1_000_000
SHORTEST_PAUSE_S: Final = 10.0  # the client has tried for a while already
_SEPARATORS: Final = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class _Live:
    policy: Policy
    fetch: Callable[..., Iterator[Page]]
    options: Mapping[str, Any]


def request_for(
    *, ids: str = "", query: str = "", since: str = "", limit: int | None = None
) -> Request:
    """A request as people write it: ids apart by commas or blanks, or a query.

    Raises InvalidInput when it has both or neither, a limit below one, or a date that is none.
    """
    wanted = tuple(filter(None, _SEPARATORS.split(ids)))
    query = query.strip()
    if bool(wanted) == bool(query):
        raise InvalidInput("Give either ids or a query.")
    if limit is not None and not 1 <= limit <= MOST_RECORDS:
        raise InvalidInput(f"The limit is a number of records, from 1 to {MOST_RECORDS:,}.")
    if since:
        if wanted:
            raise InvalidInput("A date narrows a query; records asked for by id come whole.")
        try:
            since = date.fromisoformat(since).isoformat()
        except ValueError as error:
            raise InvalidInput("The date is written as 2026-03-31.") from error
    return Request(wanted, query, since, limit)


def client_for(source: str) -> Fetch:
    """The live client of a source, ready to be called.

    Raises InvalidInput for a source that has none.
    """
    live = _live(source)

    def fetch(request: Request, state: State | None, tell: Tell) -> Iterator[Page]:
        with Client(live.policy, _quota(settings.REDIS_URL)) as http:
            yield from live.fetch(request, http, state=state, tell=tell, **live.options)

    return fetch


def standing_of(source: str) -> tuple[Policy, Standing | None]:
    """How a live source may be asked, and how its shared quota stands; None while Redis is away.

    Raises InvalidInput for a source that cannot be asked.
    """
    policy = _live(source).policy
    return policy, _quota(settings.REDIS_URL).standing(policy)


@functools.cache
def _quota(redis_url: str) -> Quota:
    return Quota(redis_url)


def _live(source: str) -> _Live:
    if source not in LIVE:
        raise InvalidInput(
            f"{source} cannot be fetched live, only {', '.join(LIVE)}: give files with --from."
        )
    common = {
        "base_url": settings.SOURCE_URLS[source],
        "user_agent": _user_agent(),
        "allow_loopback": settings.HTTP_ALLOW_LOOPBACK,
    }
    if source == "kegg":
        return _Live(kegg.policy(**common), kegg.fetch, {"licensed": settings.KEGG_LICENSED})
    if source == "openalex":
        access = {"api_key": settings.OPENALEX_API_KEY, "mailto": _openalex_mailto()}
        return _Live(openalex.policy(**common), openalex.fetch, access)
    if source == "pubmed":
        has_key = bool(settings.NCBI_API_KEY)
        access = {"api_key": settings.NCBI_API_KEY, "email": _email(settings.SOURCE_CONTACT)}
        return _Live(pubmed.policy(**common, has_key=has_key), pubmed.fetch, access)
    if source == "reactome":
        return _Live(reactome.policy(**common), reactome.fetch, {})
    return _Live(wikipathways.policy(**common), wikipathways.fetch, {})


def _user_agent() -> str:
    contact = "".join(one for one in settings.SOURCE_CONTACT if one.isascii() and one.isprintable())
    mail = f"mailto:{contact}" if _email(contact) else contact
    return f"Flux/{settings.VERSION}" + (f" ({mail})" if mail else "")


def _openalex_mailto() -> str:
    return settings.OPENALEX_MAILTO or _email(settings.SOURCE_CONTACT)


def _email(contact: str) -> str:
    return contact if "@" in contact and "/" not in contact else ""
