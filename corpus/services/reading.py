"""Reading a file of a job: records in, documents stored, an item each, resumable anywhere."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import structlog
from django.conf import settings
from django.db import DataError, transaction
from django.db.models import F

from corpus.models import Corpus, Document, JobFile
from corpus.services import (
    attaching,
    deleted,
    embedding,
    erasing,
    fingerprint,
    garbage,
    leases,
    opening,
    outcomes,
    recognition,
    store,
)
from corpus.services.outcomes import Outcome
from corpus.services.turns import Slice
from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.languages import two_letters
from corpus.sources.pdf.ocr.reader import HalfRead
from corpus.types import NormalizedDocument
from flux_site.kernel.errors import FluxError, NotFound

log = structlog.get_logger(__name__)

BATCH = 20  # records a transaction
MAX_ATTEMPTS = 3


def read_slice(file: JobFile, token: int, turn: Slice) -> bool:
    """Store the next records of a file, until the turn is over; whether any are left.

    That is asked after each batch, so that other jobs get theirs. Each batch is one
    transaction with the file's cursor, so a worker killed anywhere leaves whole documents, and the
    next one goes on at the first record that is not stored. Raises LeaseLost when another worker
    holds the file.
    """
    # Counted as it starts and taken back at the end of the slice: what is left says that a worker
    # died.
    JobFile.objects.filter(pk=file.pk, token=token).update(attempts=F("attempts") + 1)
    with leases.kept(JobFile, [(file.pk, token)]):
        try:
            return _read(file, token, turn)
        except HalfRead as half:
            recognition.keep(file, token, half.found)
            return True
        except NotThisSource as why:
            skipped = Outcome(file.cursor, file.name, "skipped", "", why.code, why.message)
            _end(file, token, replace(skipped, records=0))
        except ParseError as why:
            _end(file, token, Outcome(file.cursor, file.name, "failed", "", why.code, why.message))
        except NotFound:
            _end(file, token, Outcome(file.cursor, file.name, "failed", "", "gone", outcomes.GONE))
    return False


def _read(file: JobFile, token: int, turn: Slice) -> bool:
    opening.refuse_other_name(file)
    if file.attempts >= MAX_ATTEMPTS:
        return _pass_over(file, token)
    # After a crash, records go one by one: then the one that kills workers is known.
    size = 1 if file.attempts else BATCH
    records = opening.records(file, turn)
    while batch := list(islice(records, size)):
        with garbage.keeping():  # pictures are written before the rows that name them
            _commit_all(file, token, [_outcome(file, *numbered) for numbered in batch])
        if turn.over():
            opening.keep(file, batch[-1][0] + 1, records)
            return True
    with transaction.atomic():
        row = leases.confirm(JobFile, file.pk, token)
        row.state, row.leased_until = "read", None
        row.save(update_fields=["state", "leased_until"])
        recognition.forget(row)
        if row.only is not None:
            outcomes.write(row, outcomes.missed(row))
        elif not row.items.exists():
            outcomes.write(row, [outcomes.nothing(row)])
    return False


def _outcome(file: JobFile, position: int, record: Any) -> Outcome:
    """A record made ready to store; whatever is wrong with it is its own failure only."""
    if isinstance(record, Broken):
        if file.only is not None:
            return Outcome(position, "", outcomes.PASSED)
        return Outcome(position, record.name, "failed", "", record.code, record.reason)
    if isinstance(record, Document):
        return _unchanged(position, record)
    try:
        if not isinstance(record, NormalizedDocument):
            record = opening.source_of(file).normalize(record)
        if not file.wants(record.external_id):
            return Outcome(position, "", outcomes.PASSED)
        return _compared(file, position, attaching.noted(file, record))
    except FluxError as why:
        return Outcome(position, file.name, "failed", "", why.code, why.message)
    except Exception:
        log.exception("ingest.record_failed", file=file.name, position=position)
        reason = (
            f"Record {position + 1} could not be read because of an error in Flux, which is in "
            "the log. The other records are not affected; please report it with this file."
        )
        return Outcome(position, file.name, "failed", "", "internal", reason)


def _with_language_noted(document: NormalizedDocument) -> NormalizedDocument:
    """A language that the encoder does not read is said on the document."""
    language = two_letters(document.language)
    if not language or language in settings.ENCODER_LANGUAGES:
        return document
    said = (
        f"Its language ({language}) {outcomes.OTHER_LANGUAGE}: it is found by its words, hardly by "
        "its meaning."
    )
    return replace(document, note=f"{document.note} {said}".strip())


def _compared(file: JobFile, position: int, document: NormalizedDocument) -> Outcome:
    document = _with_language_noted(document)
    title = document.title or document.external_id
    stored = store.known(file.job.corpus, document)
    chunker = file.job.corpus.chunker
    content = fingerprint.of_document(document, chunker)
    if stored and stored.content_sha256 == content:
        return _unchanged(position, stored)
    if stored and (reason := _superseded(file, position, document, stored)):
        return Outcome(
            position,
            title,
            "unchanged",
            stored.external_id,
            reason=reason,
            document=stored,
            records=stored.records,
        )
    prepared = store.prepare(document, store.Origin(file.sha256, position), content, chunker)
    return Outcome(
        position,
        title,
        "running",
        document.external_id,
        reason=document.note,
        prepared=prepared,
        records=document.records,
    )


def _unchanged(position: int, stored: Document) -> Outcome:
    """Nothing to store; vectors that a crash or a cancelled job left out are still made up for."""
    state = "running" if embedding.lacks_vectors(stored.pk) else "unchanged"
    title = stored.title or stored.external_id
    return Outcome(
        position,
        title,
        state,
        stored.external_id,
        reason=stored.note,
        document=stored,
        records=stored.records,
    )


def _superseded(
    file: JobFile, position: int, document: NormalizedDocument, stored: Document
) -> str:
    """Why the stored document stays, if it does: reading the same files again must change nothing.

    A record with an older revision date never replaces a newer one. Among records of one job
    the last one in the order of its files wins, in whatever order workers come to them.
    """
    older = str(document.metadata.get("revised") or "")
    newer = str(stored.metadata.get("revised") or "")
    if older and newer and older != newer:
        if older < newer:
            return f"A newer version of this record ({newer}) is stored already."
        return ""
    if stored.file_sha256 == file.sha256:
        later = stored.file_position > position
    else:
        later = JobFile.objects.filter(
            job=file.job_id, sha256=stored.file_sha256, pk__gt=file.pk
        ).exists()
    return "A later record of the same job has the same id, and is kept." if later else ""


def _commit_all(file: JobFile, token: int, found: list[Outcome]) -> None:
    """Commit a batch; where the database refuses a value, one by one, so that the others get in."""
    try:
        _commit(file, token, found)
    except DataError as refused:
        for outcome in found:
            try:
                _commit(file, token, [outcome])
            except DataError:
                log.warning("ingest.value_refused", file=file.name, error=str(refused).strip())
                _commit(file, token, [replace(outcome, **outcomes.UNSTORABLE)])


def _commit(file: JobFile, token: int, found: list[Outcome]) -> None:
    """Documents, items and cursor of a batch in one transaction, if the lease is still ours.

    Papers are locked first, then the corpus's row, then documents, as deletions do, so that nobody
    waits for another in a ring.
    """
    end = found[-1].position + 1
    found = [outcome for outcome in found if outcome.state != outcomes.PASSED]
    with transaction.atomic():
        row = leases.confirm(JobFile, file.pk, token)
        batch = [outcome.prepared for outcome in found if outcome.prepared is not None]
        store.lock_papers(file.job.corpus, batch)
        standing = Corpus.objects.standing().select_for_update(no_key=True)
        corpus = standing.filter(pk=file.job.corpus_id).first()
        if corpus is None:
            raise leases.LeaseLost("The corpus is to be deleted.")
        outcomes.write(row, _stored(corpus, _without_deleted(corpus, file, found)))
        row.cursor = end
        row.state, row.attempts = "reading", 1
        row.save(update_fields=["cursor", "state", "attempts"])


def _without_deleted(corpus: Corpus, file: JobFile, found: list[Outcome]) -> list[Outcome]:
    """A record that was deleted after the job had been asked for stays deleted: whoever deleted it
    meant this reading too. A later job brings it back.
    """
    source = opening.source_of(file).name
    records = [(source, outcome.external_id) for outcome in found]
    gone = deleted.since(corpus, file.job.created_at, records)
    return [
        Outcome(outcome.position, erasing.NAME, "skipped", "", "deleted", erasing.REASON)
        if record in gone
        else outcome
        for record, outcome in zip(records, found, strict=True)
    ]


def _stored(corpus: Corpus, found: list[Outcome]) -> list[Outcome]:
    batch = [outcome.prepared for outcome in found if outcome.prepared is not None]
    documents = iter(store.swap_in_all(corpus, batch))
    return [
        outcome
        if outcome.prepared is None
        else replace(outcome, prepared=None, document=next(documents))
        for outcome in found
    ]


def _pass_over(file: JobFile, token: int) -> bool:
    """Give up on the record that workers have died of, and go on behind it."""
    reason = (
        f"Reading stopped {MAX_ATTEMPTS} times at this record (number {file.cursor + 1} of the "
        "file), so it is passed over. Retry it when the cause is known."
    )
    with transaction.atomic():
        row = leases.confirm(JobFile, file.pk, token)
        outcomes.write(row, [Outcome(row.cursor, row.name, "failed", "", "poison", reason)])
        row.cursor, row.attempts = row.cursor + 1, 0
        row.save(update_fields=["cursor", "attempts"])
    return True


def _end(file: JobFile, token: int, outcome: Outcome) -> None:
    """The whole file is to blame: one item says why."""
    with transaction.atomic():
        row = leases.confirm(JobFile, file.pk, token)
        outcomes.write(row, [outcome])
        row.state = "read" if outcome.state == "skipped" else "failed"
        row.leased_until = None
        row.save(update_fields=["state", "leased_until"])
        recognition.forget(row)
