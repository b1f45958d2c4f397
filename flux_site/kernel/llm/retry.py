"""Trying a model call again, inside the time that is left."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flux_site.kernel.llm.base import CallCancelled, ModelCallFailed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait between tries: doubling from `first_s` to `most_s`, each with full jitter
    above a half.
    """

    first_s: float = 0.5
    most_s: float = 8.0
    tries: int = 4

    def pause_s(self, attempt: int, asked_s: float | None, chance: float) -> float:
        """Seconds before try `attempt` + 1 (attempt from 1); the endpoint's own wish is the
        least.
        """
        doubled = min(self.most_s, self.first_s * 2.0 ** (attempt - 1))
        return max(asked_s or 0.0, doubled * (0.5 + chance / 2))


def with_retries(
    call: Callable[[float], T],
    *,
    deadline: float,
    cancel: threading.Event | None = None,
    patience: Patience | None = None,
) -> T:
    """Run `call(seconds left)` until it succeeds, cannot succeed, or the time is up.

    `deadline` is a time.monotonic() value. A pause that would pass it is not begun: the last error
    is raised at once. Raises ModelCallFailed or CallCancelled.
    """
    patience = patience or Patience()
    waiter = cancel or threading.Event()
    for attempt in range(1, patience.tries + 1):
        left = deadline - time.monotonic()
        if left <= 0:
            raise ModelCallFailed("No time is left for a model call.", outcome="not_happened")
        try:
            return call(left)
        except ModelCallFailed as failed:
            chance = random.random()
            pause = patience.pause_s(attempt, failed.retry_after_s, chance)
            too_late = time.monotonic() + pause >= deadline
            if not failed.again or attempt == patience.tries or too_late:
                raise
        if waiter.wait(pause):
            raise CallCancelled("The run was stopped.")
    raise AssertionError("the last try returns or raises")
