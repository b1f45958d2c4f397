"""docs/peers.md names tests that exist, for every report that the survey of peers lists."""

from __future__ import annotations

import re

import pytest

from tests.unit.house.test_house import ROOT

NAMED = re.compile(r"`((?:unit|db|flows|pages)/[\w/]+\.py)::(test_\w+)`")
LISTED = re.compile(r"^\| (A\d\d) \|", re.MULTILINE)
TEXT = (ROOT / "docs" / "peers.md").read_text()


def test_every_test_that_is_named_exists():
    missing = [
        f"{path}::{name}"
        for path, name in NAMED.findall(TEXT)
        if not (ROOT / "tests" / path).exists()
        or f"def {name}(" not in (ROOT / "tests" / path).read_text()
    ]

    assert len(NAMED.findall(TEXT)) > 50
    assert missing == []


def test_every_row_names_a_test_or_says_that_it_is_open():
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")]
    headers = ("| id |", "| theme |")

    bare = [row for row in rows if not (NAMED.search(row) or "| open: " in row)]

    assert [row for row in bare if not row.startswith(headers)] == []


@pytest.mark.shared_data
def test_every_report_of_the_survey_is_listed(shared_data):
    survey = (shared_data.parent / "spec" / "PEERS.md").read_text()

    assert LISTED.findall(TEXT) == LISTED.findall(survey)
