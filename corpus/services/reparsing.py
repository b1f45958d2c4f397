"""Reading stored documents again from the files they came from: a job like any other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, Document, IngestJob, JobFile
from corpus.services import garbage
from flux_site.kernel.errors import InvalidInput, NotFound

Lines = dict[tuple[int, str], dict[str, list[str]]]  # (corpus, source) -> file -> external ids


@dataclass(frozen=True, slots=True)
class Reparsing:
    """`jobs`, one for each corpus and source; `without_file` documents cannot be read again."""

    jobs: list[IngestJob]
    documents: int
    without_file: int


def request(
    documents: QuerySet[Document], *, by: User, origin: str = "", inside_admin: bool = False
) -> Reparsing:
    """Make jobs that read these documents again, and no other record of their files.

    Documents that are being deleted are left out. What comes out as it was stored is not replaced.
    Raises NotFound where `by` may not fill one of the corpora, InvalidInput where no document has
    the file it was read from.
    """
    with garbage.keeping(), transaction.atomic():
        lines, known, without = _lines(documents.filter(deletion=None))
        _check({corpus for corpus, _ in known}, by, inside_admin)
        jobs = [_job(*place, files, by=by, origin=origin) for place, files in lines.items()]
        if not jobs:
            raise InvalidInput("None of these documents has the file it was read from any more.")
    count = sum(len(ids) for files in lines.values() for ids in files.values())
    return Reparsing(jobs, count, without)


def _lines(documents: QuerySet[Document]) -> tuple[Lines, set[tuple[int, str]], int]:
    """What is to be read, all places that documents are in, and how many have no file."""
    rows = list(
        documents.order_by("pk").values_list("corpus", "source", "file_sha256", "external_id")
    )
    files = JobFile.objects.filter(sha256__in={row[2] for row in rows if row[2]})
    stored = set(files.order_by().values_list("job__corpus", "sha256"))
    lines: Lines = defaultdict(lambda: defaultdict(list))
    for corpus, source, sha256, external_id in rows:
        if (corpus, sha256) in stored:
            lines[corpus, source][sha256].append(external_id)
    met = sum(len(ids) for by_file in lines.values() for ids in by_file.values())
    return lines, {(corpus, source) for corpus, source, *_ in rows}, len(rows) - met


def _check(corpora: set[int], by: User, inside_admin: bool) -> None:
    mine = Corpus.objects.workable_by(by, Role.CURATOR, inside_admin=inside_admin)
    if mine.filter(pk__in=corpora).count() < len(corpora):
        raise NotFound


def _job(
    corpus: int, source: str, files: dict[str, list[str]], *, by: User, origin: str
) -> IngestJob:
    job = IngestJob.objects.create(corpus_id=corpus, user=by, source=source)
    # A PDF may have come with a list of references, in a job of that source.
    former = JobFile.objects.filter(job__corpus=corpus, sha256__in=files).order_by("pk")
    latest = {file.sha256: file for file in former}
    JobFile.objects.bulk_create(
        JobFile(job=job, name=latest[sha].name, sha256=sha, size=latest[sha].size, only=ids)
        for sha, ids in files.items()
    )
    told = {"files": len(files), "documents": sum(map(len, files.values()))}
    record(by, "ingest.reparse", job, origin=origin, after=told)
    return job
