"""Killing processes of an installation with SIGKILL, and knowing what they were at."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import psutil

from benchmarks.faults.apps import POINTS, STAGE_OF
from benchmarks.installation import Installation
from flux_site.runtime.state import StateFolder

STAGES = tuple(POINTS)
READER = "reading process"  # the child of worker-bulk, which does the work
# Who is killed from outside, and how often in comparison.
VICTIMS = {
    READER: 6,
    "worker-bulk": 2,
    "worker-research": 2,
    "worker-interactive": 1,
    "beat": 2,
    "postgres": 2,
    "lexical": 1,
}
CALLS = {"fetch": 1, "store": 4, "link": 12, "embed": 12}  # at most so many calls until it dies
AIM_S = 6.0  # then another point is aimed at


class Killer:
    """Chooses by a seed whom to kill and when; `tally` counts (who, stage at that moment)."""

    def __init__(self, made: Installation, chance: random.Random) -> None:
        self.made, self.chance = made, chance
        self.marks = Path(made.state, "run", "marks")
        self.tally: Counter[tuple[str, str]] = Counter()
        self._orders = 0

    @property
    def kills(self) -> int:
        """How many so far."""
        return self.tally.total()

    def from_outside(self) -> bool:
        """Kill a process now, whatever it is at; False when it is not there."""
        who = self.chance.choices(list(VICTIMS), list(VICTIMS.values()))[0]
        pid = self._pid("worker-bulk" if who == READER else who)
        if pid and who == READER:
            pid = next((child.pid for child in _children(pid)), None)
        if not pid:
            return False
        stage = self._stage(who)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        self.tally[who, stage] += 1
        return True

    def at_a_point(self) -> bool:
        """Have the process that comes to some call of some function kill itself there; False when
        none comes. Half the time the stage that has been hit least is aimed at.
        """
        hit: Counter[str] = Counter()
        for (_, stage), n in self.tally.items():
            hit[stage] += n
        least = min(STAGES, key=lambda one: (hit[one], self.chance.random()))
        return self.falls(self.aim(least if self.chance.random() < 0.5 else None))

    def aim(self, stage: str | None) -> str:
        """Give the order to die at a call in the stage, any one without; the function."""
        stage = stage or self.chance.choice(STAGES)
        point = self.chance.choice(POINTS[stage])
        calls = self.chance.randint(1, CALLS.get(stage, 30))
        self._orders += 1
        (self.marks / "fired").unlink(missing_ok=True)
        draft = self.marks / "draft"
        draft.write_text(f"{point} {calls} {self._orders}")
        draft.rename(self.marks / "armed")
        return point

    def falls(self, point: str) -> bool:
        """Wait until the order is obeyed; False when nobody came there in time."""
        until = time.monotonic() + AIM_S
        while time.monotonic() < until and not (self.marks / "fired").exists():
            time.sleep(0.02)
        (self.marks / "armed").unlink(missing_ok=True)
        has_fallen = (self.marks / "fired").exists()
        if has_fallen:
            self.tally[f"at a call in {point.rpartition('.')[2]}", STAGE_OF[point]] += 1
        return has_fallen

    def _pid(self, part: str) -> int | None:
        status = json.loads(StateFolder(self.made.state).status_file.read_text())
        alive = {one["name"]: one["pid"] for one in status["parts"] if one["state"] == "ready"}
        return alive.get(part)

    def _stage(self, who: str) -> str:
        """What is under way: in the fetching worker where that is the victim, else in the reader.

        The reader's stage is told for the others too: it is what they interrupt, or do not.
        """
        part = self._pid("worker-research" if who == "worker-research" else "worker-bulk")
        if not part:
            return "–"
        pids = [part, *(child.pid for child in _children(part))]
        stages = [path.read_text() for pid in pids if (path := self.marks / str(pid)).exists()]
        return next(filter(None, stages), "–")


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children()
    except psutil.NoSuchProcess:
        return []
