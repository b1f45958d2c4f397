"""Two ways to start a part: as a program of its own, or forked from the nursery."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from flux_site.runtime import logfiles, processes

NURSERY_LIMIT_S = 120.0


class LaunchFailed(OSError):
    """A process could not be started; the message says why."""


class Launched(Protocol):
    """A running process, as the runner sees it."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, signal: int, /) -> None: ...


@dataclass(frozen=True)
class Order:
    """What to start.

    command is a whole command line. output (None: the log) is a file for standard output alone.
    last_signal reaches the process when its parent is killed.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    folder: Path
    last_signal: signal.Signals = signal.SIGTERM
    output: Path | None = None
    handed_down: tuple[int, ...] = ()
    spawn_options: Mapping[str, Any] | None = None


class Launcher(Protocol):
    """Starts processes."""

    async def launch(self, order: Order) -> Launched: ...


class Programs:
    """Starts each order as a new program."""

    async def launch(self, order: Order) -> Launched:
        log = logfiles.open_log(order.log)
        private = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        output = log if order.output is None else os.open(order.output, private, 0o600)
        try:
            return await asyncio.create_subprocess_exec(
                *order.command,
                env=order.environment,
                cwd=order.folder,
                stdin=DEVNULL,
                # Straight into the file: a part outlives a killed supervisor without a broken pipe.
                stdout=output,
                stderr=log,
                # A session of its own, so that Ctrl-C at the terminal reaches only the supervisor.
                start_new_session=True,
                preexec_fn=processes.die_with_parent(order.last_signal),
                pass_fds=order.handed_down,
                **(order.spawn_options or {}),
            )
        finally:
            for descriptor in {log, output}:
                os.close(descriptor)


class Forked:
    """A child of the nursery."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def returncode(self) -> int | None:
        return self.ended.result() if self.ended.done() else None

    async def wait(self) -> int:
        return await asyncio.shield(self.ended)

    def send_signal(self, signal: int, /) -> None:
        if self.returncode is None:
            os.kill(self.pid, signal)

    def end(self, code: int) -> None:
        """Note the exit code, once."""
        if not self.ended.done():
            self.ended.set_result(code)


class Nursery:
    """Starts orders by a fork of a process that has imported the application.

    Descriptors in `handed_down` must be given to the constructor: only they pass. The process is
    started again when it was killed; its children do not outlive it.
    """

    def __init__(
        self,
        environment: Callable[[], Mapping[str, str]],
        log: Path,
        *,
        handed_down: tuple[int, ...] = (),
        modules: Sequence[str] = (),
    ) -> None:
        self._environment = environment
        self._used: Mapping[str, str] = {}
        self._log = log
        self._handed_down = handed_down
        self._modules = modules
        self._starting: asyncio.Task[None] | None = None
        self._process: Launched | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._children: dict[int, Forked] = {}
        self._awaited: dict[int, asyncio.Future[Forked]] = {}
        self._last_id = 0

    def begin(self) -> None:
        """Start importing now; `launch` waits for the end of it."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())

    async def launch(self, order: Order) -> Launched:
        self.begin()
        try:
            await asyncio.shield(self._starting or asyncio.sleep(0))
        except LaunchFailed:
            self._starting = None  # the next launch tries again
            raise
        if self._writer is None:
            raise LaunchFailed("the nursery has just ended")
        self._last_id += 1
        started: asyncio.Future[Forked] = asyncio.get_running_loop().create_future()
        self._awaited[self._last_id] = started
        self._writer.write(json.dumps(_request(self._last_id, order)).encode() + b"\n")
        return await started

    async def settle(self) -> None:
        """Start anew when the variables have changed since `begin` (a port was taken meanwhile)."""
        if self._used != self._environment():
            await self.close()
            self._starting = None
            self.begin()

    async def close(self) -> None:
        """End the process; its children must have ended before."""
        if self._starting is not None:
            self._starting.cancel()
        if self._writer is not None:
            self._writer.close()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)
            await self._process.wait()
        if self._reading is not None:
            self._reading.cancel()

    async def _start(self) -> None:
        self._used = dict(self._environment())
        ours, theirs = socket.socketpair()
        with theirs:
            call = [sys.executable, "-P", "-m", "flux_site.runtime.nursery", str(theirs.fileno())]
            order = Order(
                name="nursery",
                command=[*call, *self._modules],
                environment={**self._used, "FLUX_PART": "nursery"},
                log=self._log,
                folder=Path("/"),
                handed_down=(theirs.fileno(), *self._handed_down),
            )
            self._process = await Programs().launch(order)
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            first = await asyncio.wait_for(reader.readline(), NURSERY_LIMIT_S)
        except TimeoutError:
            first = b""
        if not first:
            writer.close()
            raise LaunchFailed(f"the application cannot be imported; the log is {self._log}")
        self._writer = writer
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Take in what the nursery tells, until it ends."""
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                event = json.loads(line)
                if event["event"] == "started":
                    child = self._children[event["pid"]] = Forked(event["pid"])
                    self._awaited.pop(event["id"]).set_result(child)
                elif event["pid"] in self._children:
                    self._children.pop(event["pid"]).end(event["code"])
        self._lose()

    def _lose(self) -> None:
        """The nursery was killed: so are its children; the next launch starts another."""
        self._writer, self._starting = None, None
        for child in self._children.values():
            processes.end_group(child.pid)
            child.end(-signal.SIGKILL)
        self._children.clear()
        for started in self._awaited.values():
            started.set_exception(LaunchFailed("the nursery has ended"))
        self._awaited.clear()


def _request(number: int, order: Order) -> dict[str, Any]:
    """An order in the nursery's words: the command line without its interpreter."""
    arguments = list(order.command[1:])
    if arguments[0] == "-P":
        del arguments[0]
    return {
        "id": number,
        "name": order.name,
        "arguments": arguments,
        "environment": dict(order.environment),
        "log": str(order.log),
        "output": str(order.output) if order.output else None,
        "folder": str(order.folder),
        "last_signal": int(order.last_signal),
    }
