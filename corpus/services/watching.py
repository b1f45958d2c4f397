"""Watched folders: which there are, and what is new in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, Watched
from corpus.services import folders, uploads
from corpus.sources.registry import SOURCES
from flux_site.kernel.errors import Conflict, InvalidInput, NotFound

OFF = "This installation watches no folders: an admin names some in the setting WATCH_ROOTS."


def add(corpus: Corpus, path: str, *, source: str = "", by: User, origin: str = "") -> Watched:
    """Have a folder watched: files that lie or come there go into the corpus, on behalf of `by`.

    `path` is absolute, or below a root of WATCH_ROOTS; `source` decides of which kind files are
    where several fit. Raises InvalidInput for another folder or source, NotFound and NotAllowed as
    an upload does, Conflict when the corpus has the folder already.
    """
    uploads.check_role(corpus, by)
    if source and source not in SOURCES:
        raise InvalidInput(f"No source is called {source!r}; there are: {', '.join(SOURCES)}.")
    folder = _found(path)
    try:
        with transaction.atomic():
            row = Watched.objects.create(corpus=corpus, path=str(folder), source=source, user=by)
            record(by, "watch.add", row, origin=origin, after={"path": row.path})
    except IntegrityError as error:
        raise Conflict(f"{corpus.name} has {folder} watched already.") from error
    return row


def _found(path: str) -> Path:
    """The folder of that name below a root. Raises InvalidInput."""
    roots: list[Path] = settings.WATCH_ROOTS
    if not roots:
        raise InvalidInput(OFF)
    given = path.replace("\x00", "").strip()
    for root in roots:
        wanted = root / given  # an absolute path stays itself
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
        raise InvalidInput(f"A watched folder can be told to {', '.join(ACTIONS)}.")
    with transaction.atomic():
        record(by, f"watch.{action}", row, origin=origin, before={"path": row.path})
        if action == "remove":
            Watched.objects.filter(pk=row.pk).delete()
        else:
            row.paused = action == "pause"
            row.save(update_fields=["paused"])


ACTIONS = ("pause", "resume", "remove")


def summary(row: Watched) -> dict[str, Any]:
    """A folder as commands and API give it."""
    return {
        "id": str(row.public_id),
        "corpus": row.corpus.slug,
        "path": row.path,
        "source": row.source,
        "paused": row.paused,
        "taken": row.files.filter(taken=True).exclude(sha256="").count(),
        "refused": row.files.filter(taken=True, sha256="").count(),
        "waiting": row.files.filter(taken=False).count(),
        "scanned_at": row.scanned_at.isoformat() if row.scanned_at else None,
        "error": row.error,
    }
