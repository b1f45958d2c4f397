"""All hard PDFs in one job: each ends for itself, and a second upload changes nothing."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from typing import Any

import pytest

from corpus.models import Chunk, Document, IngestJob, Page
from tests.db.corpus.test_jobs import digest
from tests.factories import CorpusFactory
from tests.support.ingesting import ingest_files

pytestmark = [pytest.mark.django_db, pytest.mark.shared_data, pytest.mark.slow]
MOST_KB = 1536 * 1024
KEPT_OUT = ("needs a password", "empty file", "damaged", "not a PDF", "too many pages")


@pytest.fixture
def files(shared_data: Path) -> list[tuple[str, bytes]]:
    folder = shared_data / "pdf" / "varied"
    return [(path.name, path.read_bytes()) for path in sorted(folder.glob("*.pdf"))]


def expected(shared_data: Path) -> dict[str, Any]:
    cases = json.loads((shared_data / "pdf" / "varied" / "cases.json").read_text())["cases"]
    return {case["file"]: case for case in cases}


@pytest.mark.timeout(1800)
def test_a_batch_of_hard_files_is_finished_and_a_second_one_adds_nothing(
    shared_data: Path, files: list[tuple[str, bytes]]
) -> None:
    corpus = CorpusFactory()
    job = ingest_files(corpus, "pdf", files)

    assert job.state == "done"
    assert not wrong_ends(job, expected(shared_data))
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MOST_KB
    assert not Page.objects.exclude(document__in=Document.objects.filter(corpus=corpus)).exists()

    before = digest()
    again = ingest_files(corpus, "pdf", files)
    assert again.state == "done"
    assert set(again.items.values_list("state", flat=True)) == {"unchanged", "failed"}
    assert digest() == before


def wrong_ends(job: IngestJob, cases: dict[str, Any]) -> dict[str, str]:
    """Files that end otherwise than their case says, or without a word."""
    wrong: dict[str, str] = {}
    for item in job.items.select_related("document", "file"):
        case = cases[item.file.name]
        state = {"unchanged": "done"}.get(item.state, item.state)
        told = any(reason in item.reason for reason in KEPT_OUT)
        silent = state == "failed" and not told
        empty = state == "done" and not Chunk.objects.filter(document=item.document).exists()
        if state not in case["expect"] or silent or (empty and not item.reason):
            wrong[item.file.name] = f"{item.state}: {item.reason}"
    return wrong
