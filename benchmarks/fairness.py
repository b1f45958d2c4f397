"""One team's 10,000 records beside another's one file: `bin/bench fairness [RECORDS]`

The small job is timed alone first, then beside the large one that has been running for a while.
Reach: within one and a half times.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.installation import Installation, installation, table

SMALL = 5  # times each way
PASSWORD = "a-benchmark-password"


def person(made: Installation, team: str) -> str:
    """A curator of a team of their own, with a corpus."""
    email = f"{team}@example.org"
    made.flux("create_user", email, "--password", PASSWORD, "--team", team, "--role", "owner")
    made.flux("create_corpus", f"{team}-papers", "--team", team, "--visibility", "team")
    return email


def records(path: Path, name: str, count: int) -> Path:
    """Made records, each of its own text."""
    with path.open("w") as file:
        for number in range(count):
            text = f"In {name} record {number} kinase {number} phosphorylates protein {number + 1}."
            file.write(json.dumps({"id": f"{name}-{number}", "title": name, "text": text}) + "\n")
    return path


def small(made: Installation, folder: Path, email: str, name: str) -> float:
    """Seconds from acceptance to the end of a one-file job, as its own record of it says."""
    path = records(folder / f"{name}.jsonl", name, 10)
    started = time.monotonic()
    job = made.flux(
        *("ingest", "jsonl", "--corpus", "small-papers", "--from", str(path)), "--as", email
    )
    assert job["done"] == 10, job
    return time.monotonic() - started


def main() -> None:
    """Alone, then beside."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name, installation() as made:
        folder = Path(name)
        big, little = person(made, "big"), person(made, "small")
        small(made, folder, little, "warm")
        alone = [small(made, folder, little, f"alone-{n}") for n in range(SMALL)]
        path = records(folder / "big.jsonl", "big", count)
        job = made.flux(
            *("ingest", "jsonl", "--corpus", "big-papers", "--from", str(path), "--no-wait"),
            *("--as", big),
        )["job"]
        time.sleep(15)
        beside = [small(made, folder, little, f"beside-{n}") for n in range(SMALL)]
        state = made.flux("job", job, "--as", big)
        rows = [
            ("alone", f"{statistics.median(alone):.1f}"),
            (f"beside {count:,} records", f"{statistics.median(beside):.1f}"),
            ("ratio", f"{statistics.median(beside) / statistics.median(alone):.2f}"),
            ("the large job meanwhile", f"{state['done']} of {state['total']} done"),
        ]
        table(["one file of ten records", "seconds, median of five"], rows)


if __name__ == "__main__":
    main()
