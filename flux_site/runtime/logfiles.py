"""Log files of the parts: opened for appending, turned over by size, followed for the console."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

LARGEST = 20 << 20  # bytes
READ_AT_ONCE = 1 << 16
LONGEST_LINE = 500
NOTABLE = re.compile(r"\b(warning|error|critical|fatal|panic)\b|^Traceback|Error: ", re.IGNORECASE)
NOTABLE_LEVELS = {"warning", "error", "critical"}
KNOWN = "Memory overcommit must be enabled"  # Valkey says so at each start; it never forks to save


def open_log(path: Path) -> int:
    """A descriptor that appends to the log; a large one is turned over first."""
    turn_over(path)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def turn_over(path: Path, largest: int = LARGEST) -> bool:
    """Move a log that has grown large to `.1`, and keep writers going; return whether it was done.

    The file is copied and cut rather than renamed: its writers have it open in append mode, and
    continue at the new end. A line written in between may be lost.
    """
    try:
        if path.stat().st_size < largest:
            return False
    except FileNotFoundError:
        return False
    older = path.with_name(path.name + ".1")
    older.write_bytes(path.read_bytes())
    os.truncate(path, 0)
    return True


def tail(path: Path, lines: int = 25) -> str:
    """The last lines of a log, empty when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - READ_AT_ONCE))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


class Follower:
    """Gives new lines of some logs to a function, from the moment it is made."""

    def __init__(self, show: Callable[[str, str], None], *, only_notable: bool) -> None:
        self._show = show
        self._only_notable = only_notable
        self._places: dict[Path, int] = {}

    def add(self, path: Path) -> None:
        """Follow one more log from its present end."""
        self._places[path] = path.stat().st_size if path.exists() else 0

    def read(self) -> None:
        """Show whole lines that have come since the last call, and turn over what is large."""
        for path, place in self._places.items():
            self._places[path] = self._read_one(path, place)

    async def follow(self, every_s: float = 0.25) -> None:
        """Read until cancelled."""
        while True:
            self.read()
            await asyncio.sleep(every_s)

    def _read_one(self, path: Path, place: int) -> int:
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return 0
        if size < place:
            place = 0
        if size > place:
            with path.open("rb") as file:
                file.seek(place)
                block = file.read(READ_AT_ONCE)
            whole, newline, _rest = block.rpartition(b"\n")
            if not newline and len(block) < READ_AT_ONCE:
                return place
            place += len(whole) + len(newline) if newline else len(block)
            self._show_lines(path.stem, (whole if newline else block).decode(errors="replace"))
        return 0 if turn_over(path) else place

    def _show_lines(self, name: str, text: str) -> None:
        for line in text.splitlines():
            shown = notable(line) if self._only_notable else line
            if shown:
                self._show(name, shown[:LONGEST_LINE])


def notable(line: str) -> str:
    """What of a line a busy person must see, empty when nothing: warnings and worse."""
    if line.startswith("{"):
        with contextlib.suppress(ValueError, AttributeError):
            event = json.loads(line)
            first = str(event.get("event", "")).split("\n", 1)[0]
            return f"{event['level']}: {first}" if event.get("level") in NOTABLE_LEVELS else ""
    return line if NOTABLE.search(line) and KNOWN not in line else ""
