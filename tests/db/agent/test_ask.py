"""From a question to stored events and a cited answer, without a model."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from agent import tasks
from agent.answers.schema import FinalAnswer
from agent.models import Answer, Citation, Claim, Run, RunEvent
from agent.services import leases, log, runs
from agent.types import LeaseLost
from corpus.models import Chunk
from corpus.quoting.verbatim import locate
from flux_site.kernel.errors import InvalidInput, NotFound
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.support.asking import QUESTION, answered, library

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def reader():
    return UserFactory()


@pytest.fixture
def corpus(reader):
    return library(reader)


def kinds(run):
    return list(run.events.order_by("seq").values_list("kind", flat=True))


def test_an_answer_quotes_its_sources_and_every_step_is_stored(reader, corpus):
    run = answered(reader)

    assert (run.status, run.reason) == ("done", "")
    final = FinalAnswer.model_validate(runs.result_for(run, reader)["final"])
    assert final.mode == "extractive"
    assert "JAK2" in final.claims[0].text
    for citation in final.citations:
        chunk = Chunk.objects.get(public_id=citation.chunk_id)
        assert locate(chunk.text, citation.quote) is not None
    assert all(claim.citations for claim in final.claims)

    order = kinds(run)
    assert order[:3] == ["start", "citations", "judge"]
    assert order[-3:] == ["meter", "final", "done"]
    assert set(order[3:-3]) == {"token"}
    assert list(run.events.values_list("seq", flat=True)) == list(range(1, len(order) + 1))
    tokens = run.events.filter(kind="token").order_by("seq")
    assert "".join(event.payload["text"] for event in tokens) == final.answer


def test_rows_and_event_agree(reader, corpus):
    run = answered(reader)
    final = runs.result_for(run, reader)["final"]
    answer = Answer.objects.get(run=run)
    assert [claim.text for claim in Claim.objects.filter(answer=answer)] == [
        claim["text"] for claim in final["claims"]
    ]
    for row in Citation.objects.filter(answer=answer):
        assert row.chunk.text[row.start : row.end] == row.quote


def test_the_result_has_times_versions_and_no_cost(reader, corpus):
    result = runs.result_for(answered(reader), reader)
    assert 0 < result["timings"]["first_event_ms"] <= result["timings"]["total_ms"]
    assert result["cost_usd"] == 0
    assert result["versions"]["corpora"] == {str(corpus.public_id): corpus.revision}
    assert set(result["versions"]) == {"dataset", "corpora", "pipeline", "prompts", "models"}


def test_nothing_that_supports_means_no_answer(reader, corpus):
    run = answered(reader, "Who painted the ceiling of the Sistine Chapel?")
    final = runs.result_for(run, reader)["final"]
    assert run.status == "abstained"
    assert (final["mode"], final["claims"], final["citations"]) == ("abstained", [], [])
    assert corpus.name in final["answer"]


def test_a_reader_without_a_corpus_gets_an_abstention():
    assert answered(UserFactory()).status == "abstained"


@pytest.mark.parametrize("question", ["", "   ", "\x00\x00", "?!"])
def test_an_empty_question_is_refused(reader, corpus, question):
    with pytest.raises(InvalidInput, match="empty"):
        runs.start_run(reader, question)


def test_a_question_of_a_hundred_thousand_letters_is_refused_with_the_limit(reader, corpus):
    with pytest.raises(InvalidInput, match="100,000 characters; at most 10,000"):
        runs.start_run(reader, "x" * 100_000)
    assert runs.start_run(reader, "x" * 10_000).status == "queued"


def test_control_characters_do_not_reach_the_database(reader, corpus):
    run = runs.start_run(reader, "What\x00 does\x1b SOCS3 do?")
    assert run.question == "What  does  SOCS3 do?"


def test_a_hidden_corpus_and_an_absent_one_are_told_in_the_same_words(reader, corpus):
    CorpusFactory(slug="hidden", team=TeamFactory())
    messages = set()
    for name in ("hidden", "absent"):
        with pytest.raises(NotFound) as caught:
            runs.start_run(reader, QUESTION, corpora=[name])
        messages.add(caught.value.message.replace(name, "X"))
    assert len(messages) == 1
    assert not Run.objects.exists()


def test_an_unknown_mode_is_refused(reader, corpus):
    with pytest.raises(InvalidInput, match="mode"):
        runs.start_run(reader, QUESTION, mode="guess")


def test_the_same_key_starts_one_run(reader, corpus):
    first = runs.start_run(reader, QUESTION, idempotency_key="k1")
    assert runs.start_run(reader, "Another?", idempotency_key="k1").pk == first.pk
    assert runs.start_run(UserFactory(), QUESTION, idempotency_key="k1").pk != first.pk


def test_the_team_that_owns_the_corpus_pays(reader, corpus):
    assert runs.start_run(reader, QUESTION).team == corpus.team
    assert runs.start_run(UserFactory(), QUESTION).team.personal_of is not None


def test_a_run_that_has_ended_is_not_answered_again(reader, corpus):
    run = answered(reader)
    before = run.last_seq
    tasks.run_ask(run.pk)
    run.refresh_from_db()
    assert run.last_seq == before


def test_events_cannot_be_changed(reader, corpus):
    answered(reader)
    with pytest.raises(IntegrityError), transaction.atomic():
        RunEvent.objects.update(kind="forged")


def test_a_worker_whose_lease_is_lost_writes_nothing(reader, corpus):
    run = runs.start_run(reader, QUESTION)
    lease = leases.take(run.pk)
    leases.give_up(lease)
    Run.objects.filter(pk=run.pk).update(token=lease.token + 1)
    with pytest.raises(LeaseLost):
        log.append(run.pk, [log.Entry("token", {"text": "x"})], token=lease.token)
    assert kinds(run) == ["start"]


def test_the_sent_task_is_the_task():
    assert tasks.run_ask.name == runs.TASK


def test_the_command_gives_the_same_json(reader, corpus, monkeypatch):
    monkeypatch.setattr(runs, "enqueue", tasks.run_ask)  # the worker is this process
    monkeypatch.setattr(transaction, "on_commit", lambda work, *_, **__: work())
    out = StringIO()
    call_command(
        "ask", QUESTION, "--corpus", corpus.slug, "--as", reader.email, "--json", stdout=out
    )
    given = json.loads(out.getvalue())
    run = Run.objects.get(public_id=given["run"])
    assert given == json.loads(json.dumps(runs.result_for(run, reader)))
    assert given["status"] == "done"


@pytest.mark.parametrize(("arguments", "code"), [(["--corpus", "absent"], 2), (["--mode", "x"], 2)])
def test_bad_input_exits_with_two(reader, corpus, arguments, code):
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("ask", QUESTION, *arguments, "--as", reader.email, "--json", stdout=out)
    assert ended.value.code == code
    assert set(json.loads(out.getvalue())["error"]) == {"code", "message"}
