"""One quota of an upstream for all processes, through a real Valkey."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from flux_site.kernel.http import Quota, QuotaHeaders, SourceExhausted
from tests.support.replay import ReplayServer, Reply, client_for, policy_for, said
from tests.support.valkey import OwnValkey, own_valkey

ROOT = Path(__file__).parents[2]
PER_SECOND = 25.0
WORKER = """
import sys
from flux_site.kernel.http import Client, Policy, Quota
base, redis, count, rate = sys.argv[1:]
policy = Policy("shared", "S", base, per_second=float(rate), allow_loopback=True, total_s=20)
with Client(policy, Quota(redis)) as client:
    sys.stdout.write("ready\\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for number in range(int(count)):
        client.get(f"x/{number}")
"""


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[OwnValkey]:
    with own_valkey(tmp_path) as server:
        yield server


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(lambda asked: said({})) as running:
        yield running


class Worker:
    """A process that waits for a word, then asks so many times."""

    def __init__(self, server: ReplayServer, valkey: OwnValkey, count: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, server.url, valkey.url, str(count), str(PER_SECOND)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")
        self.process.stdin.close()

    def end(self) -> None:
        assert self.process.wait(30) == 0


def run(workers: list[Worker]) -> None:
    for worker in workers:
        worker.go()
    for worker in workers:
        worker.end()


def test_two_processes_together_keep_to_the_rate(server, valkey):
    run([Worker(server, valkey, 15) for _ in range(2)])

    times = sorted(asked.at for asked in server.asked)
    assert len(times) == 30
    assert times[-1] - times[0] >= 29 / PER_SECOND - 0.05
    most = max(sum(start <= at < start + 0.4 for at in times) for start in times)
    assert most <= 0.4 * PER_SECOND + 3  # network and scheduler move an arrival by a slot or two


def test_a_429_in_one_process_stops_the_other(server, valkey):
    server.then(Reply(status=429, headers={"Retry-After": "0.5"}))

    run([Worker(server, valkey, 3) for _ in range(2)])

    times = sorted(asked.at for asked in server.asked)
    assert len(times) == 7
    # A request may be on its way when the answer comes; the next starts after the pause.
    assert sum(at - times[0] < 0.5 for at in times) <= 2


def test_a_used_up_quota_is_known_to_a_process_that_never_asked(server, valkey):
    server.then(Reply(status=429, headers={"X-Left": "0", "X-Reset": "600"}))
    credits = QuotaHeaders("x-left", "x-needed", "x-reset")

    first = client_for(server, quota=Quota(valkey.url), credits=credits)
    with first as client, pytest.raises(SourceExhausted):
        client.get("x")
    other = client_for(server, quota=Quota(valkey.url), credits=credits)
    with other as client, pytest.raises(SourceExhausted, match="Nothing is asked there until"):
        client.get("y")

    assert server.paths == ["/x"]


def test_upstreams_have_quotas_of_their_own(server, valkey):
    quota = Quota(valkey.url)
    quota.pause(policy_for(server, name="one"), 60)

    assert quota.take(policy_for(server, name="one"), most_s=1).kind == "paused"
    assert quota.take(policy_for(server, name="two"), most_s=1).kind == "go"


def test_a_burst_is_allowed_and_then_the_rate_holds(server, valkey):
    quota, policy = Quota(valkey.url), policy_for(server, per_second=10.0, burst=3)

    waits = [quota.take(policy, most_s=5).wait_s for _ in range(5)]

    assert waits[:3] == [0, 0, 0]
    assert waits[3:] == [pytest.approx(0.1, abs=0.05), pytest.approx(0.2, abs=0.05)]


def test_a_slot_beyond_the_time_left_stays_free(server, valkey):
    quota, policy = Quota(valkey.url), policy_for(server, per_second=1.0)
    quota.take(policy, most_s=5)

    assert [quota.take(policy, most_s=0.1).kind for _ in range(3)] == ["busy"] * 3
    assert quota.take(policy, most_s=5).wait_s <= 1.0


def test_requests_go_on_at_the_share_of_a_process_while_valkey_is_away(server, valkey):
    quota = Quota(valkey.url)
    with client_for(server, quota=quota, per_second=100.0, alone_share=0.2) as client:
        client.get("x")
        valkey.kill()
        began = time.monotonic()
        for _ in range(5):
            client.get("x")

    assert len(server.asked) == 6
    assert time.monotonic() - began >= 4 / 20 - 0.02


def test_keys_leave_when_nothing_is_asked(server, valkey):
    import redis

    quota, policy = Quota(valkey.url), policy_for(server, per_second=100.0)
    quota.take(policy, most_s=1)
    quota.pause(policy, 0.2)

    ages = redis.Redis.from_url(valkey.url)
    left = {name.decode().rsplit(":", 1)[-1]: ages.pttl(name) for name in ages.keys("flux:http:*")}
    assert set(left) == {"due", "paused", "stopped"}
    assert 0 < left["due"] <= 2_500
    assert 0 < left["paused"] <= 2_500
    assert 0 < left["stopped"] <= 7 * 24 * 3600 * 1000  # a curator sees for a week that it was told


def test_how_a_quota_stands_is_told_without_taking_a_turn(server, valkey):
    policy, quota = policy_for(server, per_second=0.5), Quota(valkey.url)
    assert quota.standing(policy).wait_s == 0
    assert quota.standing(policy).stopped_at is None

    quota.take(policy, most_s=60)
    before = quota.standing(policy)
    quota.pause(policy, 30)
    quota.spend(policy, 600)

    stood = Quota(valkey.url).standing(policy)  # as another process sees it
    assert 0 < before.wait_s <= 2
    assert 25 < stood.paused_s <= 30
    assert 590 < stood.spent_s <= 600
    assert abs(stood.stopped_at - time.time()) < 60
    assert Quota("").standing(policy) is None
