"""Workers that run tests at once have servers of their own."""

import json

import pytest

from tests.plugins.own_servers import variables_of

TWO = json.dumps([{"REDIS_URL": "redis://one/0"}, {"REDIS_URL": "redis://two/0"}])


def test_each_worker_has_servers_of_its_own():
    assert [variables_of(name, TWO)["REDIS_URL"] for name in ("gw0", "gw1")] == [
        "redis://one/0",
        "redis://two/0",
    ]


def test_a_run_in_one_process_keeps_what_it_was_given():
    assert variables_of("", TWO) == variables_of("gw0", "") == {}


def test_more_workers_than_servers_are_refused():
    with pytest.raises(pytest.UsageError, match=r"for 2 worker\(s\)"):
        variables_of("gw2", TWO)
