"""Wraps the functions of each stage: they work as before, and a file tells that they are at it.

`$FLUX_STATE/run/marks/PID` holds the stage of a process. Whoever writes `armed` there, as
`FUNCTION CALLS NUMBER`, has the process that comes to that call kill itself with SIGKILL; it
renames the file to `fired` first.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.apps import AppConfig

POINTS = {
    "fetch": ("corpus.services.live.fetch_slice", "corpus.services.live._keep"),
    "parse": ("corpus.services.opening.records", "corpus.services.opening._isolated"),
    "normalise": ("corpus.services.reading._outcome", "corpus.services.reading._compared"),
    "chunk": ("corpus.chunking.chunk",),
    "store": (
        "corpus.services.store.swap_in_all",
        "corpus.services.store._chunks",
        "corpus.services.changes.note",
        "corpus.services.works.settle",
        "corpus.services.outcomes.write",
    ),
    "link": (
        "corpus.services.linking.link",
        "corpus.services.linking._stamp",
        "corpus.services.linking._replaced",
    ),
    "embed": (
        "corpus.services.embedding.embed_missing",
        "corpus.services.embedding.windows_of",
        "corpus.services.embedding._write",
    ),
}
STAGE_OF = {point: stage for stage, points in POINTS.items() for point in points}


class Marks:
    """The marks of one process; forked children make their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.stage, self.order, self.left = "", "", 0

    @contextmanager
    def at(self, stage: str) -> Iterator[None]:
        """The block is of a stage."""
        before = self.stage
        self._tell(stage)
        try:
            yield
        finally:
            self._tell(before)

    def _tell(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            (self.folder / str(os.getpid())).write_text(stage)

    def die_if_due(self, point: str) -> None:
        """Obey an order to die here."""
        try:
            order = (self.folder / "armed").read_text()
        except FileNotFoundError:
            return
        wanted, _, calls = order.partition(" ")
        if wanted != point:
            return
        if order != self.order:
            self.order, self.left = order, int(calls.split()[0])
        self.left -= 1
        if self.left <= 0:
            with suppress(FileNotFoundError):
                (self.folder / "armed").rename(self.folder / "fired")
                os.kill(os.getpid(), signal.SIGKILL)


class Marking(AppConfig):
    """Wraps the functions once the application is there."""

    name = "benchmarks.faults"

    def ready(self) -> None:
        """Put the marks in."""
        marks = Marks(Path(os.environ["FLUX_STATE"], "run", "marks"))
        for point, stage in STAGE_OF.items():
            module_name, _, name = point.rpartition(".")
            module = importlib.import_module(module_name)
            setattr(module, name, _marked(getattr(module, name), point, stage, marks))


def _marked(function: Callable[..., Any], point: str, stage: str, marks: Marks) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with marks.at(stage):
            marks.die_if_due(point)
            return function(*args, **kwargs)

    @functools.wraps(function)
    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        made = function(*args, **kwargs)
        while True:
            with marks.at(stage):
                marks.die_if_due(point)
                try:
                    one = next(made)
                except StopIteration:
                    return
            yield one

    return generate if inspect.isgeneratorfunction(function) else call
