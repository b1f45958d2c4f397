"""One supervisor per state folder: the lock it holds while it lives, whatever ends it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from flux_site.runtime.state import StateFolder

PATIENCE_S = 1.0  # somebody who only looks holds the lock for a moment


class AlreadyRunning(Exception):
    """Another supervisor has the state folder; `pid` is its process."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(f"Flux is already running here (process {pid}).")
        self.pid = pid


@contextlib.contextmanager
def supervising(folder: StateFolder, *, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Hold the state folder. Raises AlreadyRunning when somebody else keeps it that long."""
    handle = os.open(folder.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + patience_s
        while not _try(handle, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise AlreadyRunning(holder(folder))
            time.sleep(0.05)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def is_held(folder: StateFolder) -> bool:
    """True while a supervisor lives."""
    try:
        handle = os.open(folder.lock_file, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return not _try(handle, fcntl.LOCK_SH)
    finally:
        os.close(handle)


def holder(folder: StateFolder) -> int | None:
    """The process that wrote itself into the lock; meaningful only while `is_held`."""
    try:
        return int(folder.lock_file.read_text())
    except (OSError, ValueError):
        return None


def _try(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
