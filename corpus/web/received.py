"""Uploaded files: of which source each is, and the jobs that are made of them."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from kombu.exceptions import OperationalError

from accounts.models import User
from corpus.models import Corpus, IngestJob
from corpus.services import uploads
from corpus.sources.registry import SOURCES
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of an upload: the jobs that were made, and why some files are in none."""

    jobs: tuple[IngestJob, ...]
    refused: Mapping[str, str]


def accept_files(
    corpus: Corpus, files: Sequence[UploadedFile], *, by: User, origin: str
) -> Receipt:
    """One job for each source among the files, in the order of their first file; PDFs that come
    with a reference list are in its job.

    A file of no known source, or one that is too large, is refused; the others are not harmed.
    Raises InvalidInput when there is no file at all, and what `uploads.accept` raises about `by`.
    """
    uploads.check_role(corpus, by)  # before a byte is looked at
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
        for source, group in uploads.together(groups).items()
    )
    if jobs:
        start_now()
    return Receipt(jobs, refused)


def _checked(file: UploadedFile, name: str) -> str:
    """The source of a file that may be taken in."""
    uploads.check_size(name, file.size or 0)
    file.seek(0)
    return uploads.source_of(name, file.read(uploads.HEAD_BYTES))


def start_now() -> None:
    """Have the work handed out at once; without a broker the beat does it, once there is one."""
    with contextlib.suppress(OperationalError):
        dispatch.delay()


def _read(files: Sequence[UploadedFile]) -> Iterator[tuple[str, bytes]]:
    """One file in memory at a time."""
    for file in files:
        file.seek(0)
        yield file.name or "file", file.read()


def accepted_suffixes() -> str:
    """The `accept` attribute of the file input."""
    plain = {suffix for source in SOURCES.values() for suffix in source.suffixes}
    return ",".join(sorted(plain | {".gz"}))
