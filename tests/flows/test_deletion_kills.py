"""kill -9 in the middle of a deletion, and a deletion in the middle of an ingestion: the receipt is
exact and nothing is left.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction

from corpus.models import (
    BlobGarbage,
    Chunk,
    ChunkVector,
    Corpus,
    Deletion,
    Document,
    Edge,
    EdgeEvidence,
    EdgeSupport,
    JobItem,
    Node,
)
from corpus.services import deletion, garbage, jobs, progress, receipts, uploads
from flux_site.kernel import blobs
from flux_site.management.doctor import orphans
from retrieval.lexical.follower import LexicalFollower
from tests.factories import CorpusFactory, FigureFactory
from tests.flows.test_kills import ROOT, worker, worker_environment
from tests.support.ingesting import curator_of, ingest, lines

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
DOCUMENTS, DOOMED = 500, 100


def records(first: int, count: int) -> list[dict[str, str]]:
    return [
        {"id": f"r{n}", "title": f"Record {n}", "text": f"Gene {n} activates gene {n + 1}."}
        for n in range(first, first + count)
    ]


def follow() -> None:
    follower = LexicalFollower(settings.LEXICAL_ROOT)
    follower.start()
    follower.catch_up()
    follower.beat()
    follower.close()


def assert_no_orphans() -> None:
    follow()
    assert {kind: n for kind, n in orphans.count().items() if n} == {}


def library() -> Corpus:
    """A corpus of 250 documents, each with a picture of its own and evidence for one edge."""
    corpus = CorpusFactory()
    ingest(corpus, *records(0, 250))
    edge_of_all = _edge("A", "B", 250)
    with transaction.atomic():
        for n, document in enumerate(Document.objects.order_by("pk")):
            image = blobs.put(f"picture {n}".encode())
            FigureFactory(document=document, position=0, image_sha256=image)
            edge = _edge(f"S{n}", f"T{n}", 1)
            for said, supports in ((edge, 1), (edge_of_all, 250)):
                EdgeEvidence.objects.create(
                    edge=said, corpus=corpus, source="text", document=document, extractor="rules"
                )
                EdgeSupport.objects.get_or_create(
                    edge=said, corpus=corpus, source="text", defaults={"n_unsigned": supports}
                )
    return corpus


def _edge(one: str, other: str, n_evidence: int) -> Edge:
    a, b = (
        Node.objects.create(kind="Gene", curie=f"x:{name}", label=name) for name in (one, other)
    )
    return Edge.objects.create(src=a, predicate="binds", dst=b, n_evidence=n_evidence)


# Where the process dies, and at which call: before, in and after the transactions of a batch.
PLACES = {
    "before the first batch": ("corpus.services.deletion._step", 1),
    "with the evidence gone": ("corpus.services.erasing.scrub_items", 1),
    "with the rows gone, before the receipt": ("corpus.services.garbage.note", 2),
    "between two batches": ("corpus.services.deletion._step", 3),
    "before the files go": ("corpus.services.garbage.sweep", 1),
    "amid the files": ("flux_site.kernel.blobs.delete", 70),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_killed_deletion_goes_on_and_its_receipt_is_exact(place: str) -> None:
    corpus = library()
    doomed = list(Document.objects.order_by("pk")[:230])
    ids = [document.public_id for document in doomed]
    row = deletion.request(corpus, ids, by=curator_of(corpus))

    assert worker(*PLACES[place]) == -9
    assert Document.objects.filter(deletion=None).count() == 20
    assert worker() == 0

    row.refresh_from_db()
    receipt = receipts.receipt(row, row.user)
    kinds = ("documents", "passages", "vectors", "figures", "images", "edges", "lexical_entries")
    assert {kind: receipt[kind] for kind in kinds} == dict.fromkeys(kinds, 230)
    assert receipt["evidence"] == 460
    assert Document.objects.count() == Chunk.objects.count() == ChunkVector.objects.count() == 20
    if BlobGarbage.objects.exists():  # the killed process left files to the next sweep
        garbage.sweep()
    assert BlobGarbage.objects.count() == 0
    assert not default_storage.exists(blobs.path_of(_sha256("picture 0")))
    assert default_storage.exists(blobs.path_of(_sha256("picture 249")))
    assert set(receipts.left(row).values()) <= {0, None}
    assert_no_orphans()


@pytest.mark.parametrize(
    "place",
    [
        ("corpus.services.deletion._step", 3),
        ("corpus.services.erasing.rest_of", 2),
        ("corpus.services.garbage.sweep", 1),
    ],
    ids=["amid its documents", "amid the rest", "before the files go"],
)
def test_a_killed_deletion_of_a_corpus_goes_on(place: tuple[str, int]) -> None:
    corpus = library()
    follow()
    row = deletion.request(corpus, None, by=curator_of(corpus))

    assert worker(*place) == -9
    assert worker() == 0

    row.refresh_from_db()
    assert (row.counts["documents"], row.counts["figures"], row.counts["images"]) == (250,) * 3
    assert (row.counts["files"], row.counts["edges"], row.counts["evidence"]) == (1, 251, 500)
    garbage.sweep()
    assert Corpus.objects.count() == Document.objects.count() == Edge.objects.count() == 0
    assert_no_orphans()
    assert set(receipts.left(row).values()) == {0}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_what_is_deleted_during_an_ingestion_stays_deleted() -> None:
    """Two workers read the same 500 records again, and others, while 100 of them are deleted."""
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    ingest(corpus, *records(0, 150))
    changed = [r | {"text": r["text"] + " It is induced."} for r in records(0, DOCUMENTS)]
    files = [(f"part{n}.jsonl", lines(changed[n::2])) for n in range(2)]
    job = uploads.accept(corpus, "jsonl", files, by=curator)
    doomed = {f"r{n}" for n in range(DOOMED)}
    ids = Document.objects.filter(external_id__in=doomed).values_list("public_id", flat=True)

    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.support.dying_worker"],
            cwd=ROOT,
            env=worker_environment(lease_seconds=20),
        )
        for _ in range(2)
    ]
    while not JobItem.objects.filter(job=job).exists():
        time.sleep(0.01)  # until they are at it
    row = deletion.request(corpus, list(ids), by=curator)
    assert [process.wait(120) for process in workers] == [0, 0]

    deletion.work_off(row)
    assert jobs.settled(job)
    assert Document.objects.filter(external_id__in=doomed).count() == 0
    assert Document.objects.count() == DOCUMENTS - DOOMED
    assert row.counts["documents"] == DOOMED
    assert not JobItem.objects.filter(external_id__in=doomed).exists()
    assert progress.summary(job)["failed"] == 0
    assert Deletion.objects.get().state == "done"
    assert_no_orphans()
