"""Figures, money and times as pages write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from accounts.web import formats

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("microusd", "shown"),
    [
        (0, "$0.00"),
        (14_200, "$0.014"),
        (900, "under $0.001"),
        (3_180_000, "$3.18"),
        (1_234_500_000, "$1,234.50"),
    ],
)
def test_money_is_exact_enough_for_its_size(microusd: int, shown: str) -> None:
    assert formats.money(microusd) == shown


@pytest.mark.parametrize(
    ("back", "shown"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=12), "12 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(hours=30), "yesterday"),
        (timedelta(days=4), "4 days"),
        (timedelta(days=20), "10 Nov"),
        (timedelta(days=400), "26 Oct 2025"),
    ],
)
def test_times_get_coarser_as_they_recede(back: timedelta, shown: str) -> None:
    assert formats.ago(NOW - back, NOW) == shown


def test_a_share_stays_between_nothing_and_all() -> None:
    assert formats.percent(1, 0) == 0.0
    assert formats.percent(3, 2) == 100.0
    assert formats.percent(1, 3) == 33.3


def test_initials_come_from_a_name_or_an_address() -> None:
    assert formats.initials("Ada King Lovelace") == "AL"
    assert formats.initials("person0@example.org") == "PO"
    assert formats.initials("  ") == "?"


def test_a_text_is_cut_between_words() -> None:
    assert formats.shortened("one two three four", 9) == "one two…"
    assert formats.shortened("one\n two", 20) == "one two"
