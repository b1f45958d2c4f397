"""The desk of documents: found by words and ids, looked at, read again, deleted with a receipt."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from corpus.models import Deletion, Document, IngestJob
from corpus.services import control, deletion, jobs, reparsing
from corpus.services.fingerprint import PIPELINE
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    TableFactory,
    TeamFactory,
    UserFactory,
)
from tests.support.ingesting import curator_of, ingest

pytestmark = pytest.mark.django_db
LIST = "admin:corpus_document_changelist"


def titles(client: Client, **query: str) -> set[str]:
    answer = client.get(f"{reverse(LIST)}?{urlencode(query)}")
    assert answer.status_code == 200
    return {row.title for row in answer.context_data["cl"].result_list}


def page(document: Document) -> str:
    return reverse("admin:corpus_document_change", args=[document.pk])


def remove_url(*documents: Document) -> str:
    query = urlencode({"pk": [row.pk for row in documents]}, doseq=True)
    return f"{reverse('admin:corpus_document_remove')}?{query}"


def act(client: Client, action: str, *documents: Document):
    data = {"action": action, "_selected_action": [row.pk for row in documents]}
    return client.post(reverse(LIST), data)


def paper(n: int, title: str, **more: object) -> dict[str, object]:
    return {"id": f"r{n}", "title": title, "text": f"{title}. It binds protein {n}."} | more


def test_words_are_found_by_their_beginnings_and_ids_whole(desk):
    corpus = CorpusFactory()
    ids = {"doi": "10.1000/Abc.7", "pmid": "123"}
    ingest(corpus, paper(1, "SOCS3 ends a signal", identifiers=ids), paper(2, "IL-6 and others"))

    assert titles(desk, q="socs sig") == {"SOCS3 ends a signal"}
    assert titles(desk, q="IL-6") == {"IL-6 and others"}
    assert titles(desk, q="https://doi.org/10.1000/ABC.7") == {"SOCS3 ends a signal"}
    assert titles(desk, q="PMID:123") == {"SOCS3 ends a signal"}
    assert titles(desk, q="r2") == {"IL-6 and others"}
    assert titles(desk, q="zebrafish") == set()
    assert titles(desk, q="%%% & | !") == set()


def test_each_filter_leaves_the_documents_that_it_says(desk):
    here, there = CorpusFactory(), CorpusFactory()
    ChunkFactory(document=DocumentFactory(corpus=here, title="whole", pipeline=PIPELINE))
    DocumentFactory(corpus=here, title="empty", pipeline="1", source="pdf", year=1999)
    DocumentFactory(corpus=there, title="away", retracted=True, pipeline=PIPELINE, year=2026)
    note = "Its language (fr) is none that the encoder reads: it is found by its words."
    DocumentFactory(corpus=there, title="french", note=note, pipeline=PIPELINE)

    assert titles(desk, corpus=str(here.public_id)) == {"whole", "empty"}
    assert titles(desk, source="pdf") == {"empty"}
    assert titles(desk, state="text") == {"whole"}
    assert titles(desk, state="due") == {"empty"}
    assert titles(desk, standing="any") == {"away"}
    assert titles(desk, standing="retracted", corpus=str(here.public_id)) == set()
    assert titles(desk, note="language") == {"french"}
    assert titles(desk, year="before") == {"empty"}
    assert titles(desk, corpus="no-id") == {"whole", "empty", "away", "french"}


def test_the_preview_shows_what_the_document_holds_and_who_sees_it(desk):
    document = DocumentFactory(title="How SOCS3 ends a signal")
    ChunkFactory(document=document)
    FigureFactory(document=document, label="Figure 9")
    TableFactory(document=document)

    shown = desk.get(page(document)).content.decode()

    for part in ("How SOCS3 ends a signal", "SOCS3.", "Figure 9", "4.2", document.corpus.team.name):
        assert part in shown
    assert "1 passage, 1 figure, 1 table" in shown


def test_a_document_is_read_again_by_a_job_and_no_other_record_of_its_file(desk):
    corpus = CorpusFactory()
    ingest(corpus, *(paper(n, f"Title {n}") for n in range(3)))
    ingest(corpus, paper(1, "A newer title"), name="newer.jsonl")
    first = Document.objects.get(external_id="r0")
    Document.objects.update(content_sha256="old", pipeline="1")

    act(desk, "read_again", first)
    job = jobs.work_off(IngestJob.objects.latest("pk"))

    assert [(item.external_id, item.state) for item in job.items.all()] == [("r0", "done")]
    assert Document.objects.get(external_id="r0").pipeline == PIPELINE
    assert Document.objects.get(external_id="r1").title == "A newer title"
    assert AuditEvent.objects.filter(action="ingest.reparse").count() == 1


def test_a_record_that_its_file_holds_no_more_is_said_and_stays(desk):
    corpus = CorpusFactory()
    ingest(corpus, paper(1, "One"))
    Document.objects.update(external_id="renamed")

    made = reparsing.request(Document.objects.all(), by=curator_of(corpus))
    job = jobs.work_off(made.jobs[0])

    (item,) = job.items.all()
    assert (item.external_id, item.state, item.code) == ("renamed", "failed", "missing")
    assert Document.objects.get().title == "One"

    Document.objects.update(external_id="r1", content_sha256="old")
    job.files.update(only=["r1"])
    control.act(job, "retry", by=curator_of(corpus))
    jobs.work_off(job)
    assert [(item.external_id, item.state) for item in job.items.all()] == [("r1", "done")]


def test_what_has_no_file_is_left_out_and_said(desk):
    document = DocumentFactory()

    answer = desk.post(page(document), {"read_again": "1"}, follow=True)

    assert "has the file it was read from" in answer.content.decode()
    assert not IngestJob.objects.exists()


def test_before_a_deletion_its_consequences_are_shown_and_after_it_the_receipt(desk, boss):
    document = DocumentFactory(corpus__document_count=1, corpus__chunk_count=1)
    ChunkFactory(document=document)

    assert act(desk, "delete_for_good", document)["Location"] == remove_url(document)
    asked = desk.get(remove_url(document)).content.decode()
    assert "With it go 1 passage" in asked
    assert "No saved answer is touched" in asked

    answer = desk.post(remove_url(document), follow=True)
    assert "Being deleted" in answer.content.decode()
    row = Deletion.objects.get()
    assert (row.user, row.documents) == (boss, [document.public_id])
    deletion.work_off(row)
    receipt = desk.get(reverse("admin:corpus_deletion_live", args=[row.pk])).content.decode()
    assert "finds nothing of it" in receipt
    assert AuditEvent.objects.filter(action="document.delete", actor=boss).count() == 1


def test_documents_of_two_corpora_are_two_deletions(desk):
    one, two = (DocumentFactory(corpus__document_count=1) for _ in range(2))

    desk.post(remove_url(one, two))

    assert {row.corpus for row in Deletion.objects.all()} == {one.corpus, two.corpus}


def test_django_itself_deletes_no_document(desk):
    document = DocumentFactory()
    url = reverse("admin:corpus_document_delete", args=[document.pk])

    assert desk.post(url, {"post": "yes"}).status_code == 403
    assert Document.objects.exists()


def test_staff_see_and_work_on_what_they_curate_and_nothing_else(signed):
    curator, reader = UserFactory(), UserFactory()
    team = TeamFactory(members=[curator], readers=[reader])
    mine = DocumentFactory(corpus__team=team, corpus__document_count=1, title="mine")
    hidden = DocumentFactory(title="hidden")
    client = signed(curator)

    assert titles(client) == {"mine"}
    assert client.get(page(hidden)).status_code == 302
    assert client.get(remove_url(hidden)).status_code == 302
    client.post(remove_url(mine, hidden))
    assert [row.documents for row in Deletion.objects.all()] == [[mine.public_id]]

    seen = signed(reader)
    other = DocumentFactory(corpus__team=team, title="another")
    assert "another" in titles(seen)
    seen.post(remove_url(other))
    assert Deletion.objects.count() == 1, "readers delete nothing"


def test_a_site_admin_has_no_wider_right_outside_the_admin(boss):
    document = DocumentFactory(corpus__visibility="private")
    client = Client()
    client.force_login(boss)

    assert client.get(f"/documents/{document.public_id}/").status_code == 404
    assert client.post(f"/documents/{document.public_id}/delete/").status_code == 404
