"""Stored files that nothing refers to any more.

A file is written before the row that names it, so "no row names it" alone does not make it
garbage: the row may be about to come. Whoever stores files holds a shared lock (`keeping`) from
before the first byte until the rows are committed; the sweeper takes the same lock alone. Hence,
while it looks and removes, nobody stands between a file and its row, and whoever comes next finds
the file gone and writes it anew. A lock ends with its connection, so a killed process blocks
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import QuerySet

from corpus.models import BlobGarbage, Document, Figure, JobFile, Page, Table
from flux_site.kernel import blobs

log = structlog.get_logger(__name__)

LOCK = 0x626C6F62  # advisory: shared by those who store files, alone for the sweeper
WAIT = "5s"  # for those who are just storing; otherwise the next sweep does it
BATCH = 50  # files removed under one lock: an upload waits no longer than that takes
OPEN_JOBS = ("queued", "running", "paused")
PICTURES: tuple[Any, ...] = (Figure, Table, Page)


@contextmanager
def keeping() -> Iterator[None]:
    """Files stored in this block are not swept before it ends: end it after the commit of the rows
    that name them.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock_shared(%s)", [LOCK])
    try:
        yield
    finally:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock_shared(%s)", [LOCK])
        except DatabaseError:  # the connection is lost, and the lock with it
            log.warning("blobs.unlock_failed")


def hashes_of(documents: QuerySet[Document]) -> tuple[set[str], set[str]]:
    """Pictures and original files that documents use."""
    pictures: set[str] = set()
    for model in PICTURES:
        rows = model.objects.filter(document__in=documents).exclude(image_sha256="")
        pictures |= set(rows.values_list("image_sha256", flat=True))
    files = documents.order_by().exclude(file_sha256="").values_list("file_sha256", flat=True)
    return pictures, set(files)


def note(hashes: Iterable[str]) -> None:
    """Have the sweeper look at files, in the transaction that deletes what used them."""
    BlobGarbage.objects.bulk_create(
        (BlobGarbage(sha256=sha256) for sha256 in sorted(hashes)), ignore_conflicts=True
    )


def noted(hashes: Collection[str]) -> set[str]:
    """Those of the hashes that the sweeper is to look at already."""
    rows = BlobGarbage.objects.filter(sha256__in=hashes)
    return set(rows.values_list("sha256", flat=True))


def stored(hashes: Collection[str]) -> set[str]:
    """Those of the hashes that a document, its pages, figures or tables name."""
    used = set(
        Document.objects.order_by()
        .filter(file_sha256__in=hashes)
        .values_list("file_sha256", flat=True)
    )
    for model in PICTURES:
        rows = model.objects.order_by().filter(image_sha256__in=hashes)
        used |= set(rows.values_list("image_sha256", flat=True))
    return used


def awaited(hashes: Collection[str]) -> set[str]:
    """Those of the hashes that a job under way has still to read."""
    files = JobFile.objects.order_by().filter(sha256__in=hashes, job__state__in=OPEN_JOBS)
    return set(files.values_list("sha256", flat=True))


def sweep() -> int:
    """Remove the noted files that nothing uses; how many."""
    removed, seen = 0, ""
    while True:
        hashes = list(
            BlobGarbage.objects.filter(sha256__gt=seen)
            .order_by("sha256")
            .values_list("sha256", flat=True)[:BATCH]
        )
        if not hashes:
            return removed
        seen = hashes[-1]
        try:
            removed += _sweep(hashes)
        except OperationalError:  # someone is storing for longer than WAIT
            log.info("blobs.sweep_postponed", left=len(hashes))
            return removed


def _sweep(hashes: list[str]) -> int:
    """A file goes before its note does: killed in between, the next sweep finds it gone already."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WAIT])
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        used, waiting = stored(hashes), awaited(hashes)
        gone = [sha256 for sha256 in hashes if sha256 not in used | waiting]
        JobFile.objects.filter(sha256__in=gone).update(sha256="")
        for sha256 in gone:
            blobs.delete(sha256)
        BlobGarbage.objects.filter(sha256__in={*gone, *used}).delete()
    cache.delete_many([f"thumb:{sha256}" for sha256 in gone])
    return len(gone)
