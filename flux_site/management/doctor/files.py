"""Stored files against the rows that name them, and what writers have left behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from corpus.models import BlobGarbage, Document, JobFile
from corpus.services import garbage

OLD_S = 600.0  # a temporary file that is older has no writer
BUSY_S = 3600.0  # while uploads go on, a file younger than that may be waiting for its row


def stored() -> dict[str, int]:
    """Files that no row names, and rows whose file is missing.

    A file between its writing and its row is no orphan: while anyone stores files, young ones do
    not count. One that the sweeper is to look at counts neither.
    """
    on_disk = dict(_blobs())
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [garbage.LOCK])
            is_quiet = bool(cursor.fetchone()[0])
        named = _named()
        waiting = set(BlobGarbage.objects.values_list("sha256", flat=True))
    limit = time.time() - BUSY_S
    strays = [
        sha256
        for sha256, (path, written) in on_disk.items()
        if sha256 not in named | waiting and path.exists() and (is_quiet or written < limit)
    ]
    missing = [sha256 for sha256 in named - set(on_disk) if not _path(sha256).exists()]
    return {"files_without_row": len(strays), "rows_without_file": len(missing)}


def temporary() -> dict[str, int]:
    """Half-written files and folders of writers that were killed."""
    limit = time.time() - OLD_S
    found = [path for path in _temporaries() if _mtime(path) < limit]
    return {"temporary_files": len(found)}


def _temporaries() -> Iterator[Path]:
    """By the names that position, indexes and the supervisor give them."""
    lexical = Path(settings.LEXICAL_ROOT)
    yield from lexical.glob(".position.json.*")
    yield from lexical.glob("*/.*.new")
    yield from lexical.glob("*/.*.old")
    yield from Path(settings.STATE_DIR).glob(".*.json.*")


def _named() -> set[str]:
    """Every hash that a row names."""
    found = set(Document.objects.order_by().values_list("file_sha256", flat=True).distinct())
    found |= set(JobFile.objects.order_by().values_list("sha256", flat=True).distinct())
    for model in garbage.PICTURES:
        found |= set(model.objects.order_by().values_list("image_sha256", flat=True).distinct())
    return found - {""}


def _root() -> Path:
    return Path(settings.MEDIA_ROOT) / "blobs"


def _path(sha256: str) -> Path:
    return _root() / sha256[:2] / sha256[2:4] / sha256


def _blobs() -> Iterator[tuple[str, tuple[Path, float]]]:
    for path in _root().glob("*/*/*"):
        yield path.name, (path, _mtime(path))


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()
