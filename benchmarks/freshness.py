"""How soon an upload can be found: `bin/bench freshness [MEGABYTES]`

Made-up text, as one text file and as a file of records of the length of abstracts, each sent to the
API of an installation of its own. Seconds from the first byte sent: until a search finds a word of
the very end of the text, until all passages have their vectors, and for the same file sent again
(how many texts were then encoded). Reach for one megabyte: 5, 60, and none encoded.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable

import httpx

from benchmarks.installation import installation, table

SEED = 20261130
ABSTRACT = 1_500  # characters
WORDS = 8_000
CORPUS = "fresh"


def words() -> list[str]:
    """Pronounceable, so that the tokenizer parts them as it does those of papers."""
    drawn = random.Random(SEED)
    syllables = [a + b for a in "bcdfglmnprstv" for b in ("a", "e", "i", "o", "an", "er", "in")]
    return ["".join(drawn.choices(syllables, k=drawn.randint(1, 4))) for _ in range(WORDS)]


def prose(size: int, last: str) -> str:
    """Sentences of about so many characters, of which the last one ends with a word of its own."""
    drawn, known = random.Random(last), words()
    found: list[str] = []
    length = 0
    while length < size:
        sentence = " ".join(drawn.choices(known, k=drawn.randint(8, 26))).capitalize() + "."
        found.append(sentence)
        length += len(sentence) + 1
    return " ".join([*found, f"The end is {last}."])


def records(size: int, last: str) -> bytes:
    """The same as records."""
    count = max(1, size // ABSTRACT)
    names = [f"part{n}" for n in range(count - 1)] + [last]
    rows = ({"id": name, "title": f"About {name}", "text": prose(ABSTRACT, name)} for name in names)
    return "\n".join(map(json.dumps, rows)).encode()


def until(what: Callable[[], bool], started: float) -> float:
    """Seconds from then until it is so."""
    while not what():
        time.sleep(0.1)
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
    by_meaning = until(lambda: ended(job), started)
    started = time.monotonic()
    again = sent(client, source, name, data)
    second = until(lambda: ended(again), started)
    encoded = client.get(f"/api/v1/jobs/{again}").json()["encoded"]
    seconds = [f"{value:.1f}" for value in (by_words, by_meaning, second)]
    return [f"{name}, {len(data) / 1e6:.2f} MB", *seconds, str(encoded)]


def main() -> None:
    """Both forms, once each, after a small file that warms the workers."""
    size = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    with installation() as made:
        made.flux("create_corpus", CORPUS, "--team", "demo", "--visibility", "team")
        client = made.api("read,ingest")
        measured(client, "text", "warm.txt", prose(2_000, "zwarmup").encode(), "zwarmup")
        rows = [
            measured(client, "jsonl", "records.jsonl", records(size, "zrecords"), "zrecords"),
            measured(client, "text", "whole.txt", prose(size, "zwhole").encode(), "zwhole"),
        ]
        heads = ["upload", "found by words, s", "all vectors, s", "again, s", "encoded again"]
        table(heads, rows)


if __name__ == "__main__":
    main()
