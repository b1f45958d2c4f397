"""kill -9 of each server and worker amid 200 documents, with a stream open. `bin/bench recovery`

The job must end by itself with every document once and whole, and every question answered.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from benchmarks.digest import connect
from benchmarks.installation import ADMIN, Installation, installation, table

DOCUMENTS = 200
KILLED = ("worker-bulk", "postgres", "worker-bulk", "valkey", "web", "lexical", "worker-bulk")
QUESTION = "Which protein does kinase number 7 phosphorylate?"
PATIENCE_S = 300


def records(path: Path) -> None:
    """Made records, a few passages each."""
    with path.open("w") as file:
        for number in range(DOCUMENTS):
            sentences = [
                f"Kinase number {number} phosphorylates protein number {number + step} in step "
                f"{step} of a made pathway, which the test of recovery reads."
                for step in range(1, 25)
            ]
            record = {
                "id": f"r{number}",
                "title": f"Kinase number {number}",
                "text": "\n\n".join(" ".join(sentences[at : at + 8]) for at in (0, 8, 16)),
            }
            file.write(json.dumps(record) + "\n")


def start(made: Installation, path: Path) -> str:
    """A job over the records, not waited for."""
    made.flux("create_corpus", "amid", "--team", "demo", "--visibility", "team")
    return str(
        made.flux(
            *("ingest", "jsonl", "--corpus", "amid", "--from", str(path), "--no-wait"),
            *("--as", ADMIN),
        )["job"]
    )


def patiently(call: Callable[[], Any]) -> Any:
    """The call's result, tried again while servers come back."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return call()
        except (httpx.HTTPError, KeyError):
            if time.monotonic() > until:
                raise
            time.sleep(0.3)


class Reader(threading.Thread):
    """A reader who asks again and again by stream, and resumes where a stream was cut."""

    def __init__(self, made: Installation) -> None:
        super().__init__(daemon=True)
        self.client = made.api("read,ask")
        self.over = threading.Event()
        self.answered = self.resumed = 0
        self.doubled: list[str] = []

    def run(self) -> None:
        """Until told to end."""
        while not self.over.is_set():
            patiently(self._ask)
            self.answered += 1

    def _ask(self) -> None:
        seen: list[str] = []
        while not self._listen(seen):
            self.resumed += 1
            time.sleep(0.5)
        self.doubled += [one for one in set(seen) if seen.count(one) > 1]

    def _listen(self, seen: list[str]) -> bool:
        """Events up to `done`; False when the stream was cut after it had begun."""
        headers = {"Last-Event-ID": seen[-1]} if seen else {}
        params = {"question": QUESTION, "corpus": "amid"}
        try:
            with self.client.stream(
                "GET", "/api/v1/query/stream", params=params, headers=headers
            ) as stream:
                stream.raise_for_status()
                for line in stream.iter_lines():
                    if line.startswith("id: "):
                        seen.append(line[4:])
                    if line == "event: done":
                        return True
        except httpx.HTTPError:
            if not seen:
                raise
        return False


def finished(client: httpx.Client, job: str) -> dict[str, Any] | None:
    """The job once it is over."""
    state = client.get(f"/api/v1/jobs/{job}").raise_for_status().json()
    return state if state["state"] in {"done", "failed", "stopped"} else None


def kill_in_turn(made: Installation, client: httpx.Client, job: str) -> list[tuple[str, str]]:
    """Kill the parts one after the other while the job goes on; how far it was each time."""
    rows: list[tuple[str, str]] = []
    for name in KILLED:
        time.sleep(4)
        state = patiently(lambda: client.get(f"/api/v1/jobs/{job}").raise_for_status().json())
        if state["state"] not in {"queued", "running"}:
            break
        pid = next(part["pid"] for part in made.status()["parts"] if part["name"] == name)
        os.kill(pid, signal.SIGKILL)
        rows.append((name, f"{state['done']} of {DOCUMENTS} done, {state['running']} stored"))
    return rows


def stored(made: Installation) -> dict[str, int]:
    """What the corpus holds, counted in the database."""
    counts = {
        "documents": "SELECT count(*) FROM corpus_document",
        "different ids": "SELECT count(DISTINCT external_id) FROM corpus_document",
        "passages": "SELECT count(*) FROM corpus_chunk",
        "passages with a vector": "SELECT count(DISTINCT chunk_id) FROM corpus_chunkvector",
        "documents without a passage": (
            "SELECT count(*) FROM corpus_document d WHERE NOT EXISTS "
            "(SELECT 1 FROM corpus_chunk c WHERE c.document_id = d.id)"
        ),
    }
    with connect(made) as database:
        return {name: database.execute(sql).fetchone()[0] for name, sql in counts.items()}


def main() -> None:
    """One run, told in three tables."""
    with tempfile.TemporaryDirectory() as folder, installation() as made:
        path = Path(folder) / "records.jsonl"
        records(path)
        job = start(made, path)
        client = made.api("read,ingest")
        reader = Reader(made)
        reader.start()
        killed = kill_in_turn(made, client, job)
        state = None
        until = time.monotonic() + PATIENCE_S
        while state is None and time.monotonic() < until:
            state = patiently(lambda: finished(client, job))
            time.sleep(0.5)
        reader.over.set()
        reader.join(timeout=60)
        assert state is not None, "the job did not end"
        table(["killed", "when"], killed)
        print()
        kept = ("state", "done", "unchanged", "failed", "encoded", "seconds")
        table(["job", "value"], [(name, state[name]) for name in kept])
        print()
        table(["in the database", "count"], list(stored(made).items()))
        print()
        table(
            ["streams", "count"],
            [
                ("questions answered to their end", reader.answered),
                ("streams resumed after a cut", reader.resumed),
                ("events received twice", len(reader.doubled)),
            ],
        )
        parts = made.status()["parts"]
        print("\nrestarts:", {part["name"]: part["restarts"] for part in parts})


if __name__ == "__main__":
    main()
