"""How the supervisor tells people what happens: on the console, or to a waiting `--detach`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO


def write(text: str, to: TextIO | None = None) -> None:
    """Write a line and let it be seen at once."""
    stream = to or sys.stdout
    stream.write(text + "\n")
    stream.flush()


class Console:
    """Lines on a terminal: what the supervisor does, and notable lines of the parts."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.has_failed = False

    def say(self, text: str) -> None:
        self.show("flux", text)

    def show(self, name: str, line: str) -> None:
        """One line of a part, with time and name before it."""
        write(f"{time.strftime('%H:%M:%S')} {name:<18} {line}")

    def ready(self, facts: Mapping[str, Any]) -> None:
        write(welcome(self.url, facts) + "\n  Ctrl-C stops everything.\n")

    def failed(self, message: str, log: str) -> None:
        self.has_failed = True
        write(complaint(message, log), sys.stderr)


class Pipe:
    """JSON lines on a descriptor. Whoever waits at its other end may be gone: that is no error."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def say(self, text: str) -> None:
        write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}")  # into supervisor.log
        self._send({"event": "say", "text": text})

    def ready(self, facts: Mapping[str, Any]) -> None:
        self._send({"event": "ready", "facts": dict(facts)})
        self.close()

    def failed(self, message: str, log: str) -> None:
        write(complaint(message, log))
        self._send({"event": "failed", "message": message, "log": log})
        self.close()

    def close(self) -> None:
        """Let the reader go on; later lines stay in the log."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _send(self, event: Mapping[str, Any]) -> None:
        if self._descriptor is None:
            return
        try:
            os.write(self._descriptor, json.dumps(event).encode() + b"\n")
        except OSError:
            self.close()


def welcome(url: str | None, facts: Mapping[str, Any]) -> str:
    """What a person needs after a start. The password comes only from the start that made it."""
    lines = [f"\nFlux is ready: {url}"]
    if facts.get("admin") and facts.get("password"):
        lines += [
            f"  First admin   {facts['admin']}",
            f"  Password      {facts['password']}   (shown this once)",
        ]
    return "\n".join(lines)


def complaint(message: str, log: str) -> str:
    """A failure with the end of the log that explains it."""
    if not log:
        return f"Flux was not started: {message}"
    indented = "\n".join(f"    {line}" for line in log.splitlines())
    return f"Flux was not started: {message}\n{indented}"
