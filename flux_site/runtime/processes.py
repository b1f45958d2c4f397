"""Processes seen from outside: who runs, who belongs to an installation, who dies with whom."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # linux/prctl.h


def is_linux() -> bool:
    """What the kernel offers to the supervisor of parts is more on Linux than elsewhere."""
    return sys.platform.startswith("linux")


def name_process(name: str) -> None:
    """Give this process a name for ps and top (15 bytes of it are kept)."""
    if is_linux():
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def die_with_parent(
    stop_signal: signal.Signals, *, parent: int | None = None
) -> Callable[[], None] | None:
    """A function for the new child: when its parent is killed, the child gets the signal.

    The parent is this process unless another is named. Linux only (None elsewhere); the sweep at
    the next start finds what stayed alive all the same.
    """
    if not is_linux():
        return None
    libc = ctypes.CDLL(None, use_errno=True)  # loaded before the fork
    parent = parent or os.getpid()

    def arrange() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != parent:  # it died in between
            os.kill(os.getpid(), stop_signal)

    return arrange


def is_running(pid: int | None) -> bool:
    """True for a process that still does something; a zombie does not, and None is nobody."""
    if pid is None:
        return False
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def in_folder(folder: Path) -> list[psutil.Process]:
    """Processes whose working folder this is: a PostgreSQL server and all its children."""
    target = os.path.realpath(folder)
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.status() != psutil.STATUS_ZOMBIE and process.cwd() == target:
                found.append(process)
    return found


def of_installation(state: Path) -> list[psutil.Process]:
    """Processes started as parts of the installation with this state folder, and their children."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            variables = process.environ()
            if "FLUX_PART" in variables and variables.get("FLUX_STATE") == str(state):
                found.append(process)
    return found


def end(
    processes: Iterable[psutil.Process], *steps: tuple[signal.Signals, float]
) -> list[psutil.Process]:
    """Send the signals in turn, each with its time in seconds; return who outlived all."""
    alive = list(processes)
    for stop_signal, wait_s in steps:
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.send_signal(stop_signal)
        alive = wait(alive, wait_s)
        if not alive:
            break
    return alive


def wait(processes: Iterable[psutil.Process], limit_s: float) -> list[psutil.Process]:
    """Wait for the end of processes that need not be our children; return those still there."""
    deadline = time.monotonic() + limit_s
    alive = [process for process in processes if is_running(process.pid)]
    while alive and time.monotonic() < deadline:
        time.sleep(0.05)
        alive = [process for process in alive if is_running(process.pid)]
    return alive


def end_group(leader: int, stop_signal: signal.Signals = signal.SIGKILL) -> None:
    """Signal what is left of a process group whose leader has ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, stop_signal)
