"""Every model call is paid for; the ledger is never below what the endpoint counted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date

import pytest

from accounts.metering import MeteredModel
from accounts.models import Budget, LedgerEntry, ModelCall, ModelPrice
from accounts.services import prices
from accounts.services.budgets import Payer
from flux_site.kernel.errors import BudgetExhausted
from flux_site.kernel.llm.anthropic import AnthropicModel, Endpoint
from flux_site.kernel.llm.base import CallCancelled, Message, ModelCallFailed, Request, Text, Usage
from flux_site.kernel.llm.retry import Patience
from tests.support.anthropic_server import AnthropicServer, Refusal, Reply

pytestmark = [pytest.mark.django_db, pytest.mark.db]
QUICK = Patience(first_s=0.01, most_s=0.02, tries=3)
REQUEST = Request("m-1", (Message("user", (Text("Which kinase?"),)),), max_tokens=100)


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running


@pytest.fixture
def budget() -> Budget:
    ModelPrice.objects.create(
        model="m-1",
        valid_from="2020-01-01",
        input_microusd=3_000_000,
        output_microusd=15_000_000,
        cache_read_microusd=300_000,
        cache_write_microusd=3_750_000,
    )
    return Budget.objects.create(kind="drill", period="total", cap_microusd=100_000)


def metered(server: AnthropicServer, budget: Budget) -> MeteredModel:
    model = AnthropicModel(lambda: Endpoint("key", server.url))
    return MeteredModel(model, Payer(budgets=(budget.pk,), shared=False), "answer")


def complete(server: AnthropicServer, budget: Budget, **more: object) -> str:
    model = metered(server, budget)
    return model.complete(REQUEST, deadline=time.monotonic() + 60, patience=QUICK, **more).text  # type: ignore[arg-type]


def kinds(budget: Budget) -> list[str]:
    return list(
        LedgerEntry.objects.filter(budget=budget).order_by("pk").values_list("kind", flat=True)
    )


def test_a_call_is_settled_to_what_the_endpoint_counted(server, budget):
    server.then(Reply("JAK2.", input_tokens=1_000, output_tokens=40, cache_read=7, cache_write=3))
    heard: list[str] = []
    assert complete(server, budget, on_text=heard.append) == "JAK2."
    call = ModelCall.objects.get()
    exact = 1_000 * 3 + 40 * 15 + 7 * 0.3 + 3 * 3.75
    assert call.settled_microusd == -(-exact // 1)
    assert call.state == "settled"
    assert "".join(heard) == "JAK2."
    assert kinds(budget) == ["reserve", "settle"]


def test_a_refused_try_is_released_and_the_next_one_paid(server, budget):
    server.then(Refusal(429, "rate_limit_error"), Refusal(529), Reply("Yes."))
    assert complete(server, budget) == "Yes."
    assert kinds(budget) == ["reserve", "release", "reserve", "release", "reserve", "settle"]


def test_a_cut_answer_is_paid_in_full_and_tried_again(server, budget):
    server.then(Reply("A long answer", cut_after=2), Reply("Whole."))
    assert complete(server, budget) == "Whole."
    states = list(ModelCall.objects.order_by("pk").values_list("state", flat=True))
    assert states == ["assumed", "settled"]
    first = ModelCall.objects.order_by("pk")[0]
    assert first.settled_microusd == first.reserved_microusd


def test_stopping_a_call_ends_it_and_counts_it_in_full(server, budget):
    server.then(Reply("x" * 50, pieces=50, pause_s=0.1))
    with pytest.raises(CallCancelled):
        complete(server, budget, cancel=server.cancels_at_a_call())
    assert not server.calls[0].finished
    assert ModelCall.objects.get().state == "assumed"


def test_a_reader_who_leaves_half_way_leaves_the_call_counted(server, budget):
    server.then(Reply("x" * 50, pieces=50))
    events = metered(server, budget).stream(REQUEST, timeout_s=5)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert ModelCall.objects.get().state == "assumed"


def test_without_money_nothing_is_sent(server, budget):
    Budget.objects.update(cap_microusd=10)
    with pytest.raises(BudgetExhausted):
        complete(server, budget)
    assert server.calls == []


def test_an_endpoint_that_cannot_count_is_reserved_by_bytes(server, budget):
    server.can_count = False
    server.then(Reply("Yes."))
    complete(server, budget)
    by_bytes = ModelCall.objects.get().reserved_microusd
    server.can_count = True
    server.then(Reply("Yes."))
    complete(server, budget)
    assert ModelCall.objects.order_by("-pk")[0].reserved_microusd < by_bytes


def test_an_endpoint_that_is_down_costs_nothing(server, budget):
    server.then(*[Refusal(529)] * 3)
    with pytest.raises(ModelCallFailed):
        complete(server, budget)
    assert {call.state for call in ModelCall.objects.all()} == {"released"}


def test_the_ledger_agrees_with_the_endpoints_own_count(server, budget):
    for number in range(6):
        server.then(Reply(f"Answer {number}. " * number, cache_read=number))
        complete(server, budget)
    price = prices.price_of("m-1", ModelCall.objects.first().reserved_at.date())
    counted = [
        Usage(u["input_tokens"], u["output_tokens"], u["cache_read_input_tokens"])
        for u in (call.usage for call in server.calls)
    ]
    settled = list(ModelCall.objects.order_by("pk").values_list("settled_microusd", flat=True))
    assert settled == [price.of(usage) for usage in counted]


def test_prices_are_dated_and_an_unknown_model_is_dear(settings):
    ModelPrice.objects.create(
        model="m-2",
        valid_from="2026-02-01",
        input_microusd=1,
        output_microusd=2,
        cache_read_microusd=3,
        cache_write_microusd=4,
    )
    assert prices.price_of("m-2", date(2026, 2, 1)).input == 1
    assert prices.price_of("m-2", date(2026, 1, 31)).input == 15_000_000
    assert prices.price_of(settings.MODEL_TIERS["I"], date(2026, 1, 1)).output == 4_000_000
    assert prices.Price(3, 15, 0, 4).worst(1, 1) == 1  # rounded up, at the dearest input price
