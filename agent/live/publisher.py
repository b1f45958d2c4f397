"""Wakes the streams of a process when their runs have something new.

One Redis subscription serves all streams of a process. A hint may be lost, and Redis may be down:
every stream also looks by itself, often while Redis is away and seldom while it is there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from agent.services.log import CHANNEL

log = structlog.get_logger(__name__)
POLL_WITH_HINTS_S = 2.0
POLL_ALONE_S = 0.4
RETRY_S = 1.0
LISTEN_S = 5.0  # then the listener looks whether anyone still waits


class Publisher:
    """The hints of one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[UUID, set[asyncio.Event]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self.connected = False

    @contextlib.contextmanager
    def hints(self, run: UUID) -> Iterator[asyncio.Event]:
        """An event that is set whenever the run may have something new."""
        event = asyncio.Event()
        self._waiting[run].add(event)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen(), name="run-hints")
        try:
            yield event
        finally:
            self._waiting[run].discard(event)
            if not self._waiting[run]:
                del self._waiting[run]
            if not self._waiting:
                self._task.cancel()
                self.connected = False

    def poll_s(self) -> float:
        """How long to wait for a hint before looking anyway."""
        return POLL_WITH_HINTS_S if self.connected else POLL_ALONE_S

    async def _listen(self) -> None:
        while self._is_wanted():
            try:
                await self._subscribe()
            except (RedisError, OSError) as error:
                log.warning("hints.down", error=str(error))
            self.connected = False
            await asyncio.sleep(RETRY_S)

    def _is_wanted(self) -> bool:
        """Whether anyone waits and nobody has ended the task: a client that is being closed may
        swallow a cancellation, but the task still counts it.
        """
        task = asyncio.current_task()
        return bool(self._waiting) and not (task and task.cancelling())

    async def _subscribe(self) -> None:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL, health_check_interval=10)
        async with client, client.pubsub() as subscription:
            await subscription.subscribe(CHANNEL)
            self.connected = True
            self._wake_all()  # something may have happened before we listened
            while self._is_wanted():
                message = await subscription.get_message(
                    ignore_subscribe_messages=True, timeout=LISTEN_S
                )
                if message is not None:
                    self._wake(message["data"])

    def _wake(self, data: bytes) -> None:
        with contextlib.suppress(ValueError):
            for event in self._waiting.get(UUID(data.decode()), ()):
                event.set()

    def _wake_all(self) -> None:
        for events in self._waiting.values():
            for event in events:
                event.set()


_publishers: dict[int, Publisher] = {}


def publisher() -> Publisher:
    """The publisher of the running event loop."""
    loop = id(asyncio.get_running_loop())
    if loop not in _publishers:
        _publishers[loop] = Publisher()
    return _publishers[loop]
