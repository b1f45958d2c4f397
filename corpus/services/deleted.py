"""Remembering which records were deleted, so that a job under way does not bring them back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from corpus.models import Corpus, DeletedRecord

BATCH = 1000

Record = tuple[str, str]  # source and external id


def key_of(source: str, external_id: str) -> bytes:
    """What is kept of a deleted record: no name, no id, only a hash to compare with."""
    return hashlib.sha256(f"{source}\n{external_id}".encode()).digest()


def remember(corpus: Corpus, records: Iterable[Record], at: datetime) -> None:
    """Note records as deleted, in the transaction that accepts their deletion."""
    DeletedRecord.objects.bulk_create(
        (
            DeletedRecord(corpus=corpus, key=key_of(source, external_id), deleted_at=at)
            for source, external_id in records
        ),
        batch_size=BATCH,
    )


def since(corpus: Corpus, asked_at: datetime, records: Sequence[Record]) -> set[Record]:
    """Those of the records that were deleted after a job was asked for.

    Call while the corpus's row is locked: a deletion is accepted under the same lock, so it stands
    either wholly before or wholly after what the caller stores.
    """
    keys = {key_of(*record): record for record in records}
    found = DeletedRecord.objects.filter(corpus=corpus, key__in=list(keys), deleted_at__gt=asked_at)
    return {keys[bytes(key)] for key in found.values_list("key", flat=True)}
