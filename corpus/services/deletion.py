"""Deleting documents and whole corpora: accepted at once, worked off in batches, without residue.

Accepting is one transaction that marks the documents (or the corpus): from its commit on no reader
sees them, no search shows them, the word indexes drop them. Workers then delete the rows, about a
hundred documents a transaction, and what a batch has deleted is added to the receipt in that same
transaction: killed anywhere, the next worker goes on with the documents that are still there, and
nothing is counted twice.

Everything that writes into a corpus locks its row first, then documents, then passages.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Change, Chunk, Corpus, Deletion, Document, EdgeEvidence
from corpus.services import changes, deleted, erasing, evidence, garbage, holders, leases, works
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound

BATCH = 100  # documents a transaction
SLICE_SECONDS = 10.0
OPEN = ("queued", "running")
MOST_LISTED = 1000  # of the answers that a deletion marks; all are counted


@dataclass(frozen=True, slots=True)
class Erase:
    """A lease on a deletion."""

    deletion: int
    token: int


def request(
    corpus: Corpus,
    documents: Sequence[UUID] | None,
    *,
    by: User,
    origin: str = "",
    inside_admin: bool = False,
) -> Deletion:
    """Accept the deletion of documents, or with None of the corpus and all it holds.

    Raises NotFound for a corpus or document that `by` may not see or that is being deleted already,
    NotAllowed for documents below curator and for the corpus below owner, InvalidInput without
    documents.
    """
    _check(corpus, by, Role.OWNER if documents is None else Role.CURATOR, inside_admin)
    if documents is not None and not documents:
        raise InvalidInput("No document was given.")
    with transaction.atomic():
        standing = Corpus.objects.standing().select_for_update(no_key=True)
        locked = standing.filter(pk=corpus.pk).first()
        if locked is None:
            raise NotFound
        row = _accept(locked, by, whole=documents is None)
        if documents is None:
            _mark_corpus(locked, row)
        else:
            _mark_documents(locked, row, dict.fromkeys(documents))
        row.save()
        record(
            by,
            "corpus.delete" if row.whole else "document.delete",
            row,
            origin=origin,
            before={"corpus": str(locked.public_id), "documents": row.counts["asked"]},
        )
    return row


def _check(corpus: Corpus, by: User, role: Role, inside_admin: bool) -> None:
    allowed = {
        needed: Corpus.objects.workable_by(by, needed, inside_admin=inside_admin)
        for needed in (Role.READER, role)
    }
    if not allowed[Role.READER].filter(pk=corpus.pk).exists():
        raise NotFound
    if not allowed[role].filter(pk=corpus.pk).exists():
        whose = "owners can delete" if role is Role.OWNER else "curators and owners can delete from"
        raise NotAllowed(f"Only {whose} {corpus.name}.")


def _accept(corpus: Corpus, by: User, *, whole: bool) -> Deletion:
    return Deletion.objects.create(
        team_id=corpus.team_id,
        corpus=corpus,
        corpus_public_id=corpus.public_id,
        corpus_slug=corpus.slug,
        corpus_name=corpus.name,
        user=by,
        whole=whole,
        created_at=timezone.now(),
    )


def _mark_documents(corpus: Corpus, row: Deletion, ids: Collection[UUID]) -> None:
    found = Document.objects.filter(corpus=corpus, public_id__in=ids, deletion=None)
    rows = list(
        found.order_by("pk")
        .select_for_update()
        .values_list("pk", "public_id", "source", "external_id")
    )
    if len(rows) < len(ids):
        raise NotFound(
            "There is no such document."
            if len(ids) == 1
            else f"{len(ids) - len(rows)} of the documents are not there."
        )
    row.numbers = [pk for pk, *_ in rows]
    row.documents = [public_id for _, public_id, *_ in rows]
    marked = Document.objects.filter(pk__in=row.numbers)
    row.counts = {"asked": len(rows)} | _touch(row, corpus, marked)
    marked.update(deletion=row)
    records = [(source, external_id) for *_, source, external_id in rows]
    deleted.remember(corpus, records, row.created_at)
    _note(corpus, row.numbers)
    chunks = Chunk.objects.filter(document__in=row.numbers).count()
    changes.bump(corpus, documents=-len(rows), chunks=-chunks)


def _mark_corpus(corpus: Corpus, row: Deletion) -> None:
    row.counts = {"asked": corpus.document_count} | _touch(row, corpus, None)
    holders.release(corpus)
    Corpus.objects.filter(pk=corpus.pk).update(deleting=True, revision=F("revision") + 1)
    changes.note(corpus, kind="corpus", key=corpus.pk, op="delete")


def _touch(row: Deletion, corpus: Corpus, marked: QuerySet[Document] | None) -> dict[str, int]:
    """Note what stands above the documents; how many that are, by kind."""
    found = holders.affected(corpus, marked)
    row.touched = {kind: [str(one) for one in ids[:MOST_LISTED]] for kind, ids in found.items()}
    return {kind: len(ids) for kind, ids in found.items()}


def _note(corpus: Corpus, documents: Sequence[int]) -> None:
    Change.objects.bulk_create(
        Change(
            corpus=corpus, corpus_public_id=corpus.public_id, kind="document", key=pk, op="delete"
        )
        for pk in documents
    )


def lease() -> list[Erase]:
    """Lease what is to be deleted and that nobody is at. The caller hands it out after commit.

    A corpus waits for the deletions of documents in it: their receipts count their own.
    """
    free = Q(leased_until=None) | Q(leased_until__lte=timezone.now())
    found = []
    with transaction.atomic():
        rows = Deletion.objects.filter(free, state__in=OPEN).order_by("pk")
        for row in rows.select_for_update(skip_locked=True):
            if row.whole and _has_open_documents(row):
                continue
            row.token += 1
            row.leased_until = leases.until()
            row.save(update_fields=["token", "leased_until"])
            found.append(Erase(row.pk, row.token))
    return found


def _has_open_documents(row: Deletion) -> bool:
    others = Deletion.objects.filter(corpus=row.corpus_id, whole=False, state__in=OPEN)
    return bool(others.exists())


def work(erase: Erase, *, seconds: float = SLICE_SECONDS) -> bool:
    """Delete for about so many seconds; whether the deletion is done.

    Raises LeaseLost when another worker holds it.
    """
    deadline = time.monotonic() + seconds
    with leases.kept(Deletion, [(erase.deletion, erase.token)]):
        while not (done := _step(erase)):
            if time.monotonic() > deadline:
                break
    if done:
        garbage.sweep()
    Deletion.objects.filter(pk=erase.deletion, token=erase.token).update(leased_until=None)
    return done


def work_off(deletion: Deletion) -> Deletion:
    """Do all that is to be deleted in this process, until this deletion is done."""
    while True:
        deletion.refresh_from_db()
        if deletion.state == "done":
            return deletion
        taken = lease()
        for erase in taken:
            work(erase)
        if not taken:
            time.sleep(0.1)


def _step(erase: Erase) -> bool:
    """One batch in one transaction; whether nothing is left."""
    with transaction.atomic():
        row: Deletion = leases.confirm(Deletion, erase.deletion, erase.token)
        if row.state == "done":
            return True
        if row.whole and row.corpus_id is not None and row.state == "queued":
            erasing.stop_jobs(row.corpus_id)
        row.state, row.started_at = "running", row.started_at or timezone.now()
        counts, done = _erase(row)
        row.counts = dict(Counter(row.counts) + Counter(counts))
        if done:
            row.state, row.finished_at = "done", timezone.now()
        row.save(update_fields=["state", "started_at", "finished_at", "counts"])
    return done


def _erase(row: Deletion) -> tuple[dict[str, int], bool]:
    found = None if row.corpus_id is None else Corpus.objects.filter(pk=row.corpus_id).first()
    if found is None:
        return {}, True
    works.lock(works.scope_of(found))  # before the corpus's row, as those who store do
    corpus = Corpus.objects.select_for_update(no_key=True).filter(pk=found.pk).first()
    if corpus is None:
        return {}, True
    mine: Any = {"corpus": corpus} if row.whole else {"deletion": row}
    batch = list(
        Document.objects.filter(**mine)
        .order_by("pk")
        .select_for_update()
        .values_list("pk", flat=True)[:BATCH]
    )
    if batch:
        return erase_documents(corpus, batch), False
    if row.whole:
        return erasing.rest_of(corpus)
    return {}, True


def erase_documents(corpus: Corpus, pks: Sequence[int]) -> dict[str, int]:
    """Delete documents and all that is theirs, in the caller's transaction; counts by kind."""
    documents: QuerySet[Document] = Document.objects.filter(pk__in=pks)
    # Before anything else: whoever is adding vectors or mentions to these passages ends first, and
    # whoever comes later finds them gone.
    list(
        Chunk.objects.filter(document__in=pks)
        .order_by("pk")
        .select_for_update()
        .values_list("pk", flat=True)
    )
    touched = works.leaving(pks)
    pictures, files = garbage.hashes_of(documents)
    counts = evidence.withdraw(corpus, EdgeEvidence.objects.filter(document__in=pks))
    counts["records_of_jobs"] = erasing.scrub_items(pks)
    counts |= holders.erase(corpus, documents)
    propositions = Chunk.objects.filter(document__in=pks).exclude(parent=None).count()
    counts |= erasing.counts_of(documents.delete()[1], propositions)
    counts["lexical_entries"] = counts.get("passages", 0)
    counts["images"] = len(pictures - garbage.stored(pictures))
    counts["files"] = len(files - garbage.stored(files) - garbage.awaited(files))
    garbage.note(pictures | files)
    works.settle(works.scope_of(corpus), touched)
    return counts
