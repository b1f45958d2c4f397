"""Database work of async code: a few threads of its own, so that open streams hold no
connections.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 6  # and as many connections, however many readers there are

_pool: ThreadPoolExecutor | None = None


async def in_database(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run blocking database work in one of the threads and give its result."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), functools.partial(_fresh, work, args, kwargs))


def close() -> None:
    """End the threads, and with them their connections; the next work makes new ones."""
    global _pool
    pool, _pool = _pool, None
    if pool is not None:
        pool.shutdown(wait=True)


def _threads() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(THREADS, thread_name_prefix="live-db")
    return _pool


def _fresh(work: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
    close_old_connections()  # one that the server has dropped is not used again
    try:
        return work(*args, **kwargs)
    finally:
        close_old_connections()
