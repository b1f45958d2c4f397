"""Corpora, their documents, uploads with live jobs."""

from __future__ import annotations

import json

import pytest

from corpus.models import Corpus, Document, IngestJob, Watched
from corpus.services import jobs, watching
from tests.factories import ChunkFactory, CorpusFactory, DocumentFactory, TeamFactory, UserFactory
from tests.pages.checks import LOOKS, assert_sound, violations, wider_than
from tests.support.ingesting import ingest

RECORD = {"id": "r1", "title": "STAT3 and SOCS3", "text": "STAT3 drives transcription of SOCS3."}


def as_file(name: str, *records: dict) -> dict:
    body = "".join(json.dumps(record) + "\n" for record in records).encode()
    return {"name": name, "mimeType": "application/json", "buffer": body}


@pytest.fixture
def curator():
    return UserFactory()


@pytest.fixture
def corpus(curator):
    return CorpusFactory(team=TeamFactory(members=[curator]), slug="papers", name="Lab papers")


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_library_and_corpus_are_sound(open_page, curator, corpus, size, theme):
    ingest(corpus, RECORD, {"id": "broken"})
    DocumentFactory(corpus=corpus, retracted=True, title="A withdrawn trial " * 12)
    page = open_page("/library/", curator, size=size, theme=theme)
    assert_sound(page)

    page.goto("/library/papers/")
    assert_sound(page)
    page.locator("#reading summary").click()
    assert_sound(page)


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_what_is_watched_is_sound(open_page, curator, corpus, settings, tmp_path, size, theme):
    settings.WATCH_ROOTS = [tmp_path]
    deep = tmp_path.joinpath("inbox_of_the_whole_department_of_immunology" * 3)
    deep.mkdir()
    watching.add(corpus, str(deep), by=curator)
    away = watching.add(corpus, str(tmp_path), by=curator)
    Watched.objects.filter(pk=away.pk).update(error=f"The folder {deep} is not there.")
    query = "(STAT3[Title/Abstract]OR" * 8
    watching.add(corpus, source="pubmed", query=query, by=curator)
    page = open_page("/library/papers/", curator, size=size, theme=theme)
    assert_sound(page)

    page.get_by_label("Folder on the machine").fill("/etc")
    page.get_by_role("button", name="Watch", exact=True).click()
    assert (violations(page), wider_than(page)) == ([], [])
    assert "is no folder below" in page.locator("#inbox-error").inner_text()
    page.get_by_role("button", name=f"Pause {deep}").click()
    assert "Paused" in page.locator("#inbox").inner_text()
    assert f"PubMed: {query}" in page.locator("#inbox").inner_text()


def test_how_a_corpus_is_read_is_set_on_its_page(open_page, curator, corpus):
    page = open_page("/library/papers/", curator)
    page.locator("#reading summary").click()
    page.get_by_label("Passages are also found by their single statements").check()
    page.locator("#reading").get_by_role("button", name="Save").click()
    page.wait_for_url("**/library/papers/#jobs")

    assert Corpus.objects.get().propositions
    assert IngestJob.objects.get().source == IngestJob.PROPOSITIONS


def test_the_documents_of_a_corpus_are_listed_and_filtered(open_page, curator, corpus):
    ChunkFactory(document=DocumentFactory(corpus=corpus, title="Readable"))
    DocumentFactory(corpus=corpus, title="Empty scan")
    DocumentFactory(corpus=corpus, title="Withdrawn", retracted=True)
    page = open_page("/library/papers/", curator)
    rows = page.locator("tbody th")
    assert rows.all_inner_texts() == ["Withdrawn", "Empty scan", "Readable"]

    page.get_by_label("Status").select_option("No text")
    page.wait_for_url("**status=empty**")
    assert "Readable" not in rows.all_inner_texts()

    page.goto("/library/papers/?text=scan")
    assert rows.all_inner_texts() == ["Empty scan"]


def test_documents_come_fifty_to_a_page(open_page, curator, corpus):
    DocumentFactory.create_batch(53, corpus=corpus)
    page = open_page("/library/papers/", curator)
    assert page.locator("tbody tr").count() == 50

    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2")

    assert page.locator("tbody tr").count() == 3
    assert "51–53 of 53" in page.locator(".pager").inner_text()


def test_a_reader_finds_neither_upload_nor_jobs(open_page, corpus):
    reader = UserFactory()
    TeamFactory._meta.model.objects.get(pk=corpus.team_id).memberships.create(
        user=reader, role="reader"
    )
    ingest(corpus, RECORD)
    page = open_page("/library/papers/", reader)

    assert page.locator("h1").inner_text() == "Lab papers"
    assert page.locator("form[data-upload]").count() == 0
    assert page.locator("#jobs").count() == 0
    assert page.request.get("/library/papers/jobs/").status == 404


def test_a_strangers_404_is_the_same_for_hidden_and_absent(open_page, corpus):
    page = open_page("/library/", UserFactory())
    hidden = page.request.get("/library/papers/")
    absent = page.request.get("/library/nothing-of-that-name/")

    assert (hidden.status, hidden.text()) == (absent.status, absent.text()) == (404, absent.text())
    page.goto("/library/")
    assert "Lab papers" not in page.content()


def test_two_corpora_of_one_name_are_told_apart_by_team(open_page, curator, corpus):
    other = CorpusFactory(
        team=TeamFactory(members=[curator], slug="other"), slug="papers", name="Other papers"
    )
    page = open_page("/library/papers/", curator)
    assert page.locator(".corpus").count() == 2

    page.get_by_role("link", name="Other papers").click()
    page.wait_for_url("**team=other")

    assert page.locator("h1").inner_text() == other.name


def test_an_upload_is_followed_until_its_documents_are_there(open_page, curator, corpus):
    page = open_page("/library/papers/", curator)
    page.get_by_label("Choose files").set_input_files(
        [as_file("good.jsonl", RECORD), as_file("bad.jsonl", {"id": "x"})]
    )
    with page.expect_response("**/upload/"):
        page.get_by_role("button", name="Upload").click()
    block = page.locator("#jobs .job")
    block.wait_for()
    assert "Queued" in block.inner_text()

    jobs.work_off(IngestJob.objects.get())
    page.get_by_text("Done, with failures", exact=True).wait_for()

    assert "1 failed, 1 done" in block.inner_text()
    link = block.get_by_role("link", name="STAT3 and SOCS3")
    assert str(Document.objects.get().public_id) in link.get_attribute("href")
    assert "bad.jsonl" in block.inner_text()
    listed = page.locator("#documents tbody th")
    listed.wait_for()
    assert listed.all_inner_texts() == ["STAT3 and SOCS3"]
    assert page.locator("#documents-count").inner_text() == "1"
    assert page.complaints == []


def test_failed_items_are_tried_again_by_a_button(open_page, curator, corpus):
    job = ingest(corpus, {"id": "x"})
    page = open_page("/library/papers/", curator)

    page.get_by_role("button", name="Retry failed").click()
    page.wait_for_load_state()

    job.refresh_from_db()
    assert job.state == "queued"


def test_what_cannot_be_done_is_said_on_a_page(open_page, curator, corpus):
    job = ingest(corpus, RECORD)
    page = open_page("/library/papers/", curator)
    page.evaluate(
        """url => {
            const form = document.querySelector("#up").cloneNode(true);
            form.action = url;
            form.innerHTML = form.querySelector("[name=csrfmiddlewaretoken]").outerHTML
                + '<input name="action" value="pause">';
            document.body.append(form);
            form.submit();
        }""",
        f"/jobs/{job.public_id}/",
    )
    page.wait_for_url("**/jobs/**")

    assert page.locator("h1").inner_text() == "This could not be done"
    assert "cannot be paused" in page.locator("main").inner_text()
    assert_sound_but_for_its_status(page)


def assert_sound_but_for_its_status(page) -> None:
    """The console names an error status; that one line is expected."""
    page.complaints.clear()
    assert_sound(page)


def test_a_file_that_nothing_reads_is_refused_in_words(open_page, curator, corpus):
    page = open_page("/library/papers/", curator)
    photo = {"name": "photo.heic", "mimeType": "image/heic", "buffer": b"\x00"}
    page.get_by_label("Choose files").set_input_files([photo, as_file("good.jsonl", RECORD)])
    with page.expect_response("**/upload/"):
        page.get_by_role("button", name="Upload").click()

    page.locator("#sending").get_by_text("of no kind that Flux reads").wait_for()
    assert IngestJob.objects.get().files.get().name == "good.jsonl"
    assert "good.jsonl was received" in page.locator("#sending").inner_text()


def test_a_file_over_the_limit_is_not_even_sent(open_page, curator, corpus, settings):
    settings.UPLOAD_MAX_BYTES = 1 << 20
    page = open_page("/library/papers/", curator)
    big = {"name": "atlas.pdf", "mimeType": "application/pdf", "buffer": b"0" * (3 << 20)}
    page.get_by_label("Choose files").set_input_files([big])
    page.get_by_role("button", name="Upload").click()

    page.locator("#sending").get_by_text("is 3 MB; the limit is 1 MB").wait_for()


def test_uploading_works_without_scripts(open_page, curator, corpus):
    page = open_page("/library/papers/", curator, scripts=False)
    page.get_by_label("Choose files").set_input_files([as_file("good.jsonl", RECORD)])
    page.get_by_role("button", name="Upload").click()
    page.wait_for_load_state()

    assert IngestJob.objects.get().files.get().name == "good.jsonl"
    assert "good.jsonl" in page.locator("#jobs").inner_text()
    assert page.locator('meta[http-equiv="refresh"]').count() == 1


def test_files_can_be_dropped_on_the_page(open_page, curator, corpus):
    page = open_page("/library/papers/", curator)
    transfer = page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.jsonl", { type: "application/json" }));
            return data;
        }""",
        json.dumps(RECORD) + "\n",
    )
    page.dispatch_event("h1", "dragenter", {"dataTransfer": transfer})
    assert "dragging" in page.locator("body").get_attribute("class")
    with page.expect_response("**/upload/"):
        page.dispatch_event("h1", "drop", {"dataTransfer": transfer})

    page.locator("#jobs .job").get_by_text("dropped.jsonl").first.wait_for()
    assert IngestJob.objects.get().files.get().name == "dropped.jsonl"


@pytest.mark.parametrize(("size", "theme"), LOOKS[:2])
def test_a_live_source_is_asked_from_the_page(open_page, curator, corpus, size, theme):
    page = open_page("/library/papers/", curator, size=size, theme=theme)
    page.locator("#fetch summary").click()
    assert_sound(page)

    page.get_by_role("button", name="Fetch", exact=True).click()
    assert page.locator("#fetch .err").inner_text().endswith("Give either ids or a query.")

    page.get_by_label("Or records by id").fill("24808625")
    page.get_by_role("button", name="Fetch", exact=True).click()
    page.wait_for_url("**/library/papers/#jobs")

    job = IngestJob.objects.get()
    assert job.fetch.request["ids"] == ["24808625"]
    assert "PubMed: 1 record" in page.locator("#jobs").inner_text()


def test_a_query_is_asked_each_day_from_the_page(open_page, curator, corpus):
    page = open_page("/library/papers/", curator)
    page.locator("#fetch summary").click()
    page.get_by_label("Query, in the source's own language").fill("STAT3 AND psoriasis")
    page.get_by_role("button", name="Fetch now and each day").click()
    page.wait_for_url("**/library/papers/#jobs")

    assert Watched.objects.get().jobs.get().fetch.request["query"] == "STAT3 AND psoriasis"
    assert "PubMed: STAT3 AND psoriasis" in page.locator("#inbox").inner_text()
    assert_sound(page)


def test_a_curator_makes_a_corpus_and_stands_in_it(open_page, curator, corpus):
    page = open_page("/library/", curator)
    page.get_by_text("Make a corpus").click()
    page.get_by_role("textbox", name="Name").fill("!!!")
    page.get_by_role("button", name="Make", exact=True).click()
    assert "use letters and digits" in page.locator("#make-error").inner_text()
    assert ["422" in said for said in page.complaints] == [True]
    page.complaints.clear()
    assert_sound(page)

    page.get_by_role("textbox", name="Name").fill("Psoriasis club")
    page.get_by_label("Who reads it").select_option("Everyone in the team")
    page.get_by_role("button", name="Make", exact=True).click()
    page.wait_for_url("**/library/psoriasis-club/")

    assert page.locator("h1").inner_text() == "Psoriasis club"
    assert "can read" in page.locator("header .xs").inner_text()
