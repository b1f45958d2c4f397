"""Upstreams as they behave, small: what each knows is given, its rules are its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from corpus.sources.fetching import Page, Request
from flux_site.kernel.http import Client, Quota
from tests.support.replay import QUICK, Asked, ReplayServer, Reply, said

XML = "text/xml; charset=utf-8"


def collect(
    fetch: Callable[..., Iterable[Page]],
    server: ReplayServer,
    policy: Callable[..., Any],
    request: Request,
    *,
    state: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[list[Page], list[str]]:
    """All pages of a fetch from the server, and what was told beside them.

    Every state has to survive being kept as JSON.
    """
    from dataclasses import replace

    notes: list[str] = []
    quick = replace(policy(server.url, allow_loopback=True), **QUICK)
    with Client(quick, Quota()) as http:
        pages = list(fetch(request, http, state=state, tell=notes.append, **options))
    assert all(json.loads(json.dumps(page.state)) for page in pages)
    return pages, notes


@dataclass
class Entrez:
    """NCBI: records by the day they were added; 9,999 of a search and no more."""

    records: Mapping[int, date]
    links: Mapping[str, Sequence[int]] = field(default_factory=dict)
    most: int = 9_999
    forgets_after: int | None = None
    searches: list[dict[str, str]] = field(default_factory=list)
    fetched: list[int] = field(default_factory=list)
    histories: dict[str, list[int]] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Reply:
        name = asked.path.rsplit("/", 1)[-1].removesuffix(".fcgi")
        body = getattr(self, f"_{name}")(asked.params)
        return Reply(body.encode(), media_type=XML)

    def _esearch(self, params: dict[str, str]) -> str:
        self.searches.append(params)
        found = sorted((one for one in self.records if self._is_in(one, params)), reverse=True)
        key = f"MCID_{len(self.histories)}"
        self.histories[key] = found
        return (
            f"<eSearchResult><Count>{len(found)}</Count><RetMax>0</RetMax><RetStart>0</RetStart>"
            f"<QueryKey>1</QueryKey><WebEnv>{key}</WebEnv><IdList/></eSearchResult>"
        )

    def _is_in(self, pmid: int, params: dict[str, str]) -> bool:
        if "mindate" not in params:
            return True
        assert params["datetype"] == "edat"
        first, last = (params[end].replace("/", "-") for end in ("mindate", "maxdate"))
        return first <= self.records[pmid].isoformat() <= last

    def _efetch(self, params: dict[str, str]) -> str:
        if "id" in params:
            return self._set([int(one) for one in params["id"].split(",")])
        start, size = int(params["retstart"]), int(params["retmax"])
        found = self.histories.get(params["WebEnv"])
        if self.forgets_after is not None and len(self.fetched) >= self.forgets_after:
            self.forgets_after, found = None, None
        if found is None or params["query_key"] != "1" or start + size > self.most:
            return "<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"
        return self._set(found[start : start + size])

    def _set(self, pmids: list[int]) -> str:
        pmids = [one for one in pmids if one in self.records]
        self.fetched += pmids
        inside = "".join(
            f"<PubmedArticle><MedlineCitation><PMID>{one}</PMID><Article><ArticleTitle>Made record "
            f"{one}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
            for one in pmids
        )
        return f"<?xml version='1.0'?><PubmedArticleSet>{inside}</PubmedArticleSet>"

    def _elink(self, params: dict[str, str]) -> str:
        name = params["linkname"]
        inside = "".join(f"<Link><Id>{one}</Id></Link>" for one in self.links.get(name, ()))
        return (
            f"<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><LinkSetDb><LinkName>{name}</LinkName>"
            f"{inside}</LinkSetDb></LinkSet></eLinkResult>"
        )


@dataclass
class OpenAlex:
    """Works behind a cursor; the page behind the last is empty."""

    count: int
    works: Mapping[str, str] = field(default_factory=dict)
    stops_after: int | None = None
    is_stuck: bool = False
    most_per_page: int = 200
    wants_key: bool = False

    def __call__(self, asked: Asked) -> Reply:
        if self.wants_key and asked.params.get("cursor", "*") != "*":
            return said({"error": "API key required"}, status=401)
        if int(asked.params.get("per_page", 25)) > self.most_per_page:
            return said({"error": "Invalid query parameters"}, status=400)
        if asked.path.startswith("/works/doi:"):
            return said({"id": "https://openalex.org/W1", "doi": asked.path})
        if asked.path != "/works":
            return Reply(b"<html>Not Found</html>", status=404, media_type="text/html")
        if "cursor" not in asked.params:
            return self._of_ids(asked.params["filter"])
        size = int(asked.params["per_page"])
        start = 0 if asked.params["cursor"] == "*" else int(asked.params["cursor"])
        end = min(start + size, self.count)
        results = [{"id": f"https://openalex.org/W{n}"} for n in range(start, end)]
        following: str | None = str(end) if results else None
        if self.stops_after is not None and end >= self.stops_after:
            following = None
        if self.is_stuck:
            following = asked.params["cursor"]
        meta = {"count": self.count, "per_page": size, "page": None, "next_cursor": following}
        return said({"meta": meta, "results": results})

    def _of_ids(self, given: str) -> Reply:
        values = given.partition(":")[2].split("|")
        results = [{"id": self.works[one]} for one in values if one in self.works]
        return said({"meta": {"count": len(results), "page": 1}, "results": results})


@dataclass
class Reactome:
    """Events by stable id with what each contains, in full once and then as bare numbers."""

    inside: Mapping[str, Sequence[Any]]
    kinds: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    top: Sequence[str] = ()

    def __call__(self, asked: Asked) -> Reply:
        if asked.path.startswith("/data/pathways/top/"):
            return said([self._event(one) for one in self.top])
        if found := re.fullmatch(r"/data/pathway/([^/]+)/containedEvents", asked.path):
            return said(self.inside[found[1]])
        given = asked.path.removeprefix("/data/query/enhanced/")
        if given not in self.kinds:
            return said({"code": 404, "reason": "NOT_FOUND"}, status=404)
        return said(self._event(given))

    def _event(self, st_id: str) -> dict[str, Any]:
        kind = self.kinds[st_id]
        made = {"dbId": int(st_id.rsplit("-", 1)[-1]), "stId": st_id, "schemaClass": kind}
        made |= {"displayName": f"Event\u2028{st_id}", "summation": [{"text": "It happens."}]}
        return made | {"lastUpdatedDate": self.dates.get(st_id, "2020-01-01")}
