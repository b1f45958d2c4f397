"""What the readers of open streams may see, looked up again every three seconds for all at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import DatabaseError
from django.db.models import BigIntegerField, Value
from django.db.models.query import QuerySet

from accounts.models import User
from accounts.services.credentials import Credential, good
from agent.live.database import in_database
from agent.models import Run
from corpus.models import Corpus

log = structlog.get_logger(__name__)
EVERY_S = 3.0
AT_ONCE = 60  # readers in one statement


@dataclass(slots=True, eq=False)
class Reading:
    """One open stream: who reads which run, what they came in with, and what they may see as of the
    last look.
    """

    user: int
    run: int
    credential: Credential
    readable: frozenset[int]
    allowed: bool = True


Sight = tuple[dict[int, frozenset[int]], set[tuple[int, int]]]


def sight(pairs: Iterable[tuple[int, int]]) -> Sight:
    """For (user, run) pairs: the corpora that each user may read, and the pairs that are allowed.

    Two statements for up to AT_ONCE readers, made of the same querysets that decide everywhere.
    """
    wanted: dict[int, set[int]] = {}
    for reader, run in pairs:
        wanted.setdefault(reader, set()).add(run)
    users = list(User.objects.filter(pk__in=wanted, is_active=True))
    corpora: dict[int, frozenset[int]] = {}
    allowed: set[tuple[int, int]] = set()
    for start in range(0, len(users), AT_ONCE):
        some = users[start : start + AT_ONCE]
        found = _tagged([(user.pk, Corpus.objects.readable_by(user)) for user in some])
        for user in some:
            corpora[user.pk] = frozenset(pk for whose, pk in found if whose == user.pk)
        seen = [(u.pk, Run.objects.visible_to(u).filter(pk__in=wanted[u.pk])) for u in some]
        allowed |= set(_tagged(seen))
    return corpora, allowed


def _look(
    readings: Sequence[Reading],
) -> tuple[dict[int, frozenset[int]], set[tuple[int, int]], set[Credential]]:
    """What the readers may see, and which of their credentials are still good."""
    corpora, allowed = sight({(reading.user, reading.run) for reading in readings})
    return corpora, allowed, good({reading.credential for reading in readings})


def _tagged(parts: Sequence[tuple[int, QuerySet[Any]]]) -> list[tuple[int, int]]:
    """(reader, id) of several querysets in one statement."""
    rows = [
        query.order_by().annotate(reader=Value(user, BigIntegerField())).values_list("reader", "pk")
        for user, query in parts
    ]
    if not rows:
        return []
    return list(rows[0].union(*rows[1:], all=True)) if len(rows) > 1 else list(rows[0])


class Readers:
    """The open streams of one event loop, and the sweep over them."""

    def __init__(self) -> None:
        self._open: set[Reading] = set()
        self._task: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def watch(self, reading: Reading) -> Iterator[None]:
        """Keep a stream's permissions fresh while it is open."""
        self._open.add(reading)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._sweep(), name="reader-permissions")
        try:
            yield
        finally:
            self._open.discard(reading)
            if not self._open:
                self._task.cancel()

    async def _sweep(self) -> None:
        while self._open:
            await asyncio.sleep(EVERY_S)
            readings = list(self._open)
            try:
                corpora, allowed, let_in = await in_database(_look, readings)
            except DatabaseError as error:
                log.warning("permissions.database", error=str(error))
                continue  # nothing can be read from it either
            for reading in readings:
                reading.readable = corpora.get(reading.user, frozenset())
                seen = (reading.user, reading.run) in allowed
                reading.allowed = seen and reading.credential in let_in


_readers: dict[int, Readers] = {}


def readers() -> Readers:
    """The readers of the running event loop."""
    loop = id(asyncio.get_running_loop())
    if loop not in _readers:
        _readers[loop] = Readers()
    return _readers[loop]
