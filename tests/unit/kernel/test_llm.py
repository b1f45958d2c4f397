"""The provider against a server that speaks the real protocol over a real socket."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from flux_site.kernel.llm.anthropic import AnthropicModel, Endpoint
from flux_site.kernel.llm.base import (
    CallCancelled,
    Completion,
    Image,
    Message,
    ModelCallFailed,
    Request,
    Text,
    Tool,
    ToolResult,
    ToolUse,
    Usage,
    collect,
    most_input_tokens,
)
from flux_site.kernel.llm.retry import Patience, with_retries
from tests.support.anthropic_server import AnthropicServer, Refusal, Reply

QUICK = Patience(first_s=0.01, most_s=0.02, tries=3)


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running


def ask(server: AnthropicServer, *, timeout_s: float = 5.0, **fields: object) -> Completion:
    return collect(model_of(server).stream(request(**fields), timeout_s=timeout_s))


def model_of(server: AnthropicServer) -> AnthropicModel:
    return AnthropicModel(lambda: Endpoint("key", server.url))


def request(**fields: object) -> Request:
    messages = (Message("user", (Text("Which kinase phosphorylates STAT3?"),)),)
    # type: ignore[arg-type]
    return Request(**({"model": "m-1", "messages": messages, "max_tokens": 50} | fields))


def test_the_text_the_usage_and_the_reason_arrive(server):
    server.then(Reply("JAK2 does.", input_tokens=31, output_tokens=7, cache_read=5, cache_write=3))

    answer = ask(server, system="Be short.")

    assert answer.text == "JAK2 does."
    assert answer.usage == Usage(31, 7, cache_read_tokens=5, cache_write_tokens=3)
    assert (answer.stop_reason, answer.model) == ("end_turn", "m-1")
    assert server.calls[0].body["system"][0]["cache_control"] == {"type": "ephemeral"}


def test_a_tool_call_arrives_whole_and_its_result_goes_back(server):
    tool = {"id": "t1", "name": "search", "input": {"q": "STAT3 µ", "limit": 3}}
    server.then(Reply("Looking.", tools=(tool,)), Reply("Done."))
    offered = Tool("search", "Search the corpora.", {"type": "object"})

    first = ask(server, tools=(offered,))
    turns = (
        *request().messages,
        Message("assistant", (Text(first.text), *first.tool_uses)),
        Message("user", (ToolResult("t1", "3 hits"), Image("image/png", b"\x89PNG"))),
    )
    second = ask(server, messages=turns, tools=(offered,))

    assert first.tool_uses == (ToolUse("t1", "search", {"q": "STAT3 µ", "limit": 3}),)
    assert first.stop_reason == "tool_use"
    assert second.text == "Done."
    kinds = [part["type"] for part in server.calls[1].body["messages"][-1]["content"]]
    assert kinds == ["tool_result", "image"]


@pytest.mark.parametrize(
    ("action", "outcome", "again"),
    [
        (Refusal(429, "rate_limit_error", retry_after="2"), "not_happened", True),
        (Refusal(529), "not_happened", True),
        (Refusal(500, "api_error"), "unknown", True),
        (Refusal(401, "authentication_error"), "not_happened", False),
        (Refusal(400, "invalid_request_error"), "not_happened", False),
        (Reply("A long answer", cut_after=2), "unknown", True),
        (Reply("A long answer", error_after=2), "unknown", True),
    ],
    ids=["429", "529", "500", "401", "400", "cut", "error event"],
)
def test_a_failure_says_whether_money_may_be_gone(server, action, outcome, again):
    server.then(action)
    with pytest.raises(ModelCallFailed) as caught:
        ask(server)
    assert (caught.value.outcome, caught.value.again) == (outcome, again)
    assert len(server.calls) == 1, "the SDK must not retry by itself"


def test_a_fault_of_our_own_does_not_look_like_the_endpoints(server):
    broken = request(messages=(Message("user", (object(),)),))  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        collect(model_of(server).stream(broken, timeout_s=5))
    assert server.calls == []


def test_a_refused_connection_surely_cost_nothing():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    model = AnthropicModel(lambda: Endpoint("key", f"http://127.0.0.1:{port}"))
    with pytest.raises(ModelCallFailed) as caught:
        collect(model.stream(request(), timeout_s=30))
    assert caught.value.outcome == "not_happened"


def test_a_slow_answer_ends_at_its_time_limit_with_unknown_cost(server):
    server.then(Reply("x" * 50, pieces=50, pause_s=0.1))
    with pytest.raises(ModelCallFailed, match="within") as caught:
        ask(server, timeout_s=0.4)
    assert caught.value.outcome == "unknown"


@pytest.mark.parametrize(
    "reply", [Reply("x", wait_s=60), Reply("x" * 300, pieces=300, pause_s=0.2)]
)
def test_cancelling_ends_a_waiting_call_and_closes_the_connection(server, reply):
    server.then(reply)
    cancel = server.cancels_at_a_call()
    with pytest.raises(CallCancelled):
        collect(model_of(server).stream(request(), timeout_s=60, cancel=cancel))
    assert not server.calls[0].finished
    while not server.calls[0].client_left:  # ends by the test's own time limit otherwise
        time.sleep(0.05)


def test_the_endpoint_counts_and_the_bound_is_above_it(server):
    big = request(system="Zählen Sie. " * 50, tools=(Tool("t", "d", {"type": "object"}),))
    counted = model_of(server).count_tokens(big, timeout_s=30)
    assert counted is not None
    assert 0 < counted < most_input_tokens(big)


def test_an_endpoint_that_cannot_count_gives_none(server):
    server.can_count = False
    assert model_of(server).count_tokens(request(), timeout_s=30) is None


def test_retries_pass_over_429_and_529(server):
    server.then(Refusal(429, "rate_limit_error"), Refusal(529), Reply("Third time."))
    answer = with_retries(
        lambda left: ask(server, timeout_s=left), deadline=time.monotonic() + 60, patience=QUICK
    )
    assert answer.text == "Third time."
    assert len(server.calls) == 3


def test_a_wish_to_wait_beyond_the_deadline_is_not_begun(server):
    server.then(Refusal(429, "rate_limit_error", retry_after="300"))
    with pytest.raises(ModelCallFailed, match="rate limited"):
        with_retries(lambda left: ask(server, timeout_s=left), deadline=time.monotonic() + 60)
    assert len(server.calls) == 1


def test_a_refused_key_is_not_tried_again(server):
    server.then(Refusal(401, "authentication_error"))
    with pytest.raises(ModelCallFailed, match="key refused"):
        with_retries(lambda left: ask(server, timeout_s=left), deadline=time.monotonic() + 60)
    assert len(server.calls) == 1


def test_pauses_double_with_jitter_and_respect_the_endpoint():
    patience = Patience(first_s=1, most_s=4)
    assert [patience.pause_s(n, None, 1.0) for n in (1, 2, 3, 4)] == [1, 2, 4, 4]
    assert patience.pause_s(1, None, 0.0) == 0.5
    assert patience.pause_s(1, 3.0, 1.0) == 3.0
