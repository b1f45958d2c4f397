"""Every read path of the site, taken from the URL resolver: one without a case fails the test."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.flows.differential.world import QUESTION, Side

# Why a path needs no comparison: it shows nothing that comes from a corpus.
EXEMPT = {
    "health/live": "says only that the process lives",
    "health/ready": "for this machine and admin tokens; 404 for readers",
    "api/v1/health": "says only that the API answers",
    "api/v1/schema": "the same document for everyone",
    "api/v1/docs": "the same page for everyone",
    "api/v1/<path:rest>": "nothing is there",
    "corpora/": "makes a corpus in a team of one's own; another's is a 404 (test_making_a_corpus)",
    "login/": "before anyone is known",
    "logout/": "ends a session",
    "account/preferences/": "changes one's own settings, answers with a redirect",
    "account/theme/": "changes one's own settings, answers with a redirect",
    "account/password/": "one's own password",
    "account/tokens/": "makes a token, answers with a page of one's own",
    "account/teams/<uuid:team>/quotes/": "one's own team; another's is a 404 (test_team_settings)",
    "account/tokens/<uuid:token>/revoke/": "one's own token; another's is a 404 (test_tokens)",
}
EXEMPT_PREFIXES = {
    "admin/": "site admins, and staff within what they may read (db/corpus/desk); all is audited"
}


@dataclass(frozen=True)
class Case:
    """A request that reads something of one side.

    `names_one` requests name one thing by id: of the hidden side they are compared with an id that
    nothing has. The others are lists and questions: they are compared before and after the hidden
    side exists. `shows` is what an authorised reader must find in the answer.
    """

    route: str
    path: Callable[[Side], str]
    method: str = "get"
    body: Callable[[Side], dict[str, Any]] = field(default=lambda side: {})
    names_one: bool = False
    shows: Callable[[Side], str] = field(default=lambda side: side.marker)
    status: int = 200

    @property
    def by_token(self) -> bool:
        """API paths are asked by token, pages by session."""
        return self.route.startswith("api/")


def one(route: str, path: Callable[[Side], str], **more: Any) -> Case:
    """A case that names one thing."""
    return Case(route, path, names_one=True, **more)


API = "api/v1/"
CASES = [
    Case(API + "corpora", lambda s: "/api/v1/corpora"),
    Case(API + "corpora", lambda s: f"/api/v1/corpora?corpus={s.corpus.slug}"),
    one(API + "corpora/<uuid:public_id>", lambda s: f"/api/v1/corpora/{s.corpus.public_id}"),
    one(
        API + "corpora/<uuid:public_id>",
        lambda s: f"/api/v1/corpora/{s.corpus.public_id}",
        method="patch",
        body=lambda s: {"chunker": "layout"},
    ),
    Case(API + "documents", lambda s: "/api/v1/documents"),
    Case(API + "documents", lambda s: f"/api/v1/documents?corpus={s.corpus.slug}"),
    one(API + "documents/<uuid:public_id>", lambda s: f"/api/v1/documents/{s.document.public_id}"),
    Case(API + "chunks", lambda s: "/api/v1/chunks"),
    one(API + "chunks", lambda s: f"/api/v1/chunks?document={s.document.public_id}"),
    one(API + "chunks/<uuid:public_id>", lambda s: f"/api/v1/chunks/{s.chunk.public_id}"),
    Case(API + "figures", lambda s: "/api/v1/figures"),
    one(API + "figures", lambda s: f"/api/v1/figures?document={s.document.public_id}"),
    Case(API + "figures", lambda s: "/api/v1/figures?kind=general"),
    Case(API + "tables", lambda s: "/api/v1/tables"),
    one(API + "tables", lambda s: f"/api/v1/tables?document={s.document.public_id}"),
    one(API + "tables/<uuid:public_id>", lambda s: f"/api/v1/tables/{s.table.public_id}"),
    Case(API + "jobs", lambda s: "/api/v1/jobs"),
    one(API + "jobs/<uuid:public_id>", lambda s: f"/api/v1/jobs/{s.job.public_id}"),
    one(API + "jobs/<uuid:public_id>", lambda s: f"/api/v1/jobs/{s.job.public_id}?items=none"),
    one(
        API + "jobs/<uuid:public_id>/action",
        lambda s: f"/api/v1/jobs/{s.job.public_id}/action",
        method="post",
        body=lambda s: {"action": "pause"},
        status=409,
        shows=lambda s: "The job is done, so it cannot be paused",
    ),
    Case(API + "watched", lambda s: "/api/v1/watched"),
    one(
        API + "watched",
        lambda s: "/api/v1/watched",
        method="post",
        body=lambda s: {"corpus": s.corpus.slug, "path": "/inbox"},
        shows=lambda s: "watches no folders",
        status=422,
    ),
    one(
        API + "watched",
        lambda s: "/api/v1/watched",
        method="post",
        body=lambda s: {"corpus": s.corpus.slug, "source": "pubmed", "query": s.marker},
        shows=lambda s: f"pubmed: {s.marker} watched already",
        status=409,
    ),
    one(API + "watched/<uuid:public_id>", lambda s: f"/api/v1/watched/{s.watched.public_id}"),
    one(API + "watched/<uuid:public_id>", lambda s: f"/api/v1/watched/{s.feed.public_id}"),
    one(
        API + "watched/<uuid:public_id>",
        lambda s: f"/api/v1/watched/{s.watched.public_id}",
        method="patch",
        body=lambda s: {"paused": True},
    ),
    one(
        API + "images/<str:sha256>",
        lambda s: f"/api/v1/images/{s.image}",
        shows=lambda s: "PNG",
    ),
    Case(API + "search", lambda s: f"/api/v1/search?q={QUESTION}"),
    Case(API + "search", lambda s: f"/api/v1/search?q={QUESTION}&fusion=rrf&limit=50"),
    Case(API + "search", lambda s: f"/api/v1/search?q={QUESTION}&filter=year=2001"),
    one(API + "search", lambda s: f"/api/v1/search?q={QUESTION}&corpus={s.corpus.slug}"),
    one(
        API + "search",
        lambda s: f"/api/v1/search?q={QUESTION}&filter=document={s.document.public_id}",
    ),
    Case(
        API + "query",
        lambda s: "/api/v1/query",
        method="post",
        body=lambda s: {"question": QUESTION},
    ),
    one(
        API + "query",
        lambda s: "/api/v1/query",
        method="post",
        body=lambda s: {"question": QUESTION, "corpora": [s.corpus.slug]},
    ),
    Case(API + "runs", lambda s: "/api/v1/runs"),
    one(API + "runs/<uuid:public_id>", lambda s: f"/api/v1/runs/{s.run.public_id}"),
    one(
        API + "runs/<uuid:public_id>/stop",
        lambda s: f"/api/v1/runs/{s.run.public_id}/stop",
        method="post",
        shows=lambda s: str(s.run.public_id),
    ),
    one(
        API + "ingest/document",
        lambda s: "/api/v1/ingest/document",
        method="post",
        body=lambda s: {"corpus": s.corpus.slug, "source": "jsonl", "file": None},
        shows=lambda s: s.corpus.slug,
        status=202,
    ),
    one(
        API + "ingest/fetch",
        lambda s: "/api/v1/ingest/fetch",
        method="post",
        body=lambda s: {"corpus": s.corpus.slug, "source": "pubmed", "ids": "1"},
        shows=lambda s: s.corpus.slug,
        status=202,
    ),
    Case("library/", lambda s: "/library/"),
    one("library/<slug:slug>/", lambda s: f"/library/{s.corpus.slug}/"),
    one(
        "library/<slug:slug>/fetch/",
        lambda s: f"/library/{s.corpus.slug}/fetch/",
        method="post",
        body=lambda s: {"source": "pubmed"},
        shows=lambda s: "Give either ids or a query",
        status=422,
    ),
    one(
        "library/<slug:slug>/fetch/",
        lambda s: f"/library/{s.corpus.slug}/fetch/",
        method="post",
        body=lambda s: {"source": "pubmed", "query": s.marker, "daily": "1"},
        shows=lambda s: f"pubmed: {s.marker} watched already",
        status=422,
    ),
    one("library/<slug:slug>/documents/", lambda s: f"/library/{s.corpus.slug}/documents/"),
    one(
        "library/<slug:slug>/watch/",
        lambda s: f"/library/{s.corpus.slug}/watch/",
        method="post",
        body=lambda s: {"path": "/inbox"},
        shows=lambda s: "watches no folders",
        status=422,
    ),
    one(
        "library/<slug:slug>/reading/",
        lambda s: f"/library/{s.corpus.slug}/reading/",
        method="post",
        body=lambda s: {"chunker": "layout"},
        shows=lambda s: "",
    ),
    one("library/<slug:slug>/jobs/", lambda s: f"/library/{s.corpus.slug}/jobs/"),
    one(
        "library/<slug:slug>/upload/",
        lambda s: f"/library/{s.corpus.slug}/upload/",
        method="post",
        body=lambda s: {"files": None},
        shows=lambda s: "",
    ),
    one(
        "jobs/<uuid:job>/",
        lambda s: f"/jobs/{s.job.public_id}/",
        method="post",
        body=lambda s: {"action": "retry"},
        shows=lambda s: "",
    ),
    one("documents/<uuid:document>/", lambda s: f"/documents/{s.plain.public_id}/"),
    one(
        "documents/<uuid:document>/p/<int:number>/",
        lambda s: f"/documents/{s.document.public_id}/p/1/",
    ),
    one(
        "documents/<uuid:document>/p/<int:number>/thumb/",
        lambda s: f"/documents/{s.document.public_id}/p/1/thumb/",
        shows=lambda s: "WEBP",
    ),
    one(
        "documents/<uuid:document>/tables/<uuid:table>.md",
        lambda s: f"/documents/{s.document.public_id}/tables/{s.table.public_id}.md",
    ),
    one(
        "documents/<uuid:document>/tables/<uuid:table>.csv",
        lambda s: f"/documents/{s.document.public_id}/tables/{s.table.public_id}.csv",
    ),
    Case("search/", lambda s: "/search/?q=STAT3+SOCS3+feedback"),
    one("search/", lambda s: f"/search/?q=STAT3+SOCS3+feedback&corpus={s.corpus.slug}"),
    Case("", lambda s: "/"),
    one(
        "",
        lambda s: "/",
        method="post",
        body=lambda s: {"question": QUESTION, "corpora": s.corpus.slug, "mode": "analyze"},
        shows=lambda s: "",
    ),
    Case("runs/", lambda s: "/runs/"),
    one("runs/<uuid:run>/", lambda s: f"/runs/{s.run.public_id}/"),
    one(
        "runs/<uuid:run>/stop/",
        lambda s: f"/runs/{s.run.public_id}/stop/",
        method="post",
        shows=lambda s: "",
    ),
    Case("account/", lambda s: "/account/"),
    one(
        API + "deletions/<uuid:public_id>",
        lambda s: f"/api/v1/deletions/{s.deletion.public_id}",
    ),
    one("deletions/<uuid:deletion>/", lambda s: f"/deletions/{s.deletion.public_id}/"),
    one(
        "documents/<uuid:document>/delete/",
        lambda s: f"/documents/{s.spare.public_id}/delete/",
    ),
    # Last: afterwards they are gone.
    one(
        "watched/<uuid:folder>/",
        lambda s: f"/watched/{s.watched.public_id}/",
        method="post",
        body=lambda s: {"action": "pause"},
        shows=lambda s: "",
    ),
    one(
        API + "watched/<uuid:public_id>",
        lambda s: f"/api/v1/watched/{s.watched.public_id}",
        method="delete",
        shows=lambda s: "",
        status=204,
    ),
    one(
        "documents/<uuid:document>/delete/",
        lambda s: f"/documents/{s.spare.public_id}/delete/",
        method="post",
        shows=lambda s: "",
    ),
    one(
        API + "documents/<uuid:public_id>",
        lambda s: f"/api/v1/documents/{s.spare_too.public_id}",
        method="delete",
        status=202,
    ),
]


def routes() -> Iterator[str]:
    """Every route of the site, without the prefixes that are exempt whole."""
    for route in _walk(get_resolver().url_patterns, ""):
        if not route.startswith(tuple(EXEMPT_PREFIXES)):
            yield route


def _walk(patterns: list[Any], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


def absent_ids(side: Side) -> dict[str, str]:
    """Ids of the side, each with one of the same form that nothing has."""
    things = (
        *(side.corpus, side.document, side.plain, side.chunk, side.table, side.job, side.run),
        *(side.spare, side.spare_too, side.deletion, side.watched, side.feed),
    )
    pairs = {str(thing.public_id): str(uuid.uuid4()) for thing in things if thing is not None}
    return pairs | {side.image: "ab" * 32, side.corpus.slug: "no-such-corpus"}
