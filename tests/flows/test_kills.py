"""kill -9 in each stage of ingestion: whole documents before, all of them once after."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from corpus.models import Chunk, ChunkVector, Document, JobItem
from corpus.services import jobs, progress, uploads
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, lines

ROOT = Path(__file__).parents[2]
DOCUMENTS = 200
RECORDS = [
    {
        "id": f"r{n}",
        "title": f"Record {n}",
        "sections": [
            {"heading": "One", "text": f"Gene {n} activates gene {n + 1}."},
            {"heading": "Two", "text": f"Gene {n} is induced by factor {n % 7}."},
        ],
    }
    for n in range(DOCUMENTS)
]
# Where the process dies, and at which call: inside each stage, mid transaction where it has one.
STAGES = {
    "fetch": ("corpus.services.opening.open_payload", 1),
    "parse": ("corpus.services.reading._outcome", 30),
    "normalise": ("corpus.services.reading._compared", 45),
    "chunk": ("corpus.chunking.chunk", 70),
    "store: passages": ("corpus.services.store._chunks", 90),
    "store: before the change is noted": ("corpus.services.changes.note", 110),
    "store: before commit": ("corpus.services.outcomes.write", 5),
    "link: find": ("corpus.services.linking._drafts", 60),
    "link: mid write": ("corpus.services.linking._replaced", 5),
    "embed: encode": ("corpus.services.embedding.windows_of", 100),
    "embed: mid write": ("corpus.services.embedding._write", 3),
}


def worker_environment(*, lease_seconds: int = 1) -> dict[str, str]:
    """What a process needs to work on the test's database and files."""
    database = connection.settings_dict
    url = (
        f"postgres://{database['USER']}:{database['PASSWORD']}@"
        f"{database['HOST']}:{database['PORT']}/{database['NAME']}"
    )
    return os.environ | {
        "DATABASE_URL": url,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
        "LEASE_SECONDS": str(lease_seconds),
        "DJANGO_SETTINGS_MODULE": "flux_site.settings.test",
    }


def worker(*arguments: object) -> int:
    """Run a worker in a process of its own against the test's database; its exit status."""
    command = [sys.executable, "-m", "tests.support.dying_worker", *map(str, arguments)]
    environment = worker_environment()
    return subprocess.run(command, cwd=ROOT, env=environment, timeout=120, check=False).returncode


def assert_whole() -> None:
    """What is stored is whole: no passage missing, nothing twice, counts true."""
    for document in Document.objects.prefetch_related("chunks"):
        texts = [chunk.text for chunk in document.chunks.all()]
        assert len(texts) == 2, document.external_id
        assert document.corpus_id == document.chunks.all()[0].corpus_id
    for corpus_row in {document.corpus for document in Document.objects.select_related("corpus")}:
        assert corpus_row.document_count == corpus_row.documents.count()
        assert corpus_row.chunk_count == corpus_row.chunks.count()
    by_chunk = ChunkVector.objects.values_list("chunk_id", flat=True)
    assert len(by_chunk) == len(set(by_chunk))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_worker_leaves_nothing_half_done(stage: str):
    corpus = CorpusFactory()
    job = uploads.accept(
        corpus, "jsonl", [("records.jsonl", lines(RECORDS))], by=curator_of(corpus)
    )

    assert worker(*STAGES[stage]) == -9
    assert Document.objects.count() < DOCUMENTS or ChunkVector.objects.count() < 2 * DOCUMENTS
    assert_whole()

    assert worker() == 0
    assert_whole()
    assert jobs.settled(job)
    assert progress.summary(job)["done"] == DOCUMENTS == Document.objects.count()
    assert Chunk.objects.count() == ChunkVector.objects.count() == 2 * DOCUMENTS
    assert JobItem.objects.exclude(state="done").count() == 0
