"""Following a run: what is stored, then what comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from uuid import UUID

from accounts.models import User
from accounts.services.credentials import Credential
from agent.live.database import in_database
from agent.live.publisher import publisher
from agent.live.readers import Reading, readers
from agent.models import Run
from agent.services import runs
from agent.types import VisibleEvent
from flux_site.kernel.sse import HEARTBEAT_S

BATCH = 200


async def follow(
    run: Run,
    reader: User,
    credential: Credential,
    *,
    after: int = 0,
    heartbeat_s: float = HEARTBEAT_S,
) -> AsyncIterator[VisibleEvent | None]:
    """Events of a run after number `after`, as they come; None when nothing came for a while.

    Ends after the last event of the run, or when the reader may not see the run any more or the
    token or session they came in with has ended. Holds no database connection while it waits.
    """
    readable = await in_database(runs.readable_in, run, reader)
    reading = Reading(reader.pk, run.pk, credential, readable)
    hints = publisher()
    loop = asyncio.get_running_loop()
    spoke = loop.time()
    with hints.hints(run.public_id) as news, readers().watch(reading):
        while reading.allowed:
            news.clear()
            events, last, ended = await in_database(_look, run, reading.readable, after)
            for event in events:
                yield event
                spoke = loop.time()
            more = last > after
            after = last
            if ended and not more:
                return
            if more:
                continue
            if loop.time() - spoke >= heartbeat_s:
                yield None
                spoke = loop.time()
            wait = min(hints.poll_s(), max(0.05, spoke + heartbeat_s - loop.time()))
            # Not wait_for: on Python 3.11 it may swallow a cancellation that comes with the news.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await news.wait()


def _look(run: Run, readable: frozenset[int], after: int) -> tuple[list[VisibleEvent], int, bool]:
    """New events, the last number looked at, and whether the run had ended before the look."""
    status = Run.objects.filter(pk=run.pk).values_list("status", flat=True).first()
    events, last = runs.events_for(run, readable, after=after, limit=BATCH)
    return events, last, status is None or status in Run.ENDED


def run_of(public_id: UUID, reader: User) -> Run:
    """The run, for a reader who may see it. Raises NotFound."""
    return runs.find(public_id, reader)
