"""The one writer of a run's events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import redis
import structlog
from django.conf import settings
from django.db import transaction

from agent.models import Run, RunEvent
from agent.types import LeaseLost

log = structlog.get_logger(__name__)
CHANNEL = "flux.runs"  # carries ids of runs that have something new; a hint, never content
REDIS_TIMEOUT_S = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """An event to write: `corpora` are ids of the corpora whose content it carries."""

    kind: str
    payload: Mapping[str, Any]
    corpora: Collection[int] = ()


def append(run: int, entries: Sequence[Entry], *, token: int | None = None) -> int:
    """Write events in order and return the last number.

    The run's row is locked while the numbers are given. With `token`, raises LeaseLost when the run
    has been given to another worker, and writes nothing.
    """
    with transaction.atomic():
        row = (
            Run.objects.select_for_update().only("pk", "public_id", "last_seq", "token").get(pk=run)
        )
        if token is not None and row.token != token:
            raise LeaseLost("The run was given to another worker.")
        return write(row, entries)


def write(row: Run, entries: Sequence[Entry]) -> int:
    """The same for a caller that holds the run's lock, in its transaction."""
    first = row.last_seq + 1
    RunEvent.objects.bulk_create(
        RunEvent(
            run=row,
            seq=seq,
            kind=entry.kind,
            payload={"type": entry.kind} | dict(entry.payload),
            corpora=sorted(set(entry.corpora)),
        )
        for seq, entry in enumerate(entries, start=first)
    )
    row.last_seq = first + len(entries) - 1
    Run.objects.filter(pk=row.pk).update(last_seq=row.last_seq)
    public_id = row.public_id
    transaction.on_commit(lambda: hint(public_id))
    return row.last_seq


_client: redis.Redis | None = None


def _redis() -> redis.Redis:
    """One client a process; it gives up soon, since nothing here is worth waiting for."""
    global _client
    if _client is None:
        _client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=REDIS_TIMEOUT_S,
            socket_connect_timeout=REDIS_TIMEOUT_S,
        )
    return _client


def hint(run: UUID) -> None:
    """Tell open streams to look. Readers poll as well, so a hint may be lost."""
    try:
        _redis().publish(CHANNEL, str(run))
    except (redis.RedisError, OSError) as error:
        log.warning("run.hint_lost", run=str(run), error=str(error))


def redis_answers() -> bool:
    """Whether Redis is there now. Asked before the broker is, whose client would wait for
    seconds.
    """
    try:
        return bool(_redis().ping())
    except (redis.RedisError, OSError):
        return False
