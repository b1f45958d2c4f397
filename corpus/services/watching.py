"""What is watched for a corpus: folders of this machine, and feeds of live sources."""

from __future__ import annotations

import contextlib
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, JobItem, Watched
from corpus.services import fetching, folders, uploads
from corpus.sources.registry import SOURCES
from flux_site.kernel.errors import Conflict, InvalidInput, NotAllowed, NotFound

OFF = "This installation watches no folders: an admin names some in the setting WATCH_ROOTS."

LONGEST_QUERY: Final = 1_000


def add(
    corpus: Corpus,
    path: str = "",
    *,
    source: str = "",
    query: str = "",
    since: str = "",
    limit: int | None = None,
    by: User,
    origin: str = "",
) -> Watched:
    """Have a folder watched, or a live source asked for a query each day (a feed): what comes there
    goes into the corpus, on behalf of `by`.

    `path` is absolute, or below a root of WATCH_ROOTS; `source` decides of which kind files are
    where several fit. A feed's `since` (an ISO date) and `limit` narrow each asking. Raises
    InvalidInput for another folder or source or a request that is none, NotFound and NotAllowed as
    an upload does, Conflict when the corpus has the same watched already.
    """
    uploads.check_role(corpus, by)
    if source and source not in SOURCES:
        raise InvalidInput(f"No source is called {source!r}; there are: {', '.join(SOURCES)}.")
    if not path and query:
        values = _feed(source, query, since, limit)
    elif query or since or limit is not None:
        raise InvalidInput("Give either a folder or a query; a date and a limit narrow a query.")
    else:
        check_team(corpus)
        values = {"path": str(_found(path)), "source": source}
    row = Watched(corpus=corpus, user=by, **values)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            record(by, "watch.add", row, origin=origin, after=_told(row))
    except IntegrityError as error:
        raise Conflict(f"{corpus.name} has {row} watched already.") from error
    return row


def _feed(source: str, query: str, since: str, limit: int | None) -> dict[str, Any]:
    fetching.client_for(source)
    request = fetching.request_for(query=query, since=since, limit=limit)
    if len(request.query) > LONGEST_QUERY:
        raise InvalidInput(f"A query has at most {LONGEST_QUERY:,} characters.")
    first = date.fromisoformat(since) if since else None
    return {"source": source, "query": request.query, "since": first, "limit": limit}


def _told(row: Watched) -> dict[str, str]:
    """What it is, for the audit."""
    return {"source": row.source, "query": row.query} if row.is_feed else {"path": row.path}


def check_user(row: Watched) -> User:
    """On whose behalf records are taken in now. Raises InvalidInput, a sentence for a curator, when
    they may bring nothing into the corpus any more.
    """
    try:
        if row.user is None or not row.user.is_active:
            raise NotFound
        uploads.check_role(row.corpus, row.user)
    except (NotFound, NotAllowed) as lost:
        who = row.user.display_name if row.user else "Whoever set it up"
        what = "feed" if row.is_feed else "folder"
        raise InvalidInput(
            f"{who} may no longer add documents to {row.corpus.name}, and this {what} was set up "
            "in that name: remove it and set it up again."
        ) from lost
    return row.user


def check_team(corpus: Corpus) -> None:
    """Raise NotAllowed for a personal corpus: everybody may have one, and folders of this machine
    are for teams that an admin has made.
    """
    if corpus.team.personal_of_id:
        raise NotAllowed(
            "Folders of this machine are watched for corpora of teams, and this is a personal one."
        )


def _found(path: str) -> Path:
    """The folder of that name below a root. Raises InvalidInput."""
    roots: list[Path] = settings.WATCH_ROOTS
    if not roots:
        raise InvalidInput(OFF)
    given = path.replace("\x00", "").strip()
    for root in roots:
        wanted = root / given  # an absolute path stays itself
        with contextlib.suppress(OSError):  # a name that is too long is none
            if given and folders.below(wanted, roots) and wanted.is_dir():
                return wanted.resolve()
    places = ", ".join(map(str, roots))
    raise InvalidInput(f"{given or 'That'} is no folder below {places}.")


def act(row: Watched, action: str, *, by: User, origin: str = "") -> None:
    """Do `pause`, `resume` or `remove`; what was taken in stays.

    Raises NotFound when `by` may not fill the corpus, InvalidInput for another word.
    """
    if not Corpus.objects.with_role(by, Role.CURATOR).filter(pk=row.corpus_id).exists():
        raise NotFound
    if action not in ACTIONS:
        raise InvalidInput(f"What is watched can be told to {', '.join(ACTIONS)}.")
    with transaction.atomic():
        record(by, f"watch.{action}", row, origin=origin, before=_told(row))
        if action == "remove":
            Watched.objects.filter(pk=row.pk).delete()
        else:
            row.paused = action == "pause"
            row.save(update_fields=["paused"])


ACTIONS = ("pause", "resume", "remove")


def summary(row: Watched) -> dict[str, Any]:
    """A folder or feed as commands and API give it."""
    return {
        "id": str(row.public_id),
        "corpus": row.corpus.slug,
        "path": row.path,
        "source": row.source,
        "query": row.query,
        "since": row.since.isoformat() if row.since else None,
        "limit": row.limit,
        "paused": row.paused,
        **(_asked(row) if row.is_feed else _looked(row)),
        "scanned_at": row.scanned_at.isoformat() if row.scanned_at else None,
    }


def _looked(row: Watched) -> dict[str, Any]:
    """What came of a folder: files."""
    return {
        "taken": row.files.filter(taken=True).exclude(sha256="").count(),
        "refused": row.files.filter(taken=True, sha256="").count(),
        "waiting": row.files.filter(taken=False).count(),
        "job": None,
        "error": row.error,
    }


def _asked(row: Watched) -> dict[str, Any]:
    """What came of a feed: records, each once, and how its last job stands."""
    items = JobItem.objects.filter(job__feed=row)
    job = row.jobs.select_related("fetch").first()
    return {
        "taken": items.exclude(document=None).aggregate(n=Count("document", distinct=True))["n"],
        "refused": job.items.filter(state="failed").count() if job else 0,
        "waiting": job.items.filter(state="running").count() if job else 0,
        "job": str(job.public_id) if job else None,
        "error": row.error or (job.fetch.reason if job else ""),
    }
