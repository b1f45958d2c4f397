"""What one machine gives on the demo corpus, from start to pages: `bin/bench system`"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.installation import (
    ROOT,
    Installation,
    installation,
    milliseconds,
    p50_p95,
    table,
    up,
)

QUESTIONS = [
    json.loads(line)["question"]
    for line in (ROOT / "tests" / "data" / "questions" / "demo.jsonl").read_text().splitlines()
]


def pss_mb(pid: int) -> float:
    """Proportional set size of a process and its children, in MB."""
    total = 0.0
    try:
        tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    for process in tree:
        try:
            rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        except (OSError, psutil.NoSuchProcess):
            continue
        total += next(int(x.split()[1]) for x in rollup.splitlines() if x.startswith("Pss:"))
    return total / 1024


def memory(made: Installation) -> None:
    """PSS of each part."""
    rows = [(part["name"], round(pss_mb(part["pid"]))) for part in made.status()["parts"]]
    supervisor = (
        int((made.state / "run" / "up.pid").read_text())
        if (made.state / "run" / "up.pid").exists()
        else 0
    )
    if supervisor:
        own = psutil.Process(supervisor)
        rows.append(("supervisor", round(pss_mb(own.pid) - sum(mb for _, mb in rows))))
    table(["part", "PSS MB"], [*rows, ("all", sum(mb for _, mb in rows))])


def ask(client: httpx.Client, question: str) -> tuple[float, float, str]:
    """First `citations` event and end, in ms as the client sees them, and the answer's mode."""
    started = time.perf_counter()
    first = end = 0.0
    mode = kind = ""
    params = {"question": question, "corpus": "demo"}
    with client.stream("GET", "/api/v1/query/stream", params=params) as stream:
        for line in stream.iter_lines():
            if line.startswith("event: "):
                kind = line[7:]
                if kind == "citations" and not first:
                    first = (time.perf_counter() - started) * 1000
            elif line.startswith("data: ") and kind == "final":
                mode = json.loads(line[6:])["result"]["mode"]
            if kind == "done":
                break
    end = (time.perf_counter() - started) * 1000
    return first, end, mode


def pages(client: httpx.Client) -> list[tuple[str, str]]:
    """Time of the pages, as a signed-in browser waits for them on loopback."""
    addresses = {
        "ask page": "/",
        "library": "/library/demo/",
        "runs": "/runs/",
        "search page": "/search/?q=SOCS3+feedback",
    }
    return [
        (name, p50_p95(milliseconds(lambda a=address: client.get(a).raise_for_status(), times=40)))
        for name, address in addresses.items()
    ]


def main() -> None:
    """Everything, in one run."""
    with installation(demo=True) as made:
        up(made.state, "--stop")
        started = time.perf_counter()
        up(made.state, "--detach")
        print(f"\nInstalled start to ready: {time.perf_counter() - started:.1f} s\n")
        made.url = made.status()["url"]
        time.sleep(5)
        memory(made)
        client = made.api()
        found: list[float] = []
        for question in QUESTIONS:
            call: Any = lambda q=question: client.get(  # noqa: E731
                "/api/v1/search", params={"q": q, "corpus": "demo"}
            ).raise_for_status()
            found += milliseconds(call, times=8, warm=1)
        asked = [ask(client, question) for question in QUESTIONS for _ in range(3)]
        rows = [
            ("search through the API, embedding included", p50_p95(found)),
            ("ask, first citations event", p50_p95([first for first, _, _ in asked])),
            ("ask, end", p50_p95([end for _, end, _ in asked])),
            *pages(made.browser()),
        ]
        print()
        table(["what", "p50 / p95 ms"], rows)
        print("\nafter the load:\n")
        memory(made)


if __name__ == "__main__":
    main()
