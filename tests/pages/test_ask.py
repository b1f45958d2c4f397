"""From a question to an answer whose citations open, in a browser."""

from __future__ import annotations

import json
import re
import threading

import pytest
from django.db import connections

from agent.models import Run, RunShare
from agent.services import log, runs
from agent.tasks import run_ask
from corpus.models import Chunk
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.pages.checks import LOOKS, assert_sound
from tests.pages.wire import wire_to
from tests.support.ingesting import ingest

RECORDS = [
    {
        "id": "socs3",
        "title": "A brake on cytokine signals",
        "text": "SOCS3 binds gp130 and ends the signal of interleukin-6. STAT3 drives its gene.",
    },
    {
        "id": "stat5",
        "title": "Erythropoietin",
        "text": "JAK2 phosphorylates STAT5 when erythropoietin binds its receptor.",
    },
    {
        "id": "ikk",
        "title": "IKK complex",
        "text": "The IKK complex phosphorylates IκBα, which is then degraded.",
    },
]
QUESTION = "How does SOCS3 end the signal of interleukin-6?"


@pytest.fixture
def reader():
    return UserFactory(name="Ada")


@pytest.fixture
def corpus(reader):
    corpus = CorpusFactory(team=TeamFactory(researchers=[reader]), slug="notes", name="Notes")
    ingest(corpus, *RECORDS)
    return corpus


def answered(user, question: str = QUESTION) -> Run:
    """A run that a worker has answered."""
    run = runs.start_run(user, question)
    run_ask(run.pk)
    run.refresh_from_db()
    return run


def in_a_worker(run: Run) -> None:
    """Answer the run in another thread, as a worker beside the site does."""

    def work() -> None:
        try:
            run_ask(run.pk)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_ask_runs_and_answer_pages_are_sound(open_page, reader, corpus, size, theme):
    page = open_page("/", reader, size=size, theme=theme)
    assert_sound(page)
    run = answered(reader)
    for path in ("/", "/runs/", f"/runs/{run.public_id}/"):
        page.goto(path)
        assert_sound(page)


def test_a_question_becomes_an_answer_while_the_reader_watches(open_page, reader, corpus):
    page = open_page("/", reader)
    page.get_by_role("textbox", name="Question").fill(QUESTION)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/runs/*/")
    assert page.locator(".live").first.is_visible()
    stops = page.get_by_role("button", name="Stop")
    assert stops.is_visible()

    in_a_worker(Run.objects.get())
    page.locator(".claims .claim").first.wait_for()
    page.get_by_role("link", name="provenance").wait_for()

    assert not stops.is_visible()
    assert page.locator("#running").inner_text() == ""
    assert "SOCS3 binds gp130" in page.locator(".claims").inner_text()
    assert "Answer ready" in page.locator("#say").inner_text() or page.locator("#say").inner_text()
    assert page.locator(".evi[open]").count() == 1
    assert_sound(page)


def test_each_chip_opens_its_source_with_the_quote_marked(open_page, reader, corpus):
    run = answered(reader)
    page = open_page(f"/runs/{run.public_id}/", reader)
    chips = page.locator(".claims a.cite")
    assert chips.count() >= 1

    for chip in chips.all():
        chip.click()
        number = chip.inner_text()
        body = page.locator(f"#ev-{number}")
        assert body.is_visible()
        assert chip.get_attribute("aria-current") == "true"
        quote = body.locator("mark").first.inner_text()
        chunk = Chunk.objects.get(
            public_id=re.search(r"passage=([0-9a-f-]{36})", body.inner_html())[1]
        )
        assert quote in chunk.text


def test_citations_can_be_walked_with_the_keyboard(open_page, reader, corpus):
    page = open_page(f"/runs/{answered(reader).public_id}/", reader)

    page.keyboard.press("j")

    assert page.evaluate("document.activeElement.className") == "cite"
    assert page.locator(".evi[open]").count() == 1


def test_without_scripts_the_page_reloads_until_the_answer_is_there(open_page, reader, corpus):
    page = open_page("/", reader, scripts=False)
    page.get_by_role("textbox", name="Question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    page.wait_for_load_state()
    assert page.locator('meta[http-equiv="refresh"]').get_attribute("content") == "5"

    run_ask(Run.objects.get().pk)
    page.reload()

    assert page.locator('meta[http-equiv="refresh"]').count() == 0
    page.locator(".claims a.cite").first.click()
    assert page.locator(".evi[open]").count() >= 1
    assert "#ev-1" in page.url


def test_what_the_sources_do_not_hold_is_not_answered(open_page, reader, corpus):
    run = answered(reader, "What is the capital of Australia?")
    page = open_page(f"/runs/{run.public_id}/", reader)

    assert run.status == "abstained"
    assert page.locator(".abstain h2").inner_text() == "Your sources do not answer this"
    assert page.locator(".claims").count() == 0
    assert_sound(page)
    page.goto("/runs/")
    assert "Not answered" in page.locator("tbody").inner_text()


def test_an_empty_question_is_sent_back_with_the_fault_named(open_page, reader, corpus):
    page = open_page("/", reader)
    page.get_by_role("button", name="Ask").click()
    page.wait_for_load_state()

    assert page.locator(".errsum").inner_text().endswith("Write a question first.")
    assert Run.objects.count() == 0
    page.complaints.clear()  # the 422 itself is written to the console
    assert_sound(page)


def test_a_form_sent_twice_asks_once(open_page, reader, corpus):
    page = open_page("/", reader)
    form = page.evaluate("Object.fromEntries(new FormData(document.querySelector('main form')))")
    form["question"] = QUESTION

    replies = [page.request.post("/", form=form) for _ in range(2)]

    assert [reply.status for reply in replies] == [200, 200]
    assert replies[0].url == replies[1].url
    assert Run.objects.count() == 1


def test_only_the_chosen_corpora_are_asked(open_page, reader, corpus):
    CorpusFactory(team=corpus.team, slug="other", name="Other")
    page = open_page("/?corpora=notes", reader)
    menu = page.locator("details.menu")
    assert menu.locator("summary").inner_text() == "1 corpus"
    menu.locator("summary").click()
    page.get_by_label("Other").check()
    assert menu.locator("summary").inner_text() == "2 corpora"
    page.get_by_label("Other").uncheck()

    page.get_by_role("textbox", name="Question").fill(QUESTION)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/runs/*/")

    assert [corpus.slug for corpus in Run.objects.get().corpora.all()] == ["notes"]


def test_stopping_ends_the_run_on_the_page(open_page, reader, corpus):
    page = open_page("/", reader)
    page.get_by_role("textbox", name="Question").fill(QUESTION)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/runs/*/")

    page.get_by_role("button", name="Stop").click()
    page.wait_for_load_state()

    page.get_by_text("This run was stopped.").wait_for()
    assert Run.objects.get().status == "stopped"


def test_a_dropped_connection_is_taken_up_where_it_was(open_page, site, reader, corpus):
    run = runs.start_run(reader, QUESTION)
    page = open_page("/library/", reader)
    asked: list[str] = []

    def note(request):
        if request.url.endswith("/events/"):
            asked.append(request.headers.get("last-event-id", ""))

    page.on("request", note)
    with wire_to(site) as wire:
        with page.expect_response("**/events/"):
            page.goto(f"{wire.address}/runs/{run.public_id}/")
        wire.cut()
        page.get_by_text("Connection lost.").wait_for()
        in_a_worker(run)
        wire.mend()
        page.get_by_role("button", name="Try now").click()

        page.locator(".claims .claim").first.wait_for()
        page.get_by_text("Connected again").wait_for()
        page.get_by_role("link", name="provenance").wait_for()

    assert len(asked) >= 2
    assert set(asked) == {f"{run.public_id}:1"}
    assert page.locator(".claims").count() == 1


def test_events_that_were_seen_are_not_shown_twice(open_page, site, reader, corpus):
    run = runs.start_run(reader, QUESTION)
    page = open_page("/library/", reader)
    with wire_to(site) as wire:
        page.goto(f"{wire.address}/runs/{run.public_id}/")
        log.append(run.pk, [log.Entry("token", {"text": "Half a sen"})])
        page.locator("#raw", has_text="Half a sen").wait_for()
        wire.cut()
        page.get_by_text("Connection lost.").wait_for()
        log.append(run.pk, [log.Entry("token", {"text": "tence."})])
        wire.mend()
        page.get_by_role("button", name="Try now").click()

        page.locator("#raw", has_text="sentence.").wait_for()
        assert page.locator("#raw").inner_text() == "Half a sentence."


def test_the_stream_sends_parts_of_the_page_and_then_nothing_more(open_page, reader, corpus):
    run = answered(reader)
    page = open_page("/library/", reader)
    whole = page.request.get(f"/runs/{run.public_id}/events/")

    names = re.findall(r"^event: (\w+)$", whole.text(), re.MULTILINE)
    assert names.index("citations") < names.index("token") < names.index("final")
    assert names[-1] == "done"
    ids = re.findall(r"^id: (.+)$", whole.text(), re.MULTILINE)
    assert ids == [f"{run.public_id}:{seq}" for seq in range(1, len(ids) + 1)]
    rest = page.request.get(f"/runs/{run.public_id}/events/", headers={"Last-Event-ID": ids[-3]})
    assert re.findall(r"^id: (.+)$", rest.text(), re.MULTILINE) == ids[-2:]
    over = page.request.get(f"/runs/{run.public_id}/events/", headers={"Last-Event-ID": ids[-1]})
    assert over.status == 204


def test_a_shared_answer_shows_only_what_its_reader_may_read(open_page, reader, corpus):
    viewer = UserFactory()
    run = answered(reader)
    RunShare.objects.create(run=run, user=viewer)
    page = open_page(f"/runs/{run.public_id}/", viewer)

    assert page.locator("h1").inner_text() == QUESTION
    assert "SOCS3 binds gp130" not in page.content()
    assert "Notes" not in page.locator("main").inner_text()
    assert page.locator(".evi summary").count() == 0
    assert "SOCS3 binds gp130" not in page.request.get(f"/runs/{run.public_id}/events/").text()
    page.goto("/runs/?scope=shared")
    assert page.locator("tbody tr").count() == 1


def test_an_owner_sees_that_a_members_run_goes_on_and_may_stop_it(open_page, reader, corpus):
    owner = UserFactory()
    corpus.team.memberships.create(user=owner, role="owner")
    run = runs.start_run(reader, QUESTION, corpora=["notes"])
    page = open_page("/runs/?scope=team", owner)

    row = page.locator("tbody tr")
    assert "Ada" in row.inner_text()
    assert QUESTION not in page.content()
    assert page.request.get(f"/runs/{run.public_id}/").status == 404
    assert_sound(page)
    page.get_by_role("button", name="Stop the run of Ada").click()
    page.wait_for_load_state()

    run.refresh_from_db()
    assert run.stop_requested_at is not None


def test_a_strangers_run_does_not_exist(open_page, reader, corpus):
    run = answered(reader)
    page = open_page("/library/", UserFactory())
    absent = "00000000-0000-4000-8000-000000000000"
    for path in ("/runs/{}/", "/runs/{}/events/"):
        hidden = page.request.get(path.format(run.public_id))
        missing = page.request.get(path.format(absent))
        assert (hidden.status, hidden.text()) == (missing.status, missing.text())
        assert hidden.status == 404


def test_a_new_reader_is_offered_questions_that_work(open_page, reader, corpus):
    page = open_page("/", reader)

    page.locator(".qs a").first.click()
    page.wait_for_url("**question=**")

    assert (
        page.get_by_role("textbox", name="Question").input_value().startswith("What is known about")
    )


def test_text_of_a_source_is_never_markup_in_an_answer(open_page, reader, corpus):
    ingest(
        corpus,
        {
            "id": "x",
            "title": "<b>Bold</b>",
            "text": "Ruxolitinib blocks <img src=x onerror=alert(1)> JAK2 in myelofibrosis.",
        },
    )
    page = open_page(
        f"/runs/{answered(reader, 'What does ruxolitinib block in myelofibrosis?').public_id}/",
        reader,
    )

    assert page.locator("main img[src=x]").count() == 0
    assert "<b>Bold</b>" in page.locator(".evi").first.inner_text()
    assert page.complaints == []


def test_the_answer_page_is_light(open_page, reader, corpus):
    """Budget of the page: CSS and JS at most 60 KB gzipped, HTML at most 30 KB (PAGES 10)."""
    import gzip

    run = answered(reader)
    page = open_page(f"/runs/{run.public_id}/", reader)
    html = page.request.get(f"/runs/{run.public_id}/").body()
    linked = page.evaluate(
        "[...document.querySelectorAll('link[rel=stylesheet], script')].map(e => e.href || e.src)"
    )
    linked += [
        page.url.split("/runs/")[0] + path
        for path in (
            "/static/vendor/htmx/htmx.min.js",
            "/static/vendor/htmx-ext-sse/sse.min.js",
            "/static/flux/stream.js",
        )
    ]
    sizes = {url: len(gzip.compress(page.request.get(url).body())) for url in set(linked)}

    assert sum(sizes.values()) <= 60_000, json.dumps(sizes, indent=1)
    assert len(gzip.compress(html)) <= 30_000
