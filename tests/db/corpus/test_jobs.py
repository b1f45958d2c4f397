"""Jobs: every record ends somewhere, whatever happens to workers."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from corpus.encoding.base import COUNTER
from corpus.models import Change, Chunk, ChunkVector, Document, Figure, IngestJob, JobFile, JobItem
from corpus.services import embedding, jobs, leases, opening, progress, reading, uploads
from corpus.types import FigureDraft
from corpus.web import received
from flux_site.kernel.errors import NotAllowed, NotFound
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.support.ingesting import curator_of, ingest, ingest_files, lines
from tests.support.papers import paper, put

pytestmark = pytest.mark.django_db

SOCS3 = {"id": "a", "title": "SOCS3", "text": "SOCS3 inhibits JAK2. It is induced by STAT3."}
TNF = {"id": "b", "title": "TNF", "text": "TNF binds TNFR1 and TNFR2."}
NOT_COMPARED = {
    "corpus_ingestjob",
    "corpus_jobfile",
    "corpus_jobitem",
    "corpus_jobturn",
    "accounts_auditevent",
}


def digest() -> str:
    """A hash over the rows of every table of ours but jobs, items and audit."""
    total = hashlib.sha256()
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if table in NOT_COMPARED or not table.startswith(
                ("accounts_", "corpus_", "retrieval_", "agent_")
            ):
                continue
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) "
                f"FROM {table} t"
            )
            total.update(f"{table}={cursor.fetchone()[0]};".encode())
    return total.hexdigest()


def test_a_file_becomes_documents_passages_and_vectors():
    corpus = CorpusFactory()

    job = ingest(corpus, SOCS3, TNF)

    assert progress.summary(job)["done"] == 2
    assert set(Document.objects.values_list("external_id", flat=True)) == {"a", "b"}
    assert ChunkVector.objects.count() == Chunk.objects.count() == 2
    corpus.refresh_from_db()
    assert (corpus.document_count, corpus.chunk_count, corpus.revision) == (2, 2, 2)


def test_the_same_file_again_changes_nothing_and_encodes_nothing():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3, TNF)
    before, texts = digest(), COUNTER.read()

    job = ingest(corpus, SOCS3, TNF)

    assert progress.summary(job)["unchanged"] == 2
    assert digest() == before
    assert COUNTER.read() == texts


def test_records_that_share_an_id_end_the_same_however_often_they_are_read():
    corpus = CorpusFactory()
    newer = TNF | {"id": "a"}
    files = [("1.jsonl", lines([SOCS3, newer, SOCS3])), ("2.jsonl", lines([newer]))]
    ingest_files(corpus, "jsonl", files)
    before = digest()

    ingest_files(corpus, "jsonl", files)

    assert digest() == before
    assert Document.objects.get().title == "TNF"


def test_an_edited_record_replaces_the_former_and_going_back_does_too():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    edited = SOCS3 | {"text": "SOCS3 inhibits JAK2. It is induced by STAT5."}

    ingest(corpus, edited)
    assert "STAT5" in Chunk.objects.get().text

    ingest(corpus, SOCS3)
    assert "STAT3" in Chunk.objects.get().text


def test_a_passage_keeps_its_id_and_vector_while_its_text_stays():
    corpus = CorpusFactory()
    sections = [
        {"heading": h, "text": t} for h, t in [("One", "JAK1 binds gp130."), ("Two", "Old.")]
    ]
    record = {"id": "a", "title": "T", "sections": sections}
    ingest(corpus, record)
    kept = Chunk.objects.get(text="JAK1 binds gp130.")
    encoded = COUNTER.read().texts

    new = [{"heading": "Zero", "text": "New first."}, *sections[:1]]
    job = ingest(corpus, record | {"sections": new})

    again = Chunk.objects.get(text="JAK1 binds gp130.")
    assert (again.public_id, again.chunk_index) == (kept.public_id, 1)
    assert not Chunk.objects.filter(text="Old.").exists()
    assert COUNTER.read().texts - encoded == 1 == progress.summary(job)["encoded"]


def test_a_text_known_in_another_corpus_is_not_encoded_again():
    ingest(CorpusFactory(), SOCS3)
    before = COUNTER.read()

    job = ingest(CorpusFactory(), SOCS3)

    assert progress.summary(job)["done"] == 1
    assert COUNTER.read() == before
    assert ChunkVector.objects.count() == 2


def test_a_broken_line_fails_alone_with_a_sentence():
    corpus = CorpusFactory()
    data = lines([SOCS3]) + b"{not json\n" + lines([TNF])

    result = progress.summary(ingest_files(corpus, "jsonl", [("mixed.jsonl", data)]))

    assert (result["done"], result["failed"], result["state"]) == (2, 1, "done")
    (failed,) = [item for item in result["items"] if item["state"] == "failed"]
    assert "Line 2" in failed["reason"]


def test_a_licence_beside_vocabularies_is_skipped_with_a_reason():
    corpus = CorpusFactory()
    terms = b"id\tname\nCHEBI:1\taspirin\n"
    given = [("LICENSE.txt", b"You may, with thanks."), ("README", b"Terms."), ("drugs.tsv", terms)]
    files = [SimpleUploadedFile(*one) for one in given]

    (job,) = received.accept_files(corpus, files, by=curator_of(corpus), origin="").jobs

    result = progress.summary(jobs.work_off(job))
    assert (job.source, result["done"], result["failed"]) == ("vocabularies", 1, 0)
    reasons = {item["file"]: item["reason"] for item in result["items"]}
    assert reasons["LICENSE.txt"] == reasons["README"] != ""
    assert result["skipped"] == 2


def test_a_file_of_another_kind_is_skipped_and_no_failure():
    result = progress.summary(ingest_files(CorpusFactory(), "pubmed", [("readme.md", b"# hello")]))

    assert (result["failed"], result["skipped"]) == (0, 1)
    assert ".xml" in result["items"][0]["reason"]


def test_a_worker_that_lost_its_lease_writes_nothing():
    corpus = CorpusFactory()
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([SOCS3]))], by=curator_of(corpus))
    (stale,) = jobs.lease()
    JobFile.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    (fresh,) = jobs.lease()

    with pytest.raises(leases.LeaseLost):
        jobs.perform(stale)
    assert not Document.objects.exists()

    jobs.perform(fresh)
    jobs.work_off(job)
    assert Document.objects.count() == 1


def test_a_record_that_workers_die_of_is_passed_over():
    corpus = CorpusFactory()
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([SOCS3, TNF]))], by=curator_of(corpus))
    JobFile.objects.update(attempts=reading.MAX_ATTEMPTS)

    result = progress.summary(jobs.work_off(job))

    assert [item["state"] for item in result["items"]] == ["failed", "done"]
    assert result["items"][0]["code"] == "poison"


def test_vectors_that_a_crash_left_out_are_made_up_for():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)
    ChunkVector.objects.all().delete()

    ingest(corpus, SOCS3)

    assert ChunkVector.objects.count() == 1


def test_teams_take_turns_whatever_they_queue(settings):
    settings.BULK_SLOTS = 1
    busy, other = CorpusFactory(), CorpusFactory()
    many = [(f"{n}.jsonl", lines([SOCS3 | {"id": str(n)}])) for n in range(6)]
    uploads.accept(busy, "jsonl", many, by=curator_of(busy))
    first = jobs.lease()
    uploads.accept(other, "jsonl", [("b.jsonl", lines([TNF]))], by=curator_of(other))
    for work in first:
        jobs.perform(work)

    teams = [
        JobFile.objects.get(pk=work.file).job.corpus.team_id
        for work in jobs.lease()
        if isinstance(work, jobs.ReadFile)
    ]

    assert other.team_id in teams


def test_only_curators_add_and_strangers_learn_nothing():
    reader, stranger = UserFactory.create_batch(2)
    corpus = CorpusFactory(team=TeamFactory(readers=[reader]))
    files = [("a.jsonl", lines([SOCS3]))]

    with pytest.raises(NotAllowed):
        uploads.accept(corpus, "jsonl", files, by=reader)
    with pytest.raises(NotFound):
        uploads.accept(corpus, "jsonl", files, by=stranger)
    assert not IngestJob.objects.exists()


def test_each_stored_document_is_told_to_the_followers():
    corpus = CorpusFactory()
    ingest(corpus, SOCS3)

    change = Change.objects.get(kind="document")

    assert (change.op, change.key, change.corpus_public_id) == (
        "upsert",
        Document.objects.get().pk,
        corpus.public_id,
    )
    assert not JobItem.objects.exclude(state="done").exists()


def test_documents_go_through_all_stages_under_one_lease_and_the_first_end_first():
    corpus = CorpusFactory()
    records = [SOCS3 | {"id": str(n)} for n in range(jobs.ITEMS + 1)]
    uploads.accept(corpus, "jsonl", [("a.jsonl", lines(records))], by=curator_of(corpus))
    (read,) = jobs.lease()
    jobs.perform(read)

    first, second = jobs.lease()
    jobs.perform(first)

    ended = JobItem.objects.filter(state="done", stage="end", leased_until=None)
    assert [item.position for item in ended.order_by("position")] == list(range(jobs.ITEMS))
    jobs.perform(second)
    assert not JobItem.objects.exclude(state="done", leased_until=None).exists()


@pytest.mark.slow
def test_a_long_document_is_embedded_in_turns(monkeypatch):
    monkeypatch.setattr(jobs, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(embedding, "BATCH_TEXTS", 1)
    corpus = CorpusFactory()
    job = uploads.accept(corpus, "jsonl", [("a.jsonl", lines([SOCS3, TNF]))], by=curator_of(corpus))
    (read,) = jobs.lease()
    jobs.perform(read)

    for stage in ("link", "propositions", "embed"):
        turn = next(work for work in jobs.lease() if isinstance(work, jobs.AdvanceItems))
        assert turn.stage == stage
        jobs.perform(turn)
        JobItem.objects.update(leased_until=None)  # of the other document, for the next round

    assert ChunkVector.objects.count() == 1
    left = JobItem.objects.order_by("state").values_list("state", "attempts")
    assert list(left) == [("done", 0), ("running", 0)]

    monkeypatch.setattr(jobs, "SLICE_SECONDS", 60.0)
    assert progress.summary(jobs.work_off(job))["done"] == 2
    assert ChunkVector.objects.count() == 2


def test_a_file_read_in_many_slices_is_parsed_once(monkeypatch):
    monkeypatch.setattr(jobs, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(reading, "BATCH", 2)
    opened = []
    real = opening.open_payload
    monkeypatch.setattr(opening, "open_payload", lambda *a: opened.append(a[1]) or real(*a))
    corpus = CorpusFactory()
    records = [SOCS3 | {"id": str(n)} for n in range(9)]

    assert progress.summary(ingest(corpus, *records))["done"] == 9
    assert opened == ["records.jsonl"]


def test_a_value_that_cannot_be_stored_is_the_failure_of_its_record_alone(monkeypatch):
    monkeypatch.setattr("corpus.sources.jsonl.normalizer.LONGEST_ID", 10_000)
    long = SOCS3 | {"id": "x" * 5000}

    result = progress.summary(ingest(CorpusFactory(), SOCS3, long, TNF))

    assert (result["done"], result["failed"]) == (2, 1)
    assert [item["code"] for item in result["items"]] == ["", "value", ""]


def test_a_language_that_the_encoder_does_not_read_is_noted(settings):
    page = b"<html lang=de><body><main><h1>Haus</h1><p>STAT3 wird von JAK2 aktiviert.</p></main>"
    files = [("haus.html", page)]

    (item,) = progress.summary(ingest_files(CorpusFactory(), "html", files))["items"]
    assert "(de)" in item["reason"]

    settings.ENCODER_LANGUAGES = ["en", "de"]
    (item,) = progress.summary(ingest_files(CorpusFactory(), "html", files))["items"]
    assert item["reason"] == ""


def test_a_field_never_seen_is_one_warning_for_the_import():
    """A17."""
    entry = "ENTRY       C0000{n}  Compound\nNAME        Water {n}\nSPARKLE     of tomorrow\n///\n"
    file = "".join(entry.format(n=n) for n in range(1, 4)).encode()

    result = progress.summary(ingest_files(CorpusFactory(), "kegg", [("compounds.txt", file)]))

    note = "Fields Flux does not know are kept as they are: SPARKLE."
    assert result["notes"] == [{"note": note, "items": 3}]
    assert [line for line in progress.told(result) if "SPARKLE" in line] == [
        f"  noted on 3: {note}"
    ]


def test_what_figures_show_is_told_as_they_are_stored():
    figures = (
        FigureDraft(label="Figure 1", caption="Findings on admission and H&E."),
        FigureDraft(label="Figure 1A", caption="Chest radiograph.", parent=0),
        FigureDraft(label="Figure 1B", parent=0),
    )

    put(CorpusFactory(), paper("a", figures=figures))

    rows = Figure.objects.order_by("position").values_list("kind", "kind_confidence")
    assert list(rows) == [("pathology", 0.7), ("radiology", 0.7), ("pathology", 0.7)]
