"""PDFs that reference lists name: each is read with the entry that has it attached.

Of a list that came with the PDF the entry is taken from the list's bytes, not from its document, so
it does not matter which of the two a worker comes to first. A PDF that comes later finds the entry
among those that its corpus holds.
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
    """Entries that name the file: of the lists that came with it, else of those that its corpus
    holds, also by the name under which it was `stored`: reading it again alone forgets nothing.
    """
    known = stored.metadata if stored else {}
    keys = [file_key(name) for name in (file.name, known.get("filename", "")) if name]
    found = _of_job(file, keys[0]) if is_attached(file) else []
    before = known.get("named_by") or {}
    for key in keys:
        found = found or _of_corpus(file.job.corpus_id, key, before)
    return found


def _of_job(file: JobFile, key: str) -> list[Named]:
    lists = file.job.files.exclude(sha256="").order_by("pk")
    return [
        named
        for row in lists
        if SOURCES[LISTS].reads(row.name)
        for named in _entries(row.sha256, row.name).get(key, ())
    ]


def _of_corpus(corpus: int, key: str, before: Mapping[str, str]) -> list[Named]:
    """Of entries that are stored; in the words of `before`, where that is what one told already."""
    entries = Document.objects.filter(
        corpus=corpus, source=LISTS, deletion=None, metadata__has_key="attachments"
    )
    rows = entries.order_by("pk").values_list("file_sha256", "external_id", "metadata__attachments")
    ids: dict[str, set[str]] = defaultdict(set)
    for sha256, external_id, names in rows:
        if key in map(file_key, names):
            ids[sha256].add(external_id)
    found: list[Named] = []
    for sha256, standing in ids.items():
        name = before["list"] if before.get("entry") in standing else _name(corpus, sha256)
        named = _entries(sha256, name).get(key, ())
        found += [one for one in named if told([one])["entry"] in standing]
    return found


def _name(corpus: int, sha256: str) -> str:
    """Under which a list came first."""
    files = JobFile.objects.filter(job__corpus=corpus, sha256=sha256).order_by("pk")
    return str(files.values_list("name", flat=True).first() or "")


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
    """An entry, with a note of the PDFs that it names and that neither came with its list nor were
    here.
    """
    if document.source != LISTS:
        return document
    wanted = [str(name).rsplit("/", 1)[-1] for name in document.metadata.get("attachments", ())]
    missing = [
        name
        for name in wanted
        if name.lower().endswith(PDF) and file_key(name) not in _here(file.job_id)
    ]
    if not missing:
        return document
    said = f"Named here but not uploaded with the list: {', '.join(missing)}."
    return replace(document, note=f"{document.note} {said}".strip())


@lru_cache(maxsize=4)
def _here(job: int) -> frozenset[str]:
    """Names of a job's files, which are known when it is made, and of PDFs that were stored before
    this worker came to its first entry.
    """
    given = JobFile.objects.filter(job=job).values_list("name", flat=True)
    stored = Document.objects.filter(corpus__jobs=job, source="pdf", deletion=None)
    names = stored.values_list("metadata__filename", flat=True)
    return frozenset(file_key(name) for name in (*given, *filter(None, names)))
