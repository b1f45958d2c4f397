"""What runs, asked from outside the supervisor; and how to end it, also when it is dead."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from flux_site.runtime import lock
from flux_site.runtime.state import Installation, StateFolder

STOP_LIMIT_S = 150.0  # longer than all graces of the parts together
STOPPED: dict[str, Any] = {"state": "stopped", "url": None, "parts": []}


def look(folder: StateFolder) -> dict[str, Any]:
    """`{"state", "url", "parts": [{"name", "pid", "state", "restarts", "last_end"}]}`, asked of the
    parts now; `last_end` says why one was started again.

    The supervisor's own word is not enough: a part that it holds for ready is asked again.
    """
    if not lock.is_held(folder):
        return dict(STOPPED)
    try:
        status: dict[str, Any] = json.loads(folder.status_file.read_text())
        for one in status["parts"]:
            one.setdefault("last_end", "")  # a supervisor of an earlier version tells none
        installation = Installation.load(folder)
    except (OSError, ValueError):
        return {"state": "starting", "url": None, "parts": []}
    if status["state"] == "ready" and not _all_answer(status["parts"], installation):
        status["state"] = "starting"
    return status


def _all_answer(listed: list[dict[str, Any]], installation: Installation) -> bool:
    """Ask each part; those that do not answer are marked as starting in the list."""
    from flux_site.runtime import parts, postgres, processes, valkey

    asked: dict[str, Callable[[], bool]] = {
        "postgres": lambda: postgres.answers(installation.database_url),
        "valkey": lambda: valkey.answers(installation.redis_url),
        "web": lambda: parts.web_answers(installation.web_port),
    }
    for one in listed:
        answers = asked.pop(one["name"], None)
        if not processes.is_running(one["pid"]) or (answers is not None and not answers()):
            one["state"] = "starting"
    # What is left in `asked` is no part of ours: the operator's own database or Valkey.
    own_are_ready = all(one["state"] == "ready" for one in listed)
    return own_are_ready and all(answers() for answers in asked.values())


def wait_until_ready(folder: StateFolder, limit_s: float) -> dict[str, Any]:
    """Look until everything is ready, nothing runs any more, or the time is over."""
    deadline = time.monotonic() + limit_s
    while True:
        status = look(folder)
        if status["state"] != "starting" or time.monotonic() > deadline:
            return status
        time.sleep(0.2)


def stop(folder: StateFolder, say: Callable[[str], None]) -> bool:
    """End the supervisor and everything it or an earlier one left; true when nothing is left."""
    from flux_site.runtime import parts, postgres, processes

    pid = lock.holder(folder)
    if lock.is_held(folder) and pid is not None:
        say(f"stopping (process {pid})")
        _signal(pid, signal.SIGTERM)
        if not _wait_for_release(folder, STOP_LIMIT_S):
            say("the supervisor does not end by itself: killing it")
            _signal(pid, signal.SIGKILL)
            _wait_for_release(folder, 5.0)
    for line in parts.sweep(folder):
        say(line)
    left = processes.of_installation(folder.path)
    is_served = postgres.postmaster_pid(folder.pgdata) is not None and bool(
        processes.in_folder(folder.pgdata)
    )
    return not left and not is_served and not lock.is_held(folder)


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _wait_for_release(folder: StateFolder, limit_s: float) -> bool:
    deadline = time.monotonic() + limit_s
    while lock.is_held(folder):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
