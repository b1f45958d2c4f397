"""Keep one part alive: start it, wait until it answers, start it again when it ends, stop it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from flux_site.runtime import processes
from flux_site.runtime.launchers import Launched, Launcher, Order
from flux_site.runtime.parts import Part
from flux_site.runtime.state import StateFolder

FIRST_DELAY_S, LONGEST_DELAY_S = 0.5, 15.0
HANGS = "does not answer any more"
SETTLED_S = 30.0  # after so long a life the next crash counts as the first
PROBE_AFTER_S, PROBE_EVERY_S = 0.05, 0.5  # first and longest pause between two questions


class PartState(StrEnum):
    """What the status shows of a part."""

    STARTING = "starting"
    READY = "ready"
    STOPPED = "stopped"


class Runner:
    """One part under supervision.

    `changed` is called after each change of pid, state or restarts; `say` takes lines for people.
    """

    def __init__(
        self,
        part: Part,
        folder: StateFolder,
        *,
        launcher: Launcher,
        changed: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self.part = part
        self.folder = folder
        self.pid: int | None = None
        self.state = PartState.STOPPED
        self.restarts = 0
        self.last_end = ""  # how the last life ended, where there was one before this
        self.is_up = asyncio.Event()  # has answered once
        self.has_given_up = asyncio.Event()  # could not be started at all
        self._launcher = launcher
        self._changed = changed
        self._say = say
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to keep the part alive."""
        self._task = asyncio.create_task(self._keep_alive(), name=self.part.name)

    async def stop(self) -> None:
        """End the part for good, by its own signals; returns when it is gone."""
        self._stopping.set()
        if self._task is not None:
            await self._task

    async def _keep_alive(self) -> None:
        delay_s, failures = FIRST_DELAY_S, 0
        while not self._stopping.is_set():
            started = time.monotonic()
            ended = await self._live_once()
            if self._stopping.is_set():
                break
            if not self.is_up.is_set():
                failures += 1
                if failures >= self.part.attempts:
                    self._say(f"{self.part.name}: {ended}; giving up")
                    self.has_given_up.set()
                    break
            self.last_end = ended
            has_settled = time.monotonic() - started > SETTLED_S and ended != HANGS
            delay_s = FIRST_DELAY_S if has_settled else delay_s
            self._say(f"{self.part.name}: {ended}; starting it again in {delay_s:.1f} s")
            await self._pause(delay_s)
            delay_s = min(delay_s * 2, LONGEST_DELAY_S)
            self.restarts += 1
        self._set(PartState.STOPPED, pid=None)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _live_once(self) -> str:
        """One life of the process, from its start to its end; returns how it ended."""
        try:
            process = await self._spawn()
        except (OSError, ValueError) as refusal:
            return f"cannot be started: {refusal}"
        ended = asyncio.create_task(process.wait())
        stopping = asyncio.create_task(self._stopping.wait())
        how = ""
        try:
            if await self._answers_in_time(ended, stopping):
                self.is_up.set()
                self._set(PartState.READY, pid=process.pid)
                if await self._hangs_before(ended, stopping):
                    how = HANGS
            elif not ended.done() and not stopping.done():
                how = f"did not answer within {self.part.start_limit_s:.0f} s"
            if not ended.done():
                await self._terminate(process, ended)
        finally:
            stopping.cancel()
        self._clean_up(process)
        return how or describe_exit(process.returncode)

    async def _spawn(self) -> Launched:
        self.folder.ready_file(self.part.name).unlink(missing_ok=True)
        self.part.before_start()
        process = await self._launcher.launch(
            Order(
                name=self.part.name,
                command=self.part.command(),
                environment=self.part.environment,
                log=self.folder.log_file(self.part.name),
                folder=self.part.folder,
                last_signal=self.part.stop[0][0],
                handed_down=self.part.handed_down,
                spawn_options=self.part.spawn_options,
            )
        )
        self._set(PartState.STARTING, pid=process.pid)
        return process

    async def _answers_in_time(self, ended: asyncio.Task[int], stopping: asyncio.Task[Any]) -> bool:
        deadline = time.monotonic() + self.part.start_limit_s
        pause_s = PROBE_AFTER_S
        while time.monotonic() < deadline:
            if await asyncio.to_thread(self.part.answers):
                return not ended.done()
            await asyncio.wait(
                {ended, stopping}, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED
            )
            pause_s = min(pause_s * 1.2, PROBE_EVERY_S)
            if ended.done() or stopping.done():
                return False
        return False

    async def _hangs_before(self, ended: asyncio.Task[int], stopping: asyncio.Task[Any]) -> bool:
        """Wait for the end of the process or of the supervision; true when it hung before."""
        hanging = asyncio.create_task(self._silence())
        try:
            await asyncio.wait({ended, stopping, hanging}, return_when=asyncio.FIRST_COMPLETED)
            return hanging.done() and not ended.done() and not stopping.done()
        finally:
            hanging.cancel()

    async def _silence(self) -> None:
        """Ask the part now and then; returns when it was silent too often in a row."""
        watch = self.part.watch
        if watch is None:
            await asyncio.Event().wait()
            return
        silences = 0
        while silences < watch.silences:
            await asyncio.sleep(watch.every_s)
            silences = silences + 1 if await watch.is_silent() else 0
            if silences:
                self._say(f"{self.part.name}: silent, {silences} of {watch.silences}")

    async def _terminate(self, process: Launched, ended: asyncio.Task[int]) -> None:
        steps = self.part.stop
        if self.part.owns_group:
            steps = (*steps, (signal.SIGKILL, 5.0))
        for stop_signal, wait_s in steps:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(stop_signal)
                process.send_signal(signal.SIGCONT)  # one that was stopped hears it only then
            await asyncio.wait({ended}, timeout=wait_s)
            if ended.done():
                return
            self._say(f"{self.part.name}: {stop_signal.name} did not end it in {wait_s:.0f} s")
        await ended

    def _clean_up(self, process: Launched) -> None:
        if self.part.owns_group:
            processes.end_group(process.pid)  # children of a killed worker hold its tasks
        self.folder.ready_file(self.part.name).unlink(missing_ok=True)
        self._set(PartState.STARTING, pid=None)

    def _set(self, state: PartState, *, pid: int | None) -> None:
        if (state, pid) != (self.state, self.pid):
            self.state, self.pid = state, pid
            self._changed()


def describe_exit(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
