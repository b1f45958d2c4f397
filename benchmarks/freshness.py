"""How soon an upload can be found: `bin/bench freshness [SHARED_DATA]`

A megabyte of saved abstracts, as a file of records and as one text, each sent to the API of an
installation of its own. Seconds from the first byte sent: until a search finds a word of
the very end of the text, until all passages have their vectors, and for the same file sent again
(how many texts were then encoded). Reach for one megabyte: 5, 60, and none encoded.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx

from benchmarks.installation import ROOT, installation, table

SIZE = 1_000_000  # characters
CORPUS = "fresh"


def abstracts(data: Path, size: int) -> list[str]:
    """Of a saved set, up to about so many characters together."""
    found: list[str] = []
    with gzip.open(data / "retrieval" / "scifact.corpus.jsonl.gz", "rt") as file:
        for line in file:
            found.append(str(json.loads(line)["text"]))
            size -= len(found[-1])
            if size < 0:
                break
    return found


def records(texts: Sequence[str], last: str) -> bytes:
    """One for each text; a word of its own ends the last."""
    rows = [{"id": f"r{n}", "title": f"Record {n}", "text": text} for n, text in enumerate(texts)]
    rows[-1]["text"] += f" The end is {last}."
    return "\n".join(map(json.dumps, rows)).encode()


def whole(texts: Sequence[str], last: str) -> bytes:
    """All as one text, backwards, so that no vector is there already."""
    return ("\n\n".join(reversed(texts)) + f" The end is {last}.").encode()


def until(what: Callable[[], bool], started: float, every: float = 0.1) -> float:
    """Seconds from then until it is so."""
    while not what():
        time.sleep(every)
    return time.monotonic() - started


def sent(client: httpx.Client, source: str, name: str, data: bytes) -> str:
    """The job of an upload."""
    answer = client.post(
        "/api/v1/ingest/document",
        data={"corpus": CORPUS, "source": source},
        files={"file": (name, data)},
    )
    return str(answer.raise_for_status().json()["job"])


def measured(client: httpx.Client, source: str, name: str, data: bytes, last: str) -> list[str]:
    """A row of the table."""

    def found() -> bool:
        query = {"q": last, "corpus": CORPUS}
        hits = client.get("/api/v1/search", params=query).raise_for_status().json()["hits"]
        return any(last in hit["text"] for hit in hits)

    def ended(job: str) -> bool:
        state = client.get(f"/api/v1/jobs/{job}").raise_for_status().json()
        return bool(state["state"] == "done")

    started = time.monotonic()
    job = sent(client, source, name, data)
    by_words = until(found, started)
    by_meaning = until(lambda: ended(job), started, every=1.0)  # as the page asks
    started = time.monotonic()
    again = sent(client, source, name, data)
    second = until(lambda: ended(again), started)
    encoded = client.get(f"/api/v1/jobs/{again}").json()["encoded"]
    seconds = [f"{value:.1f}" for value in (by_words, by_meaning, second)]
    return [f"{name}, {len(data) / 1e6:.2f} MB", *seconds, str(encoded)]


def main() -> None:
    """Both forms, once each, after a small file that warms the workers."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    texts = abstracts(data, SIZE)
    with installation() as made:
        made.flux("create_corpus", CORPUS, "--team", "demo", "--visibility", "team")
        client = made.api("read,ingest")
        measured(client, "text", "warm.txt", whole(["One sentence."], "zwarmup"), "zwarmup")
        rows = [
            measured(client, "jsonl", "records.jsonl", records(texts, "zrecords"), "zrecords"),
            measured(client, "text", "whole.txt", whole(texts, "zwhole"), "zwhole"),
        ]
        heads = ["upload", "found by words, s", "all vectors, s", "again, s", "encoded again"]
        table(heads, rows)


if __name__ == "__main__":
    main()
