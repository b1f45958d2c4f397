"""The outbound client against a real server on the loopback address, with faults."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from flux_site.kernel.http import (
    Answer,
    BadAnswer,
    NotModified,
    Quota,
    QuotaHeaders,
    SourceExhausted,
    SourceRefused,
    SourceUnavailable,
    TooLarge,
)
from tests.support.replay import ReplayServer, Reply, client_for, moved, packed, said

CREDITS = QuotaHeaders("x-left", "x-needed", "x-reset")


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


def test_a_body_arrives_with_its_type_and_marks(server):
    marks = {"ETag": '"v1"', "Last-Modified": "Mon, 30 Nov 2026 00:00:00 GMT"}
    server.then(Reply(b"<a/>", media_type="text/xml; charset=utf-8", headers=marks))

    with client_for(server) as client:
        answer = client.get("data/a", {"id": 7, "term": "a&b"}, expects=("xml",))

    assert answer == Answer(200, b"<a/>", "text/xml", '"v1"', marks["Last-Modified"])
    assert server.asked[0].path == "/data/a"
    assert server.asked[0].params == {"id": "7", "term": "a&b"}


def test_every_request_says_who_asks(server):
    server.then(said({}))

    with client_for(server, user_agent="Flux/1 (mailto:team@lab.example)") as client:
        client.get("x")

    assert server.asked[0].headers["user-agent"] == "Flux/1 (mailto:team@lab.example)"


def test_a_form_is_posted_whole_and_again_after_a_failure(server):
    server.then(Reply(status=502), said({}))

    with client_for(server) as client:
        client.post("fetch", {"id": "1,2,3"})

    assert [(one.method, one.params) for one in server.asked] == [("POST", {"id": "1,2,3"})] * 2


def test_what_is_current_is_not_sent_again(server):
    server.then(Reply(status=304, headers={"ETag": '"v1"'}))

    with client_for(server) as client:
        found = client.get_if_changed("x", etag='"v1"', last_modified="yesterday")

    assert found == NotModified('"v1"')
    assert server.asked[0].headers["if-none-match"] == '"v1"'
    assert server.asked[0].headers["if-modified-since"] == "yesterday"


def test_a_changed_thing_is_sent_whole(server):
    server.then(said([1], headers={"ETag": '"v2"'}))

    with client_for(server) as client:
        found = client.get_if_changed("x", etag='"v1"')

    assert isinstance(found, Answer)
    assert (found.body, found.etag) == (b"[1]", '"v2"')


# Trying again


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again(server, status):
    server.then(Reply(status=status), said("there"))

    with client_for(server) as client:
        assert client.get("x").body == b'"there"'

    assert len(server.asked) == 2


def test_tries_end(server):
    with client_for(server, tries=3) as client, pytest.raises(SourceUnavailable) as failed:
        client.get("x")

    assert failed.value.retryable
    assert failed.value.message == "The upstream cannot answer now (500). Try again later."
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 414, 418])
def test_a_refusal_is_final_and_says_what_to_do(server, status):
    server.then(Reply(status=status))

    with client_for(server) as client, pytest.raises(SourceRefused) as failed:
        client.get("secret", {"api_key": "k-123"})

    assert failed.value.answered == status
    assert not failed.value.retryable
    assert failed.value.message.startswith(f"The upstream answered {status}. ")
    assert "k-123" not in f"{failed.value.message}{failed.value.detail}"
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_the_least_wait(server, status):
    server.then(Reply(status=status, headers={"Retry-After": "0.2"}), said({}))

    with client_for(server) as client:
        client.get("x")

    assert server.asked[1].at - server.asked[0].at >= 0.2


def test_retry_after_as_a_date_is_the_least_wait(server):
    when = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    server.then(
        Reply(status=503, headers={"Retry-After": format_datetime(when, usegmt=True)}), said({})
    )

    with client_for(server) as client:
        client.get("x")

    assert datetime.now(UTC) >= when


def test_a_wait_beyond_the_time_left_is_told_and_not_sat_out(server):
    server.then(Reply(status=429, headers={"Retry-After": "3600"}))
    began = time.monotonic()

    with client_for(server) as client:
        with pytest.raises(SourceUnavailable) as failed:
            client.get("x")
        with pytest.raises(SourceUnavailable) as again:
            client.get("y")

    assert time.monotonic() - began < 1.0
    assert failed.value.wait_s == 3600.0
    assert failed.value.message == "The upstream asks to wait 3600 seconds."
    assert 3590 < again.value.wait_s <= 3600
    assert server.paths == ["/x"]


def test_a_429_stops_the_other_threads_too(server):
    quota = Quota()
    server.then(Reply(status=429, headers={"Retry-After": "0.4"}))
    server.script = lambda asked: said({})
    with client_for(server, quota=quota) as first, client_for(server, quota=quota) as second:
        asking = threading.Thread(target=first.get, args=("a",))
        asking.start()
        while not server.asked:
            time.sleep(0.001)
        time.sleep(0.1)
        second.get("b")
        asking.join()

    begun, *later = server.asked
    assert len(later) == 2
    assert all(one.at - begun.at >= 0.4 for one in later)


def test_a_queue_longer_than_the_time_left_is_told_and_no_slot_is_taken(server):
    server.script = lambda asked: said({})

    with client_for(server, per_second=0.01) as client:
        client.get("x")
        with pytest.raises(SourceUnavailable, match="are waiting already") as failed:
            client.get("y")

    assert 90 < failed.value.wait_s <= 100
    assert server.paths == ["/x"]


def test_a_used_up_quota_stops_until_it_renews_and_says_so(server):
    first = {"Retry-After": "0.2", "X-Left": "40", "X-Needed": "10", "X-Reset": "7200"}
    spent = {"Retry-After": "0.2", "X-Left": "0", "X-Needed": "10", "X-Reset": "7200"}
    server.then(Reply(status=429, headers=first), Reply(status=429, headers=spent))

    with client_for(server, credits=CREDITS) as client:
        with pytest.raises(SourceExhausted) as failed:
            client.get("x")
        with pytest.raises(SourceExhausted):
            client.get("y")

    assert server.paths == ["/x", "/x"]
    assert server.asked[1].at - server.asked[0].at >= 0.2
    assert not failed.value.retryable
    left = failed.value.until - datetime.now(UTC)
    assert timedelta(seconds=7190) < left <= timedelta(seconds=7200)
    assert f"renews at {failed.value.until:%Y-%m-%d %H:%M} UTC" in failed.value.message


# Time and size


def test_a_connection_cut_in_the_body_is_tried_again(server):
    server.then(Reply(b"x" * 1000, pieces=4, cut_after=2), Reply(b"x" * 1000))

    with client_for(server) as client:
        assert client.get("x").body == b"x" * 1000

    assert len(server.asked) == 2


def test_a_connection_always_cut_is_unavailable(server):
    server.then(*[Reply(b"x" * 1000, pieces=4, cut_after=2)] * 3)

    with client_for(server) as client, pytest.raises(SourceUnavailable, match="broke off"):
        client.get("x")


def test_a_slow_body_ends_at_the_total_time(server):
    server.then(Reply(b"x" * 100, pieces=100, pause_s=0.05))
    began = time.monotonic()

    with client_for(server, total_s=0.3) as client, pytest.raises(SourceUnavailable, match="long"):
        client.get("x")

    assert time.monotonic() - began < 0.6


def test_a_silent_server_ends_at_the_read_time(server):
    server.then(Reply(b"x", wait_s=1.0))
    began = time.monotonic()

    with (
        client_for(server, read_s=0.1, tries=1) as client,
        pytest.raises(SourceUnavailable, match="too long"),
    ):
        client.get("x")

    assert time.monotonic() - began < 0.6


def test_nobody_there_is_unavailable():
    with ReplayServer() as gone:
        pass
    with client_for(gone) as client, pytest.raises(SourceUnavailable, match="connection"):
        client.get("x")


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"x" * 2000),
        Reply(b"x" * 2000, is_chunked=True, pieces=10),
        Reply(b"", length=10**12),
        packed(b"x" * 10_000_000),
        Reply(gzip.compress(b"x" * 2000) * 3, headers={"Content-Encoding": "gzip"}),
    ],
    ids=["told", "untold", "claimed", "bomb", "several members"],
)
def test_an_answer_over_the_limit_is_refused(server, reply):
    server.then(reply)

    with client_for(server, max_bytes=1500, tries=1) as client, pytest.raises(TooLarge) as failed:
        client.get("x")

    assert "more than 1500 bytes" in failed.value.message


def test_an_answer_of_exactly_the_limit_is_taken(server):
    server.then(Reply(b"x" * 1500), packed(b"y" * 1500))

    with client_for(server, max_bytes=1500) as client:
        assert len(client.get("x").body) == len(client.get("y").body) == 1500


def test_gzip_is_asked_for_and_unpacked_over_several_pieces_and_members(server):
    body = bytes(range(256)) * 400
    parts = gzip.compress(body) + gzip.compress(b"tail")
    server.then(
        Reply(parts, headers={"Content-Encoding": "gzip"}, pieces=7, is_chunked=True),
    )

    with client_for(server) as client:
        assert client.get("x").body == body + b"tail"

    assert server.asked[0].headers["accept-encoding"] == "gzip"


def test_gzip_that_ends_early_is_tried_again(server):
    whole = gzip.compress(bytes(range(256)) * 40)
    server.then(
        Reply(whole[:-20], headers={"Content-Encoding": "gzip"}),
        Reply(whole, headers={"Content-Encoding": "gzip"}),
    )

    with client_for(server) as client:
        assert len(client.get("x").body) == 10240


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd, gzip"])
def test_what_cannot_be_unpacked_is_a_bad_answer(server, encoding):
    server.then(Reply(b"not packed at all", headers={"Content-Encoding": encoding}))

    with client_for(server) as client, pytest.raises(BadAnswer):
        client.get("x")


def test_a_web_page_where_data_was_asked_for_is_a_bad_answer(server):
    server.then(Reply(b"<html>moved</html>", media_type="text/html; charset=utf-8"))

    with client_for(server) as client, pytest.raises(BadAnswer) as failed:
        client.get("x", expects=("json",))

    assert "it sent text/html where json was asked for" in failed.value.message


# Redirects inside the source


def test_a_redirect_inside_the_source_is_followed(server):
    server.then(moved("/there?x=1"), said("here"))

    with client_for(server) as client:
        assert client.get("x").body == b'"here"'

    assert server.paths == ["/x", "/there"]


def test_a_circle_of_redirects_is_a_bad_answer(server):
    server.script = lambda asked: moved("/b" if asked.path == "/a" else "/a")

    with client_for(server) as client, pytest.raises(BadAnswer, match="circle"):
        client.get("a")

    assert len(server.asked) == 6


def test_a_form_is_not_carried_to_where_a_redirect_drops_it(server):
    server.then(moved("/other"))

    with client_for(server) as client, pytest.raises(BadAnswer, match="elsewhere"):
        client.post("x", {"id": "1"})


def test_a_redirect_to_no_address_is_a_bad_answer(server):
    server.then(moved("http://a:b:c/"))

    with client_for(server) as client, pytest.raises(BadAnswer, match="no address"):
        client.get("x")
