"""An installation of its own for a benchmark: started by bin/up, asked over HTTP, stopped again."""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
ADMIN, PASSWORD = "bench@example.org", "a-benchmark-password"


@dataclass
class Installation:
    """A running Flux and how to reach it."""

    state: Path
    url: str

    def flux(self, *arguments: str, allow: Sequence[int] = (0,)) -> dict[str, Any]:
        """A command's JSON."""
        done = subprocess.run(
            [str(ROOT / "bin" / "flux"), *arguments, "--json"],
            env=os.environ | {"FLUX_STATE": str(self.state)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in allow:
            raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
        return dict(json.loads(done.stdout.strip().splitlines()[-1]))

    def status(self) -> dict[str, Any]:
        """What bin/up says of its parts."""
        return up(self.state, "--status", "--json")

    def api(self, scopes: str = "read,ask,ingest") -> httpx.Client:
        """A client with a token of the benchmark's admin."""
        token = self.flux("create_token", ADMIN, "--scopes", scopes)["token"]
        return httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {token}"}, timeout=60
        )

    def browser(self) -> httpx.Client:
        """A client that is signed in as a person is."""
        client = httpx.Client(base_url=self.url, timeout=60, follow_redirects=True)
        page = client.get("/login/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None
        client.post(
            "/login/",
            data={"csrfmiddlewaretoken": token[1], "login": ADMIN, "password": PASSWORD},
            headers={"Referer": f"{self.url}/login/"},
        )
        return client


def up(state: Path, *arguments: str) -> dict[str, Any]:
    """bin/up with the state folder; its JSON where it gives one."""
    done = subprocess.run(
        [str(ROOT / "bin" / "up"), *arguments],
        env=os.environ | {"FLUX_STATE": str(state)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"bin/up {' '.join(arguments)}: {done.stdout}{done.stderr}")
    last = done.stdout.strip().splitlines()[-1:] or ["{}"]
    return dict(json.loads(last[0])) if "--json" in arguments else {}


@contextmanager
def installation(*, demo: bool = False) -> Iterator[Installation]:
    """Start one in a temporary folder, with an admin, and stop it at the end, also on SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="flux-bench-") as folder:
        state = Path(folder)
        up(state, "--detach", "--empty")
        try:
            made = Installation(state, up(state, "--status", "--json")["url"])
            made.flux(
                *("create_user", ADMIN, "--password", PASSWORD, "--team", "demo"),
                *("--role", "owner", "--site-admin"),
            )
            if demo:
                made.flux("demo", "load")
            yield made
        finally:
            up(state, "--stop")


def milliseconds(call: Callable[[], Any], *, times: int, warm: int = 3) -> list[float]:
    """How long a call takes, each time, after some calls that are not counted."""
    for _ in range(warm):
        call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def p50_p95(taken: Sequence[float]) -> str:
    """`p50 / p95` in whole milliseconds."""
    ordered = sorted(taken)
    return f"{statistics.median(ordered):.0f} / {ordered[int(len(ordered) * 0.95) - 1]:.0f}"


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print("| " + " | ".join(headers) + " |")
    print("|" + "---|" * len(headers))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
