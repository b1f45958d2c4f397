"""What is deleted is gone: from every table, for every reader, whatever else is under way."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection

from accounts.models import AuditEvent
from accounts.types import Role
from corpus.models import (
    BlobGarbage,
    Chunk,
    ChunkVector,
    Corpus,
    CorpusGrant,
    Deletion,
    Document,
    Edge,
    EdgeEvidence,
    EdgeSupport,
    IngestJob,
    JobFile,
    JobItem,
    Mention,
    Node,
)
from corpus.services import control, deletion, garbage, jobs, leases, reading, receipts, uploads
from flux_site.kernel import blobs
from retrieval.services.search import search
from tests.db.retrieval.library import index, indexed_chunks
from tests.factories import (
    CorpusFactory,
    FigureFactory,
    PageFactory,
    TableFactory,
    UserFactory,
)
from tests.support.ingesting import curator_of, ingest, lines

pytestmark = pytest.mark.django_db

STAT3 = {"id": "a", "title": "STAT3", "text": "STAT3 drives SOCS3 in liver cells."}
JAK1 = {"id": "b", "title": "JAK1", "text": "JAK1 binds gp130 and phosphorylates STAT3."}


def removed(corpus: Corpus, *documents: Document) -> Deletion:
    ids = [document.public_id for document in documents]
    return deletion.work_off(deletion.request(corpus, ids, by=curator_of(corpus)))


def of(corpus: Corpus, external_id: str) -> Document:
    return Document.objects.get(corpus=corpus, external_id=external_id)


def nodes(*names: str) -> list[Node]:
    return [Node.objects.create(kind="Gene", curie=f"hgnc:{name}", label=name) for name in names]


def test_a_document_goes_with_all_that_is_its_own_and_the_receipt_counts_it() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3, JAK1)
    document = of(corpus, "a")
    PageFactory(document=document)
    FigureFactory(document=document)
    TableFactory(document=document)
    Mention.objects.create(
        chunk=document.chunks.get(), node=nodes("STAT3")[0], start=0, end=5, vocabulary="hgnc"
    )

    row = removed(corpus, document)
    receipt = receipts.receipt(row, row.user)

    one = ("documents", "passages", "vectors", "mentions", "pages", "figures", "tables")
    assert {kind: receipt[kind] for kind in one} == dict.fromkeys(one, 1)
    assert receipt["lexical_entries"] == receipt["records_of_jobs"] == 1
    assert set(receipt["left"].values()) <= {0, None}
    assert [d.external_id for d in Document.objects.all()] == ["b"]
    assert Chunk.objects.count() == ChunkVector.objects.count() == 1
    corpus.refresh_from_db()
    assert (corpus.document_count, corpus.chunk_count) == (1, 1)
    assert AuditEvent.objects.filter(action="document.delete").count() == 1


@pytest.mark.slow
def test_a_document_is_invisible_from_the_moment_its_deletion_is_accepted() -> None:
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    ingest(corpus, STAT3, JAK1)
    index()
    before = {hit.external_id for hit in search("STAT3", reader=curator).hits}

    deletion.request(corpus, [of(corpus, "a").public_id], by=curator)

    after = {hit.external_id for hit in search("STAT3", reader=curator).hits}
    assert (before, after) == ({"a", "b"}, {"b"})
    assert [d.external_id for d in Document.objects.visible_to(curator)] == ["b"]
    assert Chunk.objects.visible_to(curator).count() == 1
    corpus.refresh_from_db()
    assert (corpus.document_count, corpus.chunk_count) == (1, 1)
    row = deletion.work_off(Deletion.objects.get())
    assert receipts.left(row)["lexical_entries"] == 1, "the follower has not been there yet"
    index()
    assert receipts.left(row)["lexical_entries"] == 0
    assert len(indexed_chunks(corpus)) == 1, "the word index no longer has it either"


def test_an_older_job_does_not_bring_a_deleted_record_back_and_a_newer_one_does() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    late = uploads.accept(
        corpus, "jsonl", [("late.jsonl", lines([STAT3, JAK1]))], by=curator_of(corpus)
    )
    removed(corpus, of(corpus, "a"))

    jobs.work_off(late)

    assert [d.external_id for d in Document.objects.all()] == ["b"]
    skipped = late.items.get(state="skipped")
    assert (skipped.code, skipped.external_id) == ("deleted", "")
    assert "deleted after the job" in skipped.reason

    ingest(corpus, STAT3, name="new.jsonl")
    assert {d.external_id for d in Document.objects.all()} == {"a", "b"}


def test_a_new_upload_does_not_wait_for_the_deletion_to_be_worked_off() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    row = deletion.request(corpus, [of(corpus, "a").public_id], by=curator_of(corpus))

    ingest(corpus, STAT3, name="again.jsonl")
    deletion.work_off(row)

    new = of(corpus, "a")
    assert new.chunks.count() == 1
    assert row.counts["documents"] == 1
    corpus.refresh_from_db()
    assert (corpus.document_count, corpus.chunk_count) == (1, 1)


def test_a_record_found_unchanged_and_then_deleted_is_not_mentioned(monkeypatch) -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    late = uploads.accept(corpus, "jsonl", [("l.jsonl", lines([STAT3]))], by=curator_of(corpus))
    commit = reading._commit

    def deleted_in_between(*given: object) -> None:
        if Document.objects.exists():
            removed(corpus, of(corpus, "a"))
        commit(*given)

    monkeypatch.setattr(reading, "_commit", deleted_in_between)
    jobs.work_off(late)

    assert Document.objects.count() == 0
    assert [item.code for item in JobItem.objects.all()] == ["deleted", "deleted"]
    assert not JobItem.objects.filter(external_id="a").exists()


def test_a_job_whose_items_wait_for_vectors_ends_when_they_are_deleted() -> None:
    corpus = CorpusFactory()
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([STAT3]))], by=curator_of(corpus))
    (read,) = jobs.lease()
    jobs.perform(read)
    removed(corpus, of(corpus, "a"))

    jobs.work_off(job)

    assert job.state == "done"
    assert job.items.get().state == "skipped"
    assert ChunkVector.objects.count() == 0


def test_an_edge_goes_with_its_last_evidence_and_others_are_counted_anew() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3, JAK1)
    one, other = of(corpus, "a"), of(corpus, "b")
    a, b, c = nodes("STAT3", "SOCS3", "JAK1")
    alone = Edge.objects.create(src=a, predicate="regulates_expression", dst=b, n_evidence=1)
    shared = Edge.objects.create(src=c, predicate="regulates_activity", dst=a, n_evidence=2)
    for edge, document in ((alone, one), (shared, one), (shared, other)):
        EdgeEvidence.objects.create(
            edge=edge, corpus=corpus, source="text", document=document, sign=1, extractor="rules"
        )
    EdgeSupport.objects.create(edge=alone, corpus=corpus, source="text", n_pos=1)
    EdgeSupport.objects.create(edge=shared, corpus=corpus, source="text", n_pos=2)

    row = removed(corpus, one)

    assert (row.counts["evidence"], row.counts["edges"]) == (2, 1)
    assert list(Edge.objects.values_list("pk", "n_evidence", "n_pos")) == [(shared.pk, 1, 1)]
    assert list(EdgeSupport.objects.values_list("edge", "n_pos")) == [(shared.pk, 1.0)]


def test_a_picture_goes_with_the_last_document_that_shows_it() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3, JAK1)
    shared, own = blobs.put(b"shared picture"), blobs.put(b"own picture")
    FigureFactory(document=of(corpus, "a"), image_sha256=shared, position=0)
    FigureFactory(document=of(corpus, "a"), image_sha256=own, position=1)
    PageFactory(document=of(corpus, "b"), image_sha256=shared)

    first = removed(corpus, of(corpus, "a"))

    assert first.counts["images"] == 1
    assert default_storage.exists(blobs.path_of(shared))
    assert not default_storage.exists(blobs.path_of(own))
    second = removed(corpus, of(corpus, "b"))
    assert second.counts["images"] == 1
    assert not default_storage.exists(blobs.path_of(shared))


def test_an_upload_goes_with_the_last_document_read_from_it_unless_a_job_needs_it() -> None:
    corpus = CorpusFactory()
    job = ingest(corpus, STAT3, JAK1)
    sha256 = job.files.get().sha256

    first = removed(corpus, of(corpus, "a"))
    assert (first.counts.get("files", 0), default_storage.exists(blobs.path_of(sha256))) == (
        0,
        True,
    )

    IngestJob.objects.filter(pk=job.pk).update(state="paused")
    removed(corpus, of(corpus, "b"))
    assert default_storage.exists(blobs.path_of(sha256)), "a paused job may still read it"

    IngestJob.objects.filter(pk=job.pk).update(state="done")
    assert garbage.sweep() == 1
    assert not default_storage.exists(blobs.path_of(sha256))
    assert job.files.get().sha256 == ""


def test_a_retry_of_a_file_that_is_gone_says_so() -> None:
    corpus = CorpusFactory()
    job = ingest(corpus, STAT3, {"id": "broken"})
    removed(corpus, of(corpus, "a"))

    control.act(job, "retry", by=curator_of(corpus))
    jobs.work_off(job)

    assert job.items.get(state="failed").reason.endswith("Upload it again.")


@pytest.mark.slow
def test_a_whole_corpus_goes_and_nothing_of_others() -> None:
    doomed, other = CorpusFactory(), CorpusFactory()
    owner = curator_of(doomed)
    CorpusGrant.objects.create(corpus=doomed, user=UserFactory(), role=Role.READER.value)
    job = ingest(doomed, STAT3, JAK1)
    ingest(other, JAK1)
    sha256 = job.files.get().sha256
    waiting = uploads.accept(doomed, "jsonl", [("w.jsonl", lines([STAT3]))], by=owner)
    index()
    folder = Path(settings.LEXICAL_ROOT) / str(doomed.public_id)
    assert folder.exists()

    row = deletion.request(doomed, None, by=owner)
    assert not Corpus.objects.visible_to(owner).filter(pk=doomed.pk).exists()
    deletion.work_off(row)

    assert not Corpus.objects.filter(pk=doomed.pk).exists()
    assert not IngestJob.objects.filter(pk__in=[job.pk, waiting.pk]).exists()
    assert CorpusGrant.objects.count() == 0
    assert not default_storage.exists(blobs.path_of(sha256))
    assert Document.objects.count() == Chunk.objects.count() == 1
    assert row.counts["files"] == 2
    assert (row.counts["documents"], row.counts["jobs"], row.counts["grants"]) == (2, 2, 1)
    assert row.corpus_name == doomed.name
    index()
    assert not folder.exists()
    assert BlobGarbage.objects.count() == 0


def test_a_worker_that_lost_its_lease_deletes_nothing_more() -> None:
    corpus = CorpusFactory()
    ingest(corpus, STAT3)
    row = deletion.request(corpus, [of(corpus, "a").public_id], by=curator_of(corpus))
    (old,) = deletion.lease()
    Deletion.objects.filter(pk=row.pk).update(leased_until=None)
    (new,) = deletion.lease()

    with pytest.raises(leases.LeaseLost):
        deletion.work(old)
    assert Document.objects.count() == 1
    assert deletion.work(new)


@pytest.mark.django_db(transaction=True)
def test_a_file_about_to_be_named_is_not_swept() -> None:
    """The bytes are stored again by an upload whose row is not there yet."""
    sha256 = blobs.put(b"the same bytes")
    garbage.note([sha256])
    stored, go_on = threading.Event(), threading.Event()
    job = IngestJob.objects.create(corpus=CorpusFactory(), source="jsonl")

    def upload() -> None:
        with garbage.keeping():
            blobs.put(b"the same bytes")
            stored.set()
            go_on.wait(30)
            JobFile.objects.create(job=job, name="f", sha256=sha256, size=14)
        connection.close()

    uploader = threading.Thread(target=upload)
    uploader.start()
    stored.wait(30)
    sweeper = threading.Thread(target=lambda: (garbage.sweep(), connection.close()))
    sweeper.start()
    go_on.set()
    uploader.join()
    sweeper.join()

    assert default_storage.exists(blobs.path_of(sha256))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_search_shows_a_document_after_its_deletion_was_accepted() -> None:
    corpus = CorpusFactory()
    curator = curator_of(corpus)
    ingest(
        corpus,
        *(
            {"id": f"r{n}", "title": f"Record {n}", "text": f"Gene {n} activates STAT3."}
            for n in range(60)
        ),
    )
    index()
    accepted: set[str] = set()
    shown: list[str] = []
    over = threading.Event()

    def searching() -> None:
        while not over.is_set():
            gone = set(accepted)  # what was accepted before the search began
            found = {hit.external_id for hit in search("STAT3", reader=curator, limit=60).hits}
            shown.extend(found & gone)
        connection.close()

    reader = threading.Thread(target=searching)
    reader.start()
    for start in range(0, 60, 10):
        names = [f"r{n}" for n in range(start, start + 10)]
        ids = Document.objects.filter(external_id__in=names).values_list("public_id", flat=True)
        row = deletion.request(corpus, list(ids), by=curator)
        accepted.update(names)
        deletion.work_off(row)
    over.set()
    reader.join()

    assert shown == []
    assert search("STAT3", reader=curator).hits == ()
