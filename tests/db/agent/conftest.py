"""Threads that outlive a test would keep its database open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.services import leases


@pytest.fixture(autouse=True)
def quiet_keeper() -> Iterator[None]:
    """The thread that renews leases ends by itself once there are none."""
    yield
    thread = leases.keeper._thread
    leases.keeper._held.clear()
    if thread is not None:
        thread.join(10)
