"""Taking files in: bytes by hash, a job with one row a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, IngestJob, JobFile
from corpus.services import garbage
from corpus.sources.registry import SOURCES
from flux_site.kernel import blobs
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound


class TooLarge(InvalidInput):
    """A file over the site's limit."""

    code = "too_large"
    status = 413


def accept(
    corpus: Corpus, source: str, files: Iterable[tuple[str, bytes]], *, by: User, origin: str = ""
) -> IngestJob:
    """Keep the files and make a job of them, in the order given.

    Raises NotFound for a corpus that `by` may not see, NotAllowed below curator, InvalidInput for
    an unknown source or no files, TooLarge for a file over UPLOAD_MAX_BYTES.
    """
    check(corpus, source, by)
    with garbage.keeping():
        return _accept(corpus, source, files, by=by, origin=origin)


def _accept(
    corpus: Corpus, source: str, files: Iterable[tuple[str, bytes]], *, by: User, origin: str
) -> IngestJob:
    kept = [_keep(name, data) for name, data in files]
    if not kept:
        raise InvalidInput("No file was given.")
    with transaction.atomic():
        job = IngestJob.objects.create(corpus=corpus, user=by, source=source)
        JobFile.objects.bulk_create(
            JobFile(job=job, name=name, sha256=sha256, size=size) for name, sha256, size in kept
        )
        record(by, "ingest.start", job, origin=origin, after={"files": len(kept)})
    return job


def check(corpus: Corpus, source: str, by: User) -> None:
    """Whether `by` may bring records of a source into a corpus; raises as `accept` says."""
    if not Corpus.objects.readable_by(by).filter(pk=corpus.pk).exists():
        raise NotFound
    if not Corpus.objects.with_role(by, Role.CURATOR).filter(pk=corpus.pk).exists():
        raise NotAllowed(f"Only curators and owners can add documents to {corpus.name}.")
    if source not in SOURCES:
        raise InvalidInput(f"No source is called {source!r}; there are: {', '.join(SOURCES)}.")


def check_size(name: str, size: int) -> None:
    """Raises TooLarge for a file of more bytes than the site takes in."""
    if size > settings.UPLOAD_MAX_BYTES:
        limit = settings.UPLOAD_MAX_BYTES >> 20
        raise TooLarge(f"{name} is larger than {limit} MB: split it, or ask an admin for more.")


def _keep(name: str, data: bytes) -> tuple[str, str, int]:
    check_size(name, len(data))
    name = Path(name.replace("\x00", "")).name or "file"
    return name, blobs.put(data), len(data)


def walk(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The files at these paths, folders walked in the order of names. Raises InvalidInput if one is
    absent.
    """
    for given in paths:
        path = Path(given)
        if not path.exists():
            raise InvalidInput(f"{given} does not exist.")
        found = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in found:
            yield file.name, file.read_bytes()
