"""What an upstream's headers say about waiting, and how long we wait by ourselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flux_site.kernel.http import Policy, Quota, QuotaHeaders
from flux_site.kernel.http.waits import exhausted_s, pause_s, retry_after_s

NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
NAMES = QuotaHeaders("left", "needed", "reset")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("Mon, 30 Nov 2026 18:02:00 GMT", 120.0),
        ("Monday, 30-Nov-26 18:02:00 GMT", 120.0),
        ("Mon, 30 Nov 2026 17:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("9" * 400, None),
        ("Mon, 99 Nov 2026 18:02:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert retry_after_s(value, now=NOW) == seconds


@given(st.text())
def test_no_retry_after_header_breaks_the_client(value):
    found = retry_after_s(value, now=NOW)

    assert found is None or found >= 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"left": "10"}, None),
        ({"left": "10", "needed": "10"}, None),
        ({"left": "9", "needed": "10", "reset": "60"}, 60.0),
        ({"left": "0", "reset": "60"}, 60.0),
        ({"left": "0"}, 6 * 3600.0),
        ({"left": "0", "reset": "tomorrow"}, 6 * 3600.0),
        ({"left": "0", "reset": str(int(NOW.timestamp()) + 90)}, 90.0),
        ({"left": "many"}, None),
    ],
)
def test_a_quota_is_used_up_when_less_is_left_than_needed(headers, seconds):
    assert exhausted_s(headers, NAMES, now=NOW) == seconds


def test_without_names_of_headers_no_quota_is_ever_used_up():
    assert exhausted_s({"left": "0"}, None, now=NOW) is None


@given(st.integers(1, 60), st.floats(0, 1))
def test_pauses_double_up_to_a_limit_with_full_jitter(attempt, chance):
    policy = Policy("p", "P", "https://p.example", first_pause_s=0.5, most_pause_s=30)

    assert pause_s(policy, attempt, chance) == chance * min(30, 0.5 * 2 ** (attempt - 1))


def test_without_redis_a_process_keeps_to_its_share():
    quota, policy = Quota(), Policy("p", "P", "https://p.example", per_second=8, alone_share=0.25)

    turns = [quota.take(policy, most_s=60) for _ in range(5)]

    assert [turn.kind for turn in turns] == ["go"] * 5
    assert turns[0].wait_s == 0
    assert turns[4].wait_s == pytest.approx(2.0, abs=0.05)


def test_a_turn_that_is_too_far_away_is_not_taken():
    quota, policy = Quota(), Policy("p", "P", "https://p.example", per_second=1, alone_share=1)
    quota.take(policy, most_s=0)

    far = [quota.take(policy, most_s=0.5) for _ in range(10)]

    assert {turn.kind for turn in far} == {"busy"}
    assert far[-1].wait_s <= 1.0


def test_a_redis_that_is_away_does_not_stop_requests():
    quota = Quota("redis://127.0.0.1:1/0")
    policy = Policy("p", "P", "https://p.example", per_second=100, alone_share=1)

    assert [quota.take(policy, most_s=1).kind for _ in range(3)] == ["go"] * 3
    quota.pause(policy, 5)
    assert quota.take(policy, most_s=1).kind == "paused"
    assert quota.is_held(policy)
