"""Looking through a watched folder: what is new and whole becomes a job like any upload.

A scan is one transaction: the files that it takes are rows of a job and remembered as taken, or
neither. Whoever comes while it runs finds the folder locked and leaves it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from corpus.models import IngestJob, Watched, WatchedFile
from corpus.services import folders, garbage, uploads, watching
from corpus.services.folders import Seen
from flux_site.kernel.errors import FluxError, InvalidInput

log = structlog.get_logger(__name__)

SETTLED_AFTER: Final = timedelta(seconds=5)  # two scans at one moment say nothing about a file
LOOKED: Final = 2_000  # files that a scan looks at; the next one goes on
TAKEN: Final = 200  # files that it takes in
TAKEN_BYTES: Final = 256 << 20


def due() -> list[int]:
    """Folders to look through, the longest unseen first."""
    rows = Watched.objects.folders()
    return list(rows.order_by("scanned_at", "pk").values_list("pk", flat=True))


def scan(pk: int) -> list[IngestJob]:
    """Take in what is new in a folder; the jobs made of it, one a source.

    Nothing when it is paused, gone, or another worker is at it. What keeps the folder from being
    read is its `error`, a sentence, until a scan goes through.
    """
    with garbage.keeping(), transaction.atomic():
        rows = Watched.objects.folders().select_for_update(skip_locked=True, of=("self",))
        row = rows.filter(pk=pk).first()
        if row is None:
            return []
        jobs: list[IngestJob] = []
        try:
            with transaction.atomic():
                jobs = _scan(row)
            row.error = ""
        except FluxError as why:
            row.error = why.message
        except OSError as error:
            row.error = f"{row.path} could not be looked through. {folders.why_not(error)}"
        row.scanned_at = timezone.now()
        row.save(update_fields=["cursor", "scanned_at", "error"])
    return jobs


def _scan(row: Watched) -> list[IngestJob]:
    root = _checked(row)
    seen = list(islice(folders.walk(Path(row.path), root, row.cursor), LOOKED))
    known = {file.name: file for file in row.files.filter(name__in=[one.name for one in seen])}
    batch = _Batch(row, timezone.now())
    last = ""
    for one in seen:
        if batch.is_full:
            break
        batch.look(one, known.get(one.name) or WatchedFile(folder=row, name=one.name))
        last = one.place
    is_over = len(seen) < LOOKED and not (seen and last != seen[-1].place)
    row.cursor = "" if is_over else last
    return batch.commit()


def _checked(row: Watched) -> Path:
    """The root that the folder lies in, if it may still be read for this corpus."""
    root = folders.below(Path(row.path), settings.WATCH_ROOTS)
    if root is None:
        raise InvalidInput(
            f"{row.path} no longer lies below a folder that this installation watches "
            "(WATCH_ROOTS): ask an admin, or remove it here."
        )
    if not Path(row.path).is_dir():
        raise InvalidInput(f"The folder {row.path} is not there: bring it back, or remove it here.")
    watching.check_team(row.corpus)
    watching.check_user(row)
    return root


@dataclass
class _Batch:
    """What one scan takes in."""

    folder: Watched
    now: datetime
    bytes: int = 0
    kept: dict[str, list[uploads.Kept]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[str, str] = field(default_factory=dict)
    rows: list[WatchedFile] = field(default_factory=list)
    hashes: set[str] = field(default_factory=set)

    @property
    def is_full(self) -> bool:
        """Whether the rest is left to the next scan."""
        return len(self.hashes) + len(self.refused) >= TAKEN or self.bytes >= TAKEN_BYTES

    def look(self, seen: Seen, row: WatchedFile) -> None:
        """Take a file whose stamp has stood for a while; remember a new stamp."""
        if row.stamp != seen.stamp:
            row.stamp, row.seen_at, row.taken = seen.stamp, self.now, False
            self.rows.append(row)
        elif not row.taken and self.now - row.seen_at >= SETTLED_AFTER:
            try:
                row.sha256 = self._take(seen, row)
            except folders.Changed:
                return
            row.taken = True
            self.rows.append(row)

    def _take(self, seen: Seen, row: WatchedFile) -> str:
        """Keep a file's bytes, unless they are known; its hash, empty if it was refused."""
        why = seen.refused
        if not why and seen.size > settings.UPLOAD_MAX_BYTES:
            why = uploads.too_large(row.name)
        if not why:
            try:
                return self._keep(seen)
            except FileNotFoundError as gone:
                raise folders.Changed from gone
            except OSError as error:
                why = folders.why_not(error)
            except InvalidInput as unknown:
                why = unknown.message
        self.refused[row.name] = why
        return ""

    def _keep(self, seen: Seen) -> str:
        data = folders.read(seen)
        name = seen.place.rpartition("/")[2]
        source = uploads.source_of(name, data[: uploads.HEAD_BYTES], self.folder.source)
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self.hashes and not self._was_taken(sha256):
            self.kept[source].append(uploads.keep(name, data))
            self.hashes.add(sha256)
            self.bytes += len(data)
        return sha256

    def _was_taken(self, sha256: str) -> bool:
        """Whether the corpus has had these bytes from a folder, under whatever name."""
        files = WatchedFile.objects.filter(folder__corpus=self.folder.corpus_id)
        return files.filter(sha256=sha256).exists()

    def commit(self) -> list[IngestJob]:
        """Write what was seen, and a job for each source."""
        WatchedFile.objects.bulk_create(
            self.rows,
            update_conflicts=True,
            unique_fields=["folder", "name"],
            update_fields=["stamp", "seen_at", "taken", "sha256"],
        )
        groups = list(uploads.together(self.kept).items())
        if not groups and self.refused:
            groups = [(uploads.UNKNOWN, [])]
        return [
            uploads.make(
                self.folder.corpus,
                source,
                files,
                by=self.folder.user,
                origin="watch",
                refused={} if number else self.refused,
            )
            for number, (source, files) in enumerate(groups)
        ]
