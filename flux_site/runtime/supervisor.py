"""Start the parts in order, keep them alive, stop them in order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from flux_site.runtime import logfiles, parts
from flux_site.runtime.launchers import Launched, Launcher, LaunchFailed, Nursery, Order, Programs
from flux_site.runtime.parts import Part
from flux_site.runtime.runner import PartState, Runner
from flux_site.runtime.state import StateFolder, write_whole

ALOUD_EVERY_S = 30.0


class StartFailed(Exception):
    """The installation could not be started. `log` is the tail of what the guilty part wrote."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.message, self.log = message, log


@dataclass(frozen=True)
class Preparation:
    """A process that must end well before the application starts: schema, first admin, encoder.

    The last line of its output is one JSON object.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Plan:
    """What to start: servers first, then the preparation, then the application at once.

    The later two are asked for when the servers are up, since only then their ports are sure. With
    a nursery the preparation and the application are forked from it.
    """

    url: str
    servers: Sequence[Part]
    preparation: Callable[[], Preparation | None]
    application: Callable[[], Sequence[Part]]
    nursery: Nursery | None = None


class Reporter(Protocol):
    """Where the supervisor tells what happens."""

    def say(self, text: str) -> None:
        """One line for people."""

    def ready(self, facts: Mapping[str, Any]) -> None:
        """Everything answers; facts come from the preparation."""

    def failed(self, message: str, log: str) -> None:
        """The start was given up."""


class Supervisor:
    """Runs a plan until it is told to stop."""

    def __init__(self, plan: Plan, folder: StateFolder, reporter: Reporter) -> None:
        self.plan = plan
        self.folder = folder
        self.reporter = reporter
        self.runners: list[Runner] = []
        self._stop = asyncio.Event()
        self._has_started = False

    async def run(self, when_ready: Callable[[], Awaitable[None]] | None = None) -> int:
        """Start, keep alive, stop; returns the exit code.

        `when_ready` runs once everything answers, and is cancelled by a stop.
        """
        self._listen_to_signals()
        self._write_status()
        try:
            if await self._unless_stopped(self._start()) and when_ready is not None:
                await self._unless_stopped(when_ready())
            await self._stop.wait()
        except StartFailed as failure:
            self.reporter.failed(failure.message, failure.log)
            return 1
        finally:
            await self._stop_all()
        return 0

    def stop(self) -> None:
        """Ask for the end; it comes in order."""
        if not self._stop.is_set():
            self.reporter.say("stopping")
        self._stop.set()

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.stop)

    async def _unless_stopped(self, work: Awaitable[None]) -> bool:
        """Do the work, give it up when a stop is asked for; true when it was done."""
        doing = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if doing.done():
            doing.result()
            return True
        doing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await doing
        return False

    async def _start(self) -> None:
        if self.plan.nursery is not None:
            self.plan.nursery.begin()  # it imports while the servers come up
        await self._bring_up(self.plan.servers)
        if self.plan.nursery is not None:
            await self.plan.nursery.settle()
        facts = await self._prepare()
        await self._bring_up(self.plan.application())
        self._has_started = True
        self._write_status()
        self.reporter.ready(facts)

    async def _bring_up(self, wanted: Sequence[Part]) -> None:
        """Start parts together and wait until each has answered once."""
        if not wanted:
            return
        self.reporter.say("starting " + ", ".join(part.name for part in wanted))
        runners = [
            Runner(
                part,
                self.folder,
                launcher=self._launcher(part.is_forked),
                changed=self._write_status,
                say=self.reporter.say,
            )
            for part in wanted
        ]
        self.runners += runners
        for runner in runners:
            runner.start()
        await asyncio.gather(*(self._first_answer(runner) for runner in runners))

    def _launcher(self, is_forked: bool) -> Launcher:
        return self.plan.nursery if is_forked and self.plan.nursery else Programs()

    async def _first_answer(self, runner: Runner) -> None:
        up = asyncio.ensure_future(runner.is_up.wait())
        lost = asyncio.ensure_future(runner.has_given_up.wait())
        try:
            await asyncio.wait({up, lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            up.cancel()
            lost.cancel()
        if runner.has_given_up.is_set():
            name = runner.part.name
            raise StartFailed(
                f"{name} does not start; its log is {self.folder.log_file(name)}",
                logfiles.tail(self.folder.log_file(name)),
            )

    async def _prepare(self) -> Mapping[str, Any]:
        preparation = self.plan.preparation()
        if preparation is None:
            return {}
        self.reporter.say("preparing database and models")
        output = await self._run_once("prepare", preparation)
        try:
            facts: Mapping[str, Any] = json.loads(output.strip().rsplit("\n", 1)[-1])
        except ValueError as error:
            raise StartFailed("prepare gave no JSON", output[-1500:]) from error
        return facts

    async def _run_once(self, name: str, what: Preparation) -> str:
        """Run a process to its end and return its standard output. Raises StartFailed."""
        log, output = self.folder.log_file(name), self.folder.run / f"{name}.out"
        order = Order(name, what.command, what.environment, log, self.folder.path, output=output)
        try:
            process = await self._launcher(is_forked=True).launch(order)
        except LaunchFailed as failure:
            tail = logfiles.tail(self.folder.log_file("nursery"))
            raise StartFailed(str(failure), tail) from None
        try:
            code = await self._wait_aloud(name, process)
            written = output.read_text(errors="replace")
        except asyncio.CancelledError:
            process.send_signal(signal.SIGTERM)
            await process.wait()
            raise
        finally:
            output.unlink(missing_ok=True)  # it may hold a password
        if code:
            tail = logfiles.tail(log) or written[-1500:]
            raise StartFailed(f"{name} failed; its log is {log}", tail)
        return written

    async def _wait_aloud(self, name: str, process: Launched) -> int:
        """Wait for the end without a limit (a migration may take its time), but not in silence."""
        ended = asyncio.ensure_future(process.wait())
        while not (await asyncio.wait({ended}, timeout=ALOUD_EVERY_S))[0]:
            self.reporter.say(f"{name} is still at work; its log is {self.folder.log_file(name)}")
        return ended.result()

    async def _stop_all(self) -> None:
        """Stop group after group; parts of one group end together."""
        ranked = sorted(self.runners, key=lambda runner: parts.stop_rank(runner.part.name))
        for _, group in groupby(ranked, key=lambda runner: parts.stop_rank(runner.part.name)):
            await asyncio.gather(*(runner.stop() for runner in group))
        if self.plan.nursery is not None:
            await self.plan.nursery.close()
        self.folder.status_file.unlink(missing_ok=True)

    def _write_status(self) -> None:
        write_status(
            self.folder.status_file,
            state=self._state(),
            url=self.plan.url,
            runners=self.runners,
        )

    def _state(self) -> str:
        if self._stop.is_set():
            return "stopped"
        all_ready = all(runner.state is PartState.READY for runner in self.runners)
        return "ready" if self._has_started and all_ready else "starting"


def write_status(path: Path, *, state: str, url: str, runners: Sequence[Runner]) -> None:
    """What the supervisor knows, for `bin/up --status`."""
    status = {
        "state": state,
        "url": url,
        "parts": [
            {
                "name": one.part.name,
                "pid": one.pid,
                "state": one.state,
                "restarts": one.restarts,
                "last_end": one.last_end,
            }
            for one in runners
        ],
    }
    write_whole(path, json.dumps(status))
