"""Research sessions: who may open one, what it grants, and what closing it does."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import ResearchSession
from accounts.services import budgets, sessions
from accounts.services.budgets import Payer
from agent.services import runs
from agent.services.sessions import close_session, open_session
from flux_site.kernel.errors import BudgetExhausted, InvalidInput, NotAllowed, NotFound
from tests.factories import CorpusFactory, TeamFactory, UserFactory

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def researcher():
    return UserFactory()


@pytest.fixture
def corpus(researcher):
    return CorpusFactory(slug="cytokines", team=TeamFactory(researchers=[researcher]))


def opened(user, corpus, *, usd="1.00", runs=2):
    return open_session(user, [corpus.slug], usd=Decimal(usd), runs=runs)


def test_a_session_grants_runs_and_money_over_corpora(researcher, corpus):
    session = opened(researcher, corpus)
    assert session.team == corpus.team
    assert list(session.session_corpora.values_list("corpus", flat=True)) == [corpus.pk]
    assert session.budget.cap_microusd == 1_000_000


def test_its_money_is_a_budget_like_any_other(researcher, corpus):
    payer = Payer(researcher.pk, corpus.team_id, budgets=(opened(researcher, corpus).budget_id,))
    with pytest.raises(BudgetExhausted, match="session"):
        budgets.reserve(payer, 1_000_001, model="m", purpose="t", expires_in_s=9)


def test_each_run_is_taken_once(researcher, corpus):
    session = opened(researcher, corpus, runs=1)
    sessions.take_run(researcher, session.public_id)
    with pytest.raises(NotAllowed, match="no runs left"):
        sessions.take_run(researcher, session.public_id)


def test_a_reader_of_the_team_may_not_open_one(corpus):
    reader = UserFactory()
    corpus.team.memberships.create(user=reader, role="reader")
    with pytest.raises(NotAllowed):
        opened(reader, corpus)


def test_anothers_session_is_not_there(researcher, corpus):
    session = opened(researcher, corpus)
    for use in (sessions.take_run, close_session):
        with pytest.raises(NotFound):
            use(UserFactory(), session.public_id)
    with pytest.raises(NotFound):
        sessions.take_run(researcher, uuid.uuid4())


def test_an_expired_or_closed_session_starts_nothing(researcher, corpus):
    expired, closed = opened(researcher, corpus), opened(researcher, corpus)
    past = timezone.now() - timedelta(seconds=1)
    ResearchSession.objects.filter(pk=expired.pk).update(expires_at=past)
    close_session(researcher, closed.public_id)
    for session in (expired, closed):
        with pytest.raises(NotAllowed, match="closed or has expired"):
            sessions.take_run(researcher, session.public_id)


def test_closing_a_session_stops_its_runs(researcher, corpus):
    session = opened(researcher, corpus)
    run = runs.start_run(researcher, "What does SOCS3 do?")
    run.session = session
    run.save(update_fields=["session"])
    close_session(researcher, session.public_id)
    run.refresh_from_db()
    assert run.status == "stopped"


@pytest.mark.parametrize(("usd", "count"), [("0", 1), ("-1", 1), ("1", 0)])
def test_amounts_are_positive(researcher, corpus, usd, count):
    with pytest.raises(InvalidInput):
        opened(researcher, corpus, usd=usd, runs=count)


def test_the_command(researcher, corpus):
    out = StringIO()
    arguments = ["--corpus", "cytokines", "--usd", "1.00", "--runs", "3"]
    call_command("open_session", *arguments, "--as", researcher.email, "--json", stdout=out)
    session = ResearchSession.objects.get(public_id=json.loads(out.getvalue())["session"])
    assert session.runs_allowed == 3
