"""200 × kill -9 amid ingestion, against a run that nobody disturbs. `bin/bench kills [N] [SEED]`

A few hundred mixed records (`benchmarks.faults.mixed`) are read into an empty corpus, once in
peace, then again and again while workers, dispatcher, beat, database and follower are killed: half
at random moments from outside, half by a process that kills itself at a drawn call inside a drawn
stage. After each round the corpus must hold what the undisturbed one held, row by row
(`benchmarks.faults.content`), nothing may point nowhere, and it is deleted without residue.

Three deaths over the same record, with nothing stored in between, make it poison by design. So
nobody is killed while a third attempt is under way.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psycopg

from benchmarks.digest import connect
from benchmarks.faults import mixed
from benchmarks.faults.content import content, told
from benchmarks.faults.killing import STAGES, Killer
from benchmarks.faults.mixed import patiently
from benchmarks.installation import ADMIN, ROOT, Installation, installation, table

KILLS, SEED = 200, 20261130
LEASE_S = 4
PAUSES_S = (0.1, 1.5)
QUIET_S = 22.0  # beat stamps and settles what is left within 20 s
PATIENCE_S = 240.0
AWAY = (psycopg.OperationalError, httpx.HTTPError)

_ATTEMPTS = """
SELECT greatest(
  (SELECT max(f.attempts) FROM corpus_jobfile f WHERE f.state IN ('queued', 'reading')),
  (SELECT max(i.attempts) FROM corpus_jobitem i WHERE i.state = 'running'), 0)"""
_VECTORS = """
SELECT concat_ws(' ', d.source, d.external_id, c.content_type, c.chunk_index, v.window),
       v.vector::vector::real[]
FROM corpus_chunkvector v JOIN corpus_chunk c ON c.id = v.chunk_id
JOIN corpus_document d ON d.id = c.document_id WHERE d.corpus_id = %s"""


class Bench:
    """One installation, its corpora one after the other."""

    def __init__(self, made: Installation, data: Path) -> None:
        self.made, self.data = made, data
        self.client = made.api("read,ingest")
        self.rounds = 0

    def query(self, sql: str, given: Any = None) -> list[tuple[Any, ...]]:
        """Rows, asked for again while the database is away."""

        def ask() -> list[tuple[Any, ...]]:
            with connect(self.made) as database:
                return database.execute(sql, given).fetchall()

        return list(patiently(ask, *AWAY))

    def begin(self) -> tuple[str, int]:
        """A new corpus and its number in the database."""
        self.rounds += 1
        name = f"kills-{self.rounds}"
        body = {"name": name, "team": "demo", "visibility": "team"}
        patiently(lambda: self.client.post("/api/v1/corpora", json=body).raise_for_status(), *AWAY)
        return name, self.query("SELECT id FROM corpus_corpus WHERE slug = %s", [name])[0][0]

    def is_over(self, corpus: int) -> bool:
        """No job of the corpus is open."""
        sql = (
            "SELECT count(*) FROM corpus_ingestjob WHERE corpus_id = %s "
            "AND state IN ('queued', 'running')"
        )
        return self.query(sql, [corpus])[0][0] == 0

    def settled(self, corpus: int) -> dict[str, tuple[int, str]]:
        """The content once it stays the same."""
        before = content(self.query, corpus)
        while True:
            time.sleep(QUIET_S)
            after = content(self.query, corpus)
            if after == before:
                return after
            before = after

    def reaches(self, corpus: int, wanted: dict[str, tuple[int, str]]) -> list[str]:
        """Wait for the wanted content; the tables that differ at the end of patience."""
        until = time.monotonic() + PATIENCE_S
        while True:
            now = content(self.query, corpus)
            if now == wanted or time.monotonic() > until:
                return [name for name in wanted if now[name] != wanted[name]]
            time.sleep(1)

    def vectors(self, corpus: int) -> dict[str, np.ndarray]:
        """Each vector by its place."""
        return {key: np.array(values) for key, values in self.query(_VECTORS, [corpus])}

    def orphans(self) -> dict[str, int]:
        """What points nowhere."""
        health = self.made.flux("doctor", "--orphans", allow=(0, 1))
        return {kind: n for kind, n in health["orphans"].items() if n}

    def delete(self, name: str) -> dict[str, int]:
        """Delete the corpus; what is left of it."""
        receipt = self.made.flux("delete", "--corpus", name, "--as", ADMIN, allow=(0, 1))
        return {kind: n for kind, n in receipt["left"].items() if n}


def read(bench: Bench, killer: Killer | None, most: int) -> tuple[str, int]:
    """Read everything into a new corpus, the vocabulary first, with or without a killer."""
    name, corpus = bench.begin()
    mixed.send(bench.client, name, [mixed.vocabulary(bench.data)])
    disturb(bench, killer, corpus, most)
    patiently(lambda: bench.client.get("/api/v1/health").raise_for_status(), *AWAY)
    mixed.send(bench.client, name, mixed.files(bench.data))
    point = killer.aim("fetch") if killer and killer.kills < most else ""  # it is soon over
    mixed.fetch(bench.client, name)
    if killer and point:
        killer.falls(point)
    disturb(bench, killer, corpus, most)
    return name, corpus


def disturb(bench: Bench, killer: Killer | None, corpus: int, most: int) -> None:
    """Kill until the jobs of the corpus are over."""
    until = time.monotonic() + 4 * PATIENCE_S
    while not bench.is_over(corpus):
        assert time.monotonic() < until, "the jobs do not end"
        if killer is None or killer.kills >= most:
            time.sleep(0.5)
            continue
        time.sleep(killer.chance.uniform(*PAUSES_S))
        if bench.query(_ATTEMPTS)[0][0] < 2:
            killer.at_a_point() if killer.chance.random() < 0.5 else killer.from_outside()


def compare(bench: Bench, corpus: int, peace: Peace) -> list[str]:
    """What is wrong with a disturbed corpus, in words."""
    wrong = []
    for name in bench.reaches(corpus, peace.content):
        now, then = (Counter(rows[name]) for rows in (told(bench.query, corpus), peace.told))
        wrong.append(f"{name}: {(now - then).total()} too many, {(then - now).total()} missing")
        wrong += [f"  + {row[:400]}" for row in list(now - then)[:3]]
        wrong += [f"  - {row[:400]}" for row in list(then - now)[:3]]
    return wrong


class Peace:
    """What the undisturbed run left."""

    def __init__(self, bench: Bench, corpus: int) -> None:
        self.content = bench.settled(corpus)
        self.told = told(bench.query, corpus)
        self.vectors = bench.vectors(corpus)

    def least_cosine(self, others: dict[str, np.ndarray]) -> float:
        """Of vectors at the same place; they are of unit length."""
        cosines = [float(self.vectors[key] @ others[key]) for key in self.vectors if key in others]
        return min(cosines, default=0.0)


@contextmanager
def observed() -> Iterator[Installation]:
    """An installation with marks, short leases, and an upstream of its own."""
    with mixed.upstream() as url:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "benchmarks.faults.settings",
            "LEASE_SECONDS": str(LEASE_S),
            "PUBMED_URL": url,
            "FLUX_HTTP_ALLOW_LOOPBACK": "1",
        }
        with installation() as made:
            yield made


def report(killer: Killer, peace: Peace) -> None:
    """Kills by stage, and what was stored each time."""
    columns = (*STAGES, "–")
    rows: list[tuple[object, ...]] = []
    for who in sorted({who for who, _ in killer.tally}):
        hits = [killer.tally[who, stage] for stage in columns]
        rows.append((who, *(hit or "" for hit in hits), sum(hits)))
    total = [sum(n for (_, at), n in killer.tally.items() if at == stage) for stage in columns]
    table(["killed", *STAGES, "between", "all"], [*rows, ("all", *total, killer.kills)])
    print()
    table(["stored each time", "rows"], [(name, n) for name, (n, _) in peace.content.items() if n])


def main() -> None:
    """One round in peace, then rounds with kills."""
    given = [int(one) for one in sys.argv[1:]]
    most, seed = given[0] if given else KILLS, given[1] if len(given) > 1 else SEED
    data = Path(os.environ.get("FLUX_SHARED", ROOT.parent / "shared")) / "data"
    wrong: list[str] = []
    print(f"seed {seed}", flush=True)
    with observed() as made:
        bench, killer = Bench(made, data), Killer(made, random.Random(seed))
        started = time.monotonic()
        name, corpus = read(bench, None, 0)
        peace = Peace(bench, corpus)
        wrong += [f"in peace: {found}" for found in (bench.orphans(), bench.delete(name)) if found]
        cosine = 1.0
        while killer.kills < most:
            before = killer.kills
            name, corpus = read(bench, killer, most)
            found = compare(bench, corpus, peace)
            cosine = min(cosine, peace.least_cosine(bench.vectors(corpus)))
            found += [f"left: {left}" for left in (bench.orphans(), bench.delete(name)) if left]
            wrong += [f"round {bench.rounds}: {one}" for one in found]
            minutes = (time.monotonic() - started) / 60
            print(
                f"round {bench.rounds}: {killer.kills - before} kills, {minutes:.1f} min, "
                f"{'; '.join(found) or 'equal'}",
                flush=True,
            )
        report(killer, peace)
        print("\nrestarts:", {one["name"]: one["restarts"] for one in made.status()["parts"]})
    print(f"least cosine of a vector to its undisturbed one: {cosine:.6f}")
    print("\n".join(wrong) or f"{most} kills: every round ended as the undisturbed one")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
