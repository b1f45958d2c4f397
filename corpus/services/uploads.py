"""Taking files in: bytes by hash, a job with one row a file."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.services.audit import record
from corpus.models import Corpus, IngestJob, JobFile, JobItem
from corpus.services import corpora, garbage
from corpus.sources.companions import DATA, is_companion
from corpus.sources.registry import SOURCES
from corpus.sources.sniffing import fitting
from flux_site.kernel import blobs
from flux_site.kernel.errors import InvalidInput

HEAD_BYTES: Final = 16384
UNKNOWN: Final = "unknown"  # of a job that holds refused files only
REFUSED: Final = "refused"  # of an item whose file was never taken in
BESIDE = "beside"  # of a file that goes with others; `together` says which
T = TypeVar("T")
_GZIP_MAGIC: Final = b"\x1f\x8b"
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Kept:
    """A file whose bytes are stored."""

    name: str
    sha256: str
    size: int


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
        kept = [keep(name, data) for name, data in files]
        if not kept:
            raise InvalidInput("No file was given.")
        return make(corpus, source, kept, by=by, origin=origin)


@transaction.atomic
def make(
    corpus: Corpus,
    source: str,
    files: Sequence[Kept],
    *,
    by: User | None,
    origin: str = "",
    refused: Mapping[str, str] = _NOTHING,
) -> IngestJob:
    """A job of files that are stored, in their order, and of those that were refused (name ->
    why), each a failed item. Call it in the block of `garbage.keeping` that stored them.
    """
    job = IngestJob.objects.create(corpus=corpus, user=by, source=source)
    JobFile.objects.bulk_create(
        JobFile(job=job, name=file.name, sha256=file.sha256, size=file.size) for file in files
    )
    rows = JobFile.objects.bulk_create(
        JobFile(job=job, name=name, size=0, state="failed") for name in refused
    )
    JobItem.objects.bulk_create(
        JobItem(
            **{"job": job, "file": row, "position": 0, "name": row.name, "records": 0},
            **{"state": "failed", "stage": "end", "code": REFUSED, "reason": why},
        )
        for row, why in zip(rows, refused.values(), strict=True)
    )
    told = {"files": len(files)} | ({"refused": len(refused)} if refused else {})
    record(by, "ingest.start", job, origin=origin, after=told)
    return job


def check(corpus: Corpus, source: str, by: User) -> None:
    """Whether `by` may bring records of a source into a corpus; raises as `accept` says."""
    check_role(corpus, by)
    if source not in SOURCES:
        raise InvalidInput(f"No source is called {source!r}; there are: {', '.join(SOURCES)}.")


def check_size(name: str, size: int) -> None:
    """Raises TooLarge for a file of more bytes than the site takes in."""
    if size > settings.UPLOAD_MAX_BYTES:
        raise TooLarge(too_large(name))


def check_role(corpus: Corpus, by: User) -> None:
    """Whether `by` may bring anything into a corpus; raises NotFound or NotAllowed."""
    corpora.check_curator(corpus, by, f"add documents to {corpus.name}")


def keep(name: str, data: bytes) -> Kept:
    """Store a file's bytes, within `garbage.keeping`. A name that is no UTF-8 is kept with its odd
    bytes spelled out. Raises TooLarge.
    """
    name = name.replace("\x00", "").encode(errors="backslashreplace").decode()
    check_size(name, len(data))
    name = Path(name).name or "file"
    return Kept(name, blobs.put(data), len(data))


def too_large(name: str) -> str:
    """The sentence about a file over the site's limit."""
    limit = settings.UPLOAD_MAX_BYTES >> 20
    return f"{name} is larger than {limit} MB: split it, or ask an admin for more."


def source_of(name: str, head: bytes, hint: str = "") -> str:
    """The source of a file, by its suffix and, where sources share one, by how it begins; `hint`
    where that source reads such files; BESIDE for a licence or readme. `head` are its first bytes,
    unpacked or not.

    Raises InvalidInput when no source reads such files.
    """
    if hint in SOURCES and SOURCES[hint].reads(name):
        return hint
    if is_companion(name):
        return BESIDE
    found = fitting(name, unpacked(head), SOURCES)
    if not found:
        raise InvalidInput(f"{name} is of no kind that Flux reads. It reads {kinds()}.")
    return found[0]


def together(groups: Mapping[str, list[T]]) -> dict[str, list[T]]:
    """Files by source, with PDFs in the job of the reference lists that came with them: their
    entries tell of the PDFs that they have attached. A licence or readme is in the job of the data
    that it came with, which skips it, and a text where it came with none.
    """
    found = dict(groups)
    if beside := found.pop(BESIDE, []):
        whose = next((source for source in found if source in DATA), "text")
        found[whose] = [*found.get(whose, []), *beside]
    if {"references", "pdf"} <= found.keys():
        found["references"] = [*found["references"], *found.pop("pdf")]
    return found


def unpacked(head: bytes) -> bytes:
    """The first bytes of what a gzipped file holds; others as they are. Empty when it is broken."""
    if not head.startswith(_GZIP_MAGIC):
        return head
    try:
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, HEAD_BYTES)
    except (zlib.error, gzip.BadGzipFile):
        return b""


def kinds() -> str:
    """The kinds of file that are read, for a sentence."""
    labels = [source.label for source in SOURCES.values()]
    return ", ".join(labels[:-1]) + " and " + labels[-1]


def walk(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The files at these paths, folders walked in the order of names. Raises InvalidInput if one is
    absent, or is a device or pipe, which may never end.
    """
    for given in paths:
        path = Path(given)
        if not path.exists():
            raise InvalidInput(f"{given} does not exist.")
        if not path.is_dir() and not path.is_file():
            raise InvalidInput(
                f"{given} is no file or folder. Write its content into a file first."
            )
        found = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in found:
            try:
                data = file.read_bytes()
            except OSError as why:
                raise InvalidInput(f"{file} cannot be read: {why.strerror}.") from why
            yield file.name, data
