"""What came of the records of a file, and the items that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpus.models import Document, JobFile, JobItem
from corpus.services import stages, store

UNSTORABLE: dict[str, Any] = {
    "external_id": "",
    "state": "failed",
    "code": "value",
    "reason": "A value of this record cannot be stored: it is too long, or no text. Shorten or "
    "leave out what is unusual in it.",
    "prepared": None,
    "document": None,
}
OTHER_LANGUAGE = "is none that the encoder reads"  # in the note of a document
PASSED = "passed"  # of a record that is not wanted: nothing is written of it
MISSED = "missing"  # the code of a record that its file holds no more
MISSING = (
    "The file that this document was read from holds no such record now: it may be numbered anew. "
    "The document stays as it is."
)
GONE = (
    "The uploaded file is no longer stored: it went with the documents that were read from it. "
    "Upload it again."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one record."""

    position: int
    name: str
    state: str
    external_id: str = ""
    code: str = ""
    reason: str = ""
    prepared: store.Prepared | None = None
    document: Document | None = None
    records: int = 1


def write(file: JobFile, outcomes: list[Outcome]) -> None:
    JobItem.objects.bulk_create(
        [
            JobItem(
                job_id=file.job_id,
                file=file,
                position=outcome.position,
                name=outcome.name,
                external_id=outcome.external_id,
                state=outcome.state,
                stage=stages.NAMES[0] if outcome.state == "running" else "end",
                code=outcome.code,
                reason=outcome.reason,
                document=outcome.document,
                records=outcome.records,
            )
            for outcome in outcomes
        ],
        update_conflicts=True,
        unique_fields=["file", "position"],
        update_fields=[
            "name",
            "external_id",
            "state",
            "stage",
            "code",
            "reason",
            "document",
            "records",
            "updated_at",
        ],
    )


def missed(file: JobFile) -> list[Outcome]:
    """Of a file that was read again for some of its records: those that it holds no more."""
    met = set(file.items.values_list("external_id", flat=True))
    left = [external_id for external_id in file.only or () if external_id not in met]
    return [
        Outcome(file.cursor + n, external_id, "failed", external_id, MISSED, MISSING)
        for n, external_id in enumerate(left)
    ]


def nothing(file: JobFile) -> Outcome:
    return Outcome(0, file.name, "skipped", "", "empty", "The file holds no records.", records=0)
