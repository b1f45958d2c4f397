"""One process that has imported the application and forks the parts that run it.

Importing Django, Celery and our own modules takes seconds of a core. Done once instead of in every
part, an installation is ready sooner, a part that has crashed is back at once, and the parts share
the memory of what was imported. The nursery opens no connection and starts no thread; models are
loaded by the parts, after the fork.

The supervisor talks to it in JSON lines over a socket, see `launchers`. It is used on Linux only:
elsewhere the system's own libraries do not allow work after a fork.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from flux_site.runtime import logfiles
from flux_site.runtime.processes import die_with_parent, name_process

APPLICATION = ("flux_site.asgi", "flux_site.celery", "uvicorn", "celery.bin.celery")


def main(arguments: Sequence[str]) -> None:
    """Import, then fork on demand: `nursery DESCRIPTOR [MODULE …]`."""
    control = socket.socket(fileno=int(arguments[0]))
    preload(arguments[1:] or APPLICATION)
    wakeup = _wake_on_child()
    gc.collect()
    gc.freeze()  # collections in the children then leave the shared pages alone
    control.sendall(b'{"event": "ready"}\n')
    request = _serve(control, wakeup)
    if request is not None:  # this is a child now
        control.close()
        _become(request)


def preload(modules: Sequence[str]) -> None:
    """Import modules and all that they would import at their first use."""
    for name in modules:
        module = import_module(name)
        if hasattr(module, "app"):
            module.app.loader.import_default_modules()
    if "django" in sys.modules:
        from django.apps import apps
        from django.urls import get_resolver

        if apps.ready:
            _ = get_resolver().url_patterns


def _wake_on_child() -> int:
    """A descriptor that becomes readable when a child ends."""
    reader, writer = os.pipe()
    for end in (reader, writer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reader


def _serve(control: socket.socket, wakeup: int) -> Mapping[str, Any] | None:
    """Fork for each request until the supervisor closes the socket.

    Returns None in the nursery at its end, and the request in each child.
    """
    parent = os.getpid()
    buffered = b""
    waited_for: list[socket.socket | int] = [control, wakeup]
    while True:
        readable, _, _ = select.select(waited_for, [], [])
        if wakeup in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(wakeup, 4096)
            _report_ended(control)
        if control not in readable:
            continue
        received = control.recv(1 << 16)
        if not received:
            return None
        *lines, buffered = (buffered + received).split(b"\n")
        for line in lines:
            request: dict[str, Any] = json.loads(line)
            pid = os.fork()
            if pid == 0:
                return request | {"parent": parent}
            control.sendall(_line(event="started", id=request["id"], pid=pid))


def _report_ended(control: socket.socket) -> None:
    """Reap every child that has ended and tell its exit code (negative: the signal)."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            control.sendall(_line(event="ended", pid=pid, code=os.waitstatus_to_exitcode(status)))


def _line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _become(request: Mapping[str, Any]) -> None:
    """Turn the fresh child into the part: session, signals, streams, variables, command line."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arrange = die_with_parent(signal.Signals(request["last_signal"]), parent=request["parent"])
    if arrange is not None:
        arrange()
    name_process(f"flux-{request['name']}")
    _redirect(request["log"], request["output"])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    run(request["arguments"])


def _redirect(log: str, output: str | None) -> None:
    """Standard input from nowhere; output and errors into the log, or output into a file."""
    descriptor = logfiles.open_log(Path(log))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(descriptor, 2)
    if output is None:
        os.dup2(descriptor, 1)
    else:
        written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(written, 1)
        os.close(written)
    os.close(nothing)
    os.close(descriptor)


def run(arguments: Sequence[str]) -> None:
    """What `python ARGUMENTS` would do: `-m MODULE …` or `FILE …`."""
    first, *rest = arguments
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(arguments)
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
