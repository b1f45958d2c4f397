"""How often an upstream may be asked, by all workers together.

The generic cell rate algorithm in one script of Redis, on Redis's own clock: a caller takes the
next free slot and is told how long to wait for it, so slots are handed out in turn and nobody
polls. A pause that the upstream asked for, and the end of a used-up quota, are keys that all see.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from flux_site.kernel.http.policy import Policy

log = structlog.get_logger(__name__)

DOWN_S: Final = 5.0  # how long Redis is left alone after it failed
LONGEST_S: Final = 2 * 24 * 3600.0  # no upstream stops us for longer at a time
REMEMBERED_MS: Final = 7 * 24 * 3600 * 1000  # that an upstream stopped us
_MICRO: Final = 1_000_000

# Numbers are written with string.format: tostring() of Lua keeps 14 digits, microseconds need 16.
_TAKE: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local spent = tonumber(redis.call('GET', KEYS[3]) or '0')
if spent > now then return {'spent', spent - now} end
local paused = tonumber(redis.call('GET', KEYS[2]) or '0')
if paused > now then return {'paused', paused - now} end
local interval, burst, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = math.max(0, due - (burst - 1) * interval - now)
if wait > most then return {'busy', wait} end
local after = due + interval
redis.call('SET', KEYS[1], string.format('%.0f', after),
    'PX', string.format('%.0f', math.ceil((after - now) / 1000) + 1000))
return {'go', wait}
"""
_HOLD: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local ends = now + tonumber(ARGV[1])
if ends > tonumber(redis.call('GET', KEYS[1]) or '0') then
    redis.call('SET', KEYS[1], string.format('%.0f', ends),
        'PX', string.format('%.0f', math.ceil(tonumber(ARGV[1]) / 1000) + 1000))
end
redis.call('SET', KEYS[2], string.format('%.0f', now), 'PX', ARGV[2])
return 0
"""

Kind = Literal["go", "busy", "paused", "spent"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How an upstream may be asked right now, by all workers together: seconds until the next turn,
    until a pause that it asked for ends, until its used-up quota renews; and the Unix time of the
    last time that it stopped us, None when it has not for a week.
    """

    wait_s: float
    paused_s: float
    spent_s: float
    stopped_at: float | None


@dataclass(frozen=True, slots=True)
class Turn:
    """`go`: send after `wait_s`. Otherwise no slot was taken; asking again pays after `wait_s`."""

    kind: Kind
    wait_s: float


class Quota:
    """Turns for all upstreams. Without Redis each process keeps to its share of every rate."""

    def __init__(self, redis_url: str = "") -> None:
        self._redis = _connect(redis_url) if redis_url else None
        self._alone = _Alone()
        self._down_until = 0.0
        if self._redis is not None:
            self._take = self._redis.register_script(_TAKE)
            self._hold = self._redis.register_script(_HOLD)

    def take(self, policy: Policy, *, most_s: float) -> Turn:
        """The next turn at an upstream; one that is more than `most_s` away is not taken."""
        held = self._alone.held(policy.name)
        if held is not None:
            return held
        interval = math.ceil(_MICRO / policy.per_second)
        most = max(0, int(min(most_s, LONGEST_S) * _MICRO))
        found = self._ask(
            lambda: self._take(keys=_keys(policy), args=[interval, policy.burst, most])
        )
        if found is None:
            return self._alone.take(policy, most_s)
        return Turn(cast(Kind, found[0].decode()), found[1] / _MICRO)

    def pause(self, policy: Policy, seconds: float) -> None:
        """Stop all workers at an upstream for so long."""
        self._stop(policy, seconds, "paused")

    def spend(self, policy: Policy, seconds: float) -> None:
        """Say that an upstream's quota is used up for so long."""
        self._stop(policy, seconds, "spent")

    def is_held(self, policy: Policy) -> bool:
        """Whether a pause or a used-up quota holds right now."""
        if self._alone.held(policy.name) is not None:
            return True
        client = self._redis
        if client is None:
            return False
        return bool(self._ask(lambda: self._count_held(client, policy)))

    def standing(self, policy: Policy) -> Standing | None:
        """How it stands; None while Redis is away, since each process then counts for itself."""
        client = self._redis
        return None if client is None else self._ask(lambda: self._standing(client, policy))

    def _standing(self, client: redis.Redis, policy: Policy) -> Standing:
        seconds, micros = client.time()
        now = seconds * _MICRO + micros
        stored = cast(list[bytes | None], client.mget([*_keys(policy), _stopped(policy)]))
        due, paused, spent = (max(0, int(end or 0) - now) / _MICRO for end in stored[:3])
        wait = max(0.0, due - (policy.burst - 1) / policy.per_second)
        at = int(stored[3]) / _MICRO if stored[3] else None
        return Standing(wait, paused, spent, at)

    def _count_held(self, client: redis.Redis, policy: Policy) -> int:
        seconds, micros = client.time()
        ends = cast(list[bytes | None], client.mget(_keys(policy)[1:]))
        return sum(int(end or 0) > seconds * _MICRO + micros for end in ends)

    def _stop(self, policy: Policy, seconds: float, kind: Kind) -> None:
        seconds = min(max(seconds, 0.0), LONGEST_S)
        self._alone.hold(policy.name, kind, seconds)
        key = _keys(policy)[1 if kind == "paused" else 2]
        self._ask(
            lambda: self._hold(
                keys=[key, _stopped(policy)], args=[int(seconds * _MICRO), REMEMBERED_MS]
            )
        )

    def _ask(self, call: Any) -> Any:
        """What Redis says; None when it is away."""
        if self._redis is None or time.monotonic() < self._down_until:
            return None
        try:
            return call()
        except (redis.RedisError, OSError) as error:
            self._down_until = time.monotonic() + DOWN_S
            log.warning("http.quota_alone", error=type(error).__name__)
            return None


def _connect(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=0.5,
        socket_timeout=1.0,
        health_check_interval=30,
        retry=Retry(NoBackoff(), 1),  # once more over a new connection: the server was restarted
    )


def _keys(policy: Policy) -> list[str]:
    return [f"flux:http:{{{policy.name}}}:{kind}" for kind in ("due", "paused", "spent")]


def _stopped(policy: Policy) -> str:
    """When the upstream stopped us last."""
    return f"flux:http:{{{policy.name}}}:stopped"


class _Alone:
    """The same algorithm inside one process, for the time that Redis is away."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: dict[str, float] = {}
        self._ends: dict[tuple[str, Kind], float] = {}

    def held(self, name: str) -> Turn | None:
        now = time.monotonic()
        kinds: tuple[Kind, ...] = ("spent", "paused")
        for kind in kinds:
            left = self._ends.get((name, kind), 0.0) - now
            if left > 0:
                return Turn(kind, left)
        return None

    def hold(self, name: str, kind: Kind, seconds: float) -> None:
        with self._lock:
            ends = time.monotonic() + seconds
            self._ends[name, kind] = max(ends, self._ends.get((name, kind), 0.0))

    def take(self, policy: Policy, most_s: float) -> Turn:
        interval = 1.0 / (policy.per_second * policy.alone_share)
        with self._lock:
            now = time.monotonic()
            due = max(self._due.get(policy.name, 0.0), now)
            wait = due - now
            if wait > most_s:
                return Turn("busy", wait)
            self._due[policy.name] = due + interval
            return Turn("go", wait)
