"""A supervisor under test: small real processes as parts, and a reporter that keeps notes."""

import asyncio
import json
import signal
import sys
from contextlib import suppress

from flux_site.runtime.parts import Part
from flux_site.runtime.state import ROOT, StateFolder
from flux_site.runtime.supervisor import Plan, Preparation, Supervisor

# Notes its life in $JOURNAL, says that it is ready, and ends on SIGTERM.
WELL_BEHAVED = """
import os, signal, sys, time
from flux_site.runtime.state import mark_ready
name = os.environ["FLUX_PART"]
def note(what):
    with open(os.environ["JOURNAL"], "a") as file:
        file.write(f"{name} {what}\\n")
def end(*_):
    note("ends")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
note("starts")
mark_ready()
signal.pause()
"""


class Notes:
    """A reporter that keeps what it is told."""

    def __init__(self):
        self.lines, self.facts, self.failure = [], None, None
        self.is_ready = asyncio.Event()

    def say(self, text):
        self.lines.append(text)

    def ready(self, facts):
        self.facts = facts
        self.is_ready.set()

    def failed(self, message, log):
        self.failure = (message, log)


def make_folder(path):
    """A state folder with all that belongs into it."""
    made = StateFolder(path)
    made.make()
    return made


def make_part(folder, name, script=WELL_BEHAVED, **options):
    """A part that runs a small script."""
    variables = {
        "PYTHONPATH": str(ROOT),
        "JOURNAL": str(folder.path / "journal"),
        "FLUX_PART": name,
        "FLUX_STATE": str(folder.path),
    }
    return Part(
        name=name,
        command=lambda: [sys.executable, "-S", "-c", script],
        answers=folder.ready_file(name).exists,
        environment=variables,
        **{"stop": ((signal.SIGTERM, 5.0),), **options},
    )


def preparation(script: str) -> Preparation:
    return Preparation((sys.executable, "-S", "-c", script), {"PYTHONPATH": str(ROOT)})


def plan(servers=(), application=(), prepare=None, nursery=None):
    return Plan("http://there", servers, lambda: prepare, lambda: application, nursery)


def journal(folder):
    return (folder.path / "journal").read_text().splitlines()


def status(folder):
    return json.loads(folder.status_file.read_text())


def of_part(folder, name):
    return next(one for one in status(folder)["parts"] if one["name"] == name)


async def until(condition):
    """Wait for what a process is about to do; pytest's time limit ends a wait in vain."""
    while True:
        with suppress(OSError, ValueError, StopIteration):
            if condition():
                return
        await asyncio.sleep(0.01)


class Running:
    """A supervisor at work inside a test: ready on entry, stopped on exit."""

    def __init__(self, wanted, folder):
        self.notes = Notes()
        self.supervisor = Supervisor(wanted, folder, self.notes)

    async def __aenter__(self):
        self.task = asyncio.create_task(self.supervisor.run())
        await self.notes.is_ready.wait()
        return self

    async def __aexit__(self, *_):
        self.supervisor.stop()
        self.code = await self.task
