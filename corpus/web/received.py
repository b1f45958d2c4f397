"""Uploaded files: of which source each is, and the jobs that are made of them."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from kombu.exceptions import OperationalError

from accounts.models import User
from corpus.models import Corpus, IngestJob
from corpus.services import uploads
from corpus.sources.registry import SOURCES
from corpus.sources.sniffing import fitting
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput

HEAD_BYTES = 16384
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of an upload: the jobs that were made, and why some files are in none."""

    jobs: tuple[IngestJob, ...]
    refused: Mapping[str, str]


def accept_files(
    corpus: Corpus, files: Sequence[UploadedFile], *, by: User, origin: str
) -> Receipt:
    """One job for each source among the files, in the order of their first file.

    A file of no known source, or one that is too large, is refused; the others are not harmed.
    Raises InvalidInput when there is no file at all, and what `uploads.accept` raises about `by`.
    """
    if not files:
        raise InvalidInput("Choose at least one file.")
    groups: dict[str, list[UploadedFile]] = defaultdict(list)
    refused: dict[str, str] = {}
    for file in files:
        name = file.name or "file"
        try:
            groups[_checked(file, name)].append(file)
        except InvalidInput as why:
            refused[name] = why.message
    jobs = tuple(
        uploads.accept(corpus, source, _read(group), by=by, origin=origin)
        for source, group in groups.items()
    )
    if jobs:
        start_now()
    return Receipt(jobs, refused)


def _checked(file: UploadedFile, name: str) -> str:
    """The source of a file that may be taken in."""
    uploads.check_size(name, file.size or 0)
    return source_of(name, head_of(file))


def start_now() -> None:
    """Have the work handed out at once; without a broker the beat does it, once there is one."""
    with contextlib.suppress(OperationalError):
        dispatch.delay()


def _read(files: Sequence[UploadedFile]) -> Iterator[tuple[str, bytes]]:
    """One file in memory at a time."""
    for file in files:
        file.seek(0)
        yield file.name or "file", file.read()


def head_of(file: UploadedFile) -> bytes:
    """The first bytes, unpacked where the file is gzipped."""
    file.seek(0)
    head: bytes = file.read(HEAD_BYTES)
    if not head.startswith(GZIP_MAGIC):
        return head
    try:
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, HEAD_BYTES)
    except (zlib.error, gzip.BadGzipFile):
        return b""


def source_of(name: str, head: bytes) -> str:
    """The source of a file, by its suffix and, where sources share one, by how it begins.

    Raises InvalidInput when no source reads such files.
    """
    found = fitting(name, head, SOURCES)
    if not found:
        raise InvalidInput(f"{name} is of no kind that Flux reads. It reads {kinds()}.")
    return found[0]


def kinds() -> str:
    """The kinds of file that are read, for a sentence."""
    labels = [source.label for source in SOURCES.values()]
    return ", ".join(labels[:-1]) + " and " + labels[-1]


def accepted_suffixes() -> str:
    """The `accept` attribute of the file input."""
    plain = {suffix for source in SOURCES.values() for suffix in source.suffixes}
    return ",".join(sorted(plain | {".gz"}))
