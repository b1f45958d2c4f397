"""Workers that run tests at once have databases of their own in Valkey."""

from tests.plugins.own_valkey import apart


def test_each_worker_has_a_database_of_its_own():
    urls = {apart("redis://127.0.0.1:7000/0", worker) for worker in ("gw1", "gw2")}
    assert urls == {"redis://127.0.0.1:7000/1", "redis://127.0.0.1:7000/2"}


def test_a_run_in_one_process_keeps_its_address():
    assert apart("redis://127.0.0.1:7000/0", "") == "redis://127.0.0.1:7000/0"
