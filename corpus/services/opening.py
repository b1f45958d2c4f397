"""The records of a job's file from where its reading was left, and of which source they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.conf import settings

from corpus.models import Document, JobFile
from corpus.services import attaching, fingerprint, recognition
from corpus.services.turns import Slice
from corpus.sources.base import NotThisSource, Source
from corpus.sources.companions import DATA, is_companion
from corpus.sources.files import open_payload
from corpus.sources.pdf.isolated import parse_isolated
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from flux_site.kernel import blobs


def source_of(file: JobFile) -> Source:
    """The job's source; of a PDF that came with a reference list, PDF."""
    return SOURCES["pdf" if attaching.is_attached(file) else file.job.source]


def refuse_other_name(file: JobFile) -> None:
    """Raise NotThisSource for a file whose name says that it is none of the source's."""
    source = source_of(file)
    if source.name in DATA and is_companion(file.name):
        raise NotThisSource("Not read: a licence or readme goes with the data and is none itself.")
    if not source.reads(file.name):
        raise NotThisSource(
            f"Not read: {source.label} files end in {' or '.join(source.suffixes)}."
        )


class _Kept:
    """The half-read file of this worker: its next slice need not parse all that went before."""

    def __init__(self) -> None:
        self.place: tuple[str, ...] = ()
        self.records: Iterator[tuple[int, Any]] = iter(())

    def keep(self, place: tuple[str, ...], records: Iterator[tuple[int, Any]]) -> None:
        """Remember where a file was left."""
        self.place, self.records = place, records

    def take(self, place: tuple[str, ...]) -> Iterator[tuple[int, Any]] | None:
        """The records from there on, if this is where it was left; only once."""
        found = self.records if self.place == place else None
        self.keep((), iter(()))
        return found


_KEPT = _Kept()  # bulk workers do one thing at a time, in a process of their own


def keep(file: JobFile, cursor: int, rest: Iterator[tuple[int, Any]]) -> None:
    """Remember where the reading of a file was left, for this process's next slice of it."""
    _KEPT.keep(_place(file, cursor), rest)


def _place(file: JobFile, cursor: int) -> tuple[str, ...]:
    return (file.job.source, file.sha256, file.name, str(cursor))


def records(file: JobFile, turn: Slice) -> Iterator[tuple[int, Any]]:
    """The file's records from its cursor on, numbered.

    Raises NotFound when the file is no longer stored, ParseError and NotThisSource as its source.
    """
    source = source_of(file)
    if source.isolated:
        if not file.cursor:
            yield 0, _isolated(file, source, blobs.get(file.sha256), turn)
        return
    kept = _KEPT.take(_place(file, file.cursor))
    if kept is None:
        payload, name = open_payload(blobs.get(file.sha256), file.name)
        JobFile.objects.filter(pk=file.pk).update(expected=source.count(payload))
        kept = islice(enumerate(source.parse(payload, name)), file.cursor, None)
    yield from kept


def _present(file: JobFile) -> str:
    return fingerprint.pipeline(file.job.corpus.chunker)


def _isolated(
    file: JobFile, source: Source, data: bytes, turn: Slice
) -> NormalizedDocument | Document:
    """A PDF, parsed in a child process, with what a reference list tells of it; the stored document
    when the same bytes were parsed already and told the same.
    """
    stored: Document | None = Document.objects.filter(
        corpus=file.job.corpus, source=source.name, external_id=file.sha256, deletion=None
    ).first()
    named = attaching.naming(file, stored)
    is_present = stored is not None and stored.pipeline == _present(file)
    is_whole = is_present and not (stored and recognition.is_due(stored))
    if stored and is_whole and file.only is None and attaching.is_told(stored, named):
        return stored
    parsed = parse_isolated(
        data,
        file.name,
        memory_bytes=settings.PDF_MEMORY_BYTES,
        timeout_s=settings.PDF_TIMEOUT_SECONDS,
        max_pages=settings.PDF_MAX_PAGES,
        ocr=recognition.turn_of(file, turn.seconds),
        wanted=turn.still_ours,
    )
    return attaching.joined(parsed, named)
