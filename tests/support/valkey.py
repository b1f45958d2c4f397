"""A Valkey of a test's own, that it may kill: the real server, in memory, on a free port."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flux_site.runtime import ports, valkey


class OwnValkey:
    """The server; `kill` and `start` may follow each other on one port."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, ports.choose()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "")
        self._process = subprocess.Popen(
            [str(valkey.binary()), *options, "--dir", str(self._folder)],
            stdout=subprocess.DEVNULL,
        )
        while not valkey.answers(self.url):
            time.sleep(0.01)

    def kill(self) -> None:
        """Kill it, as a failing machine would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def own_valkey(folder: Path) -> Iterator[OwnValkey]:
    """A server that is gone when the block ends."""
    server = OwnValkey(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
