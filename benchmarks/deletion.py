"""Deleting 1,000 of 5,000 documents while they are read again. `bin/bench deletion`

Nothing of the deleted may be left in any table or index, no search may show one after its deletion
was accepted, and bin/flux doctor --orphans must find nothing.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx

from benchmarks.digest import connect
from benchmarks.installation import ADMIN, Installation, installation, p50_p95, table

DOCUMENTS, DOOMED, SINGLY = 5_000, 1_000, 50
CORPUS = "held"
PATIENCE_S = 900


def write(path: Path, first: int, count: int, more: str = "") -> str:
    """Made records of one passage each."""
    with path.open("w") as file:
        for n in range(first, first + count):
            kind = "doomed" if n < DOOMED else "kept"
            record = {
                "id": f"{kind}-{n}",
                "title": f"Kinase number {n}",
                "text": f"Kinase {n} of the {kind} phosphorylates protein {n + 1}.{more}",
            }
            file.write(json.dumps(record) + "\n")
    return str(path)


class Searcher(threading.Thread):
    """A reader who searches for the doomed again and again, and counts what shows too late."""

    def __init__(self, made: Installation, accepted: set[str]) -> None:
        super().__init__(daemon=True)
        self.client, self.accepted = made.api("read"), accepted
        self.over = threading.Event()
        self.searches, self.late = 0, 0

    def run(self) -> None:
        """Until told to end."""
        while not self.over.is_set():
            gone = set(self.accepted)
            found = search(self.client)
            self.searches += 1
            self.late += len(found & gone)
            time.sleep(0.05)


def search(client: httpx.Client) -> set[str]:
    """Ids of documents that a search for the doomed shows."""
    query = {"q": "kinase of the doomed", "corpus": CORPUS, "limit": 100}
    return {hit["document_id"] for hit in client.get("/api/v1/search", params=query).json()["hits"]}


def ids(made: Installation) -> list[str]:
    """Public ids of the doomed, as the tables have them."""
    sql = "SELECT public_id FROM corpus_document WHERE external_id LIKE 'doomed-%' ORDER BY id"
    with connect(made) as connection:
        return [str(row[0]) for row in connection.execute(sql).fetchall()]


def wait(made: Installation, client: httpx.Client, job: str) -> dict[str, Any]:
    """The job once it is over."""
    until = time.monotonic() + PATIENCE_S
    while True:
        state = client.get(f"/api/v1/jobs/{job}").json()
        if state["state"] not in {"queued", "running"}:
            return dict(state)
        if time.monotonic() > until:
            raise TimeoutError(f"the job is {state['state']} after {PATIENCE_S} s")
        time.sleep(1)


def delete_singly(client: httpx.Client, some: list[str], accepted: set[str]) -> list[float]:
    """Milliseconds until each deletion was accepted."""
    taken = []
    for one in some:
        start = time.perf_counter()
        client.delete(f"/api/v1/documents/{one}").raise_for_status()
        taken.append((time.perf_counter() - start) * 1000)
        accepted.add(one)
    return taken


def main() -> None:
    """Fill, read again, delete meanwhile, look."""
    with installation() as made, tempfile.TemporaryDirectory() as folder, made.api() as client:
        made.flux("create_corpus", CORPUS, "--team", "demo", "--visibility", "team")
        into = ("ingest", "jsonl", "--corpus", CORPUS, "--as", ADMIN, "--from")
        made.flux(*into, write(Path(folder, "first.jsonl"), 0, DOOMED))
        again = write(Path(folder, "again.jsonl"), 0, DOCUMENTS, more=" It is known.")
        job = str(made.flux(*into, again, "--no-wait")["job"])
        doomed = ids(made)
        accepted: set[str] = set()
        searcher = Searcher(made, accepted)
        searcher.start()
        singly = delete_singly(client, doomed[:SINGLY], accepted)
        start = time.perf_counter()
        command = ("delete", "--corpus", CORPUS, "--as", ADMIN, "--document")
        receipt = made.flux(*command, *doomed[SINGLY:])
        together_s = time.perf_counter() - start
        accepted.update(doomed)
        over = wait(made, client, job)
        searcher.over.set()
        searcher.join()
        found = ids(made)
        health = made.flux("doctor", "--orphans", allow=(0, 1))
        start = time.perf_counter()
        whole = made.flux("delete", "--corpus", CORPUS, "--as", ADMIN)
        whole_s = time.perf_counter() - start
        after = made.flux("doctor", "--orphans", allow=(0, 1))
    table(
        ["measure", "value"],
        [
            ("documents read, of them deleted", f"{DOCUMENTS}, {DOOMED}"),
            (f"{SINGLY} accepted one by one, ms, p50 / p95", p50_p95(singly)),
            (f"{DOOMED - SINGLY} by command until proved gone, s", f"{together_s:.1f}"),
            ("receipt: documents, passages, vectors", _three(receipt)),
            ("left by the receipt's probe", sum(n or 0 for n in receipt["left"].values())),
            ("items of the job: done, skipped, failed", _items(over)),
            ("deleted documents found in tables afterwards", len(found)),
            ("searches meanwhile, deleted documents they showed", _late(searcher)),
            ("orphans, parts not well", _orphans(health)),
            ("then the whole corpus, s; documents", f"{whole_s:.1f}; {whole['documents']}"),
            ("orphans, parts not well", _orphans(after)),
        ],
    )


def _three(receipt: dict[str, Any]) -> str:
    return ", ".join(str(receipt[kind]) for kind in ("documents", "passages", "vectors"))


def _items(job: dict[str, Any]) -> str:
    return ", ".join(str(job[state]) for state in ("done", "skipped", "failed"))


def _late(searcher: Searcher) -> str:
    return f"{searcher.searches}, {searcher.late}"


def _orphans(health: dict[str, Any]) -> str:
    found = {kind: n for kind, n in health["orphans"].items() if n}
    ill = [part["name"] for part in health["parts"] if part["state"] != "ok"]
    return f"{found or 'none'}, {', '.join(ill) or 'none'}"


if __name__ == "__main__":
    main()
