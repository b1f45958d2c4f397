"""PDFs that come with a reference list: each is read with the entry that has it attached.

The entry is taken from the list's bytes, not from its document, so it does not matter which of the
two a worker comes to first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from corpus.models import Document, JobFile
from corpus.sources.base import Broken
from corpus.sources.files import open_payload
from corpus.sources.references.files import attachments, file_key
from corpus.sources.references.joining import Named, joined, told
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from flux_site.kernel import blobs
from flux_site.kernel.errors import FluxError

__all__ = ["is_attached", "is_told", "joined", "naming", "noted"]

LISTS: Final = "references"
PDF: Final = ".pdf"


def is_attached(file: JobFile) -> bool:
    """Whether a file of a job of reference lists is a PDF that came with them."""
    return file.job.source == LISTS and SOURCES["pdf"].reads(file.name)


def naming(file: JobFile, stored: Document | None) -> list[Named]:
    """Entries that name the file: of the lists that came with it, else the one that named it when
    it was read before, so that reading it again alone forgets nothing.
    """
    if is_attached(file):
        lists = file.job.files.exclude(sha256="").order_by("pk")
        found = [
            named
            for row in lists
            if SOURCES[LISTS].reads(row.name)
            for named in _entries(row.sha256, row.name).get(file_key(file.name), ())
        ]
        if found:
            return found
    return _as_before(file, stored) if stored else []


def _as_before(file: JobFile, stored: Document) -> list[Named]:
    before = stored.metadata.get("named_by") or {}
    entry = Document.objects.filter(
        corpus=stored.corpus_id, source=LISTS, external_id=before.get("entry", ""), deletion=None
    ).first()
    if entry is None:
        return []
    name = before["list"]
    found = _entries(entry.file_sha256, name).get(file_key(stored.metadata.get("filename", "")), ())
    return list(found)


def is_told(stored: Document, named: Sequence[Named]) -> bool:
    """Whether a stored PDF has been told all that these entries tell, or nothing names it now."""
    return not named or stored.metadata.get("named_by") == told(named)


@lru_cache(maxsize=4)
def _entries(sha256: str, name: str) -> Mapping[str, list[Named]]:
    """Entries of a stored list by the files that they name; nothing of one that cannot be read."""
    found: dict[str, list[Named]] = defaultdict(list)
    try:
        payload, plain = open_payload(blobs.get(sha256), name)
        for record in SOURCES[LISTS].parse(payload, plain):
            if not isinstance(record, Broken):
                for attached in attachments(record):
                    found[file_key(attached)].append(Named(record, name))
    except FluxError:  # its own item says so
        return {}
    return found


def noted(file: JobFile, document: NormalizedDocument) -> NormalizedDocument:
    """An entry, with a note of the PDFs that it names and that did not come with its list."""
    if document.source != LISTS:
        return document
    wanted = [str(name).rsplit("/", 1)[-1] for name in document.metadata.get("attachments", ())]
    missing = [
        name
        for name in wanted
        if name.lower().endswith(PDF) and file_key(name) not in _names(file.job_id)
    ]
    if not missing:
        return document
    said = f"Named here but not uploaded with the list: {', '.join(missing)}."
    return replace(document, note=f"{document.note} {said}".strip())


@lru_cache(maxsize=4)
def _names(job: int) -> frozenset[str]:
    """Names of a job's files: they are known when it is made."""
    names = JobFile.objects.filter(job=job).values_list("name", flat=True)
    return frozenset(file_key(name) for name in names)
