"""kill -9 at random moments, again and again: the end is that of a run that nobody disturbed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import Max, Sum

from benchmarks.faults.content import content
from corpus.models import Corpus, IngestJob, JobFile, JobItem
from corpus.services import deletion, jobs, linking, uploads
from flux_site.management.doctor import orphans
from tests.factories import CorpusFactory
from tests.flows.test_deletion_kills import follow
from tests.flows.test_kills import ROOT, worker_environment
from tests.support.ingesting import curator_of, lines

DATA = Path(__file__).parents[1] / "data"
ROUNDS, SEED = 20, 20261130
LONGEST_LIFE_S = 0.4
NOTES = [
    {"id": f"n{n}", "title": f"Note {n}", "text": f"STAT3 binds gene {n}. IL6 induces it. " * 6}
    for n in range(200)
]


def accept(corpus: Corpus) -> list[IngestJob]:
    """Jobs of several sources: notes, papers, a pathway's entries, a table, a vocabulary."""
    paths = {
        "vocabularies": DATA / "vocabularies" / "hgnc.tsv",
        "pubmed": DATA / "pubmed" / "set.xml",
        "jats": DATA / "jats" / "article.xml",
        "kegg": DATA / "kegg" / "entries.txt",
        "interactions": DATA / "interactions" / "trrust.tsv",
    }
    files = {source: (path.name, path.read_bytes()) for source, path in paths.items()}
    files["jsonl"] = ("notes.jsonl", lines(NOTES))
    by = curator_of(corpus)
    return [uploads.accept(corpus, source, [file], by=by) for source, file in files.items()]


def query(sql: str, given: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Rows of the test's database."""
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return cursor.fetchall()


def finish(made: list[IngestJob]) -> None:
    """Work in this process until nothing is left, stamps of a vocabulary that came late too."""
    for job in made:
        jobs.work_off(job)
    while stale := linking.stale(made[0].corpus):
        linking.link(stale, lambda: False)


def leases_so_far() -> int:
    """Grows whenever a worker takes work."""
    tokens = [model.objects.aggregate(n=Sum("token"))["n"] or 0 for model in (JobFile, JobItem)]
    return sum(tokens)


def third_attempt() -> bool:
    """Whether a record has two deaths behind it: a third would make it poison, as it should."""
    files = JobFile.objects.filter(state__in=["queued", "reading"])
    items = JobItem.objects.filter(state="running")
    attempts = [rows.aggregate(n=Max("attempts"))["n"] or 0 for rows in (files, items)]
    return max(attempts) >= 2


def kill_at_random(made: list[IngestJob], chance: random.Random) -> int:
    """Workers that die at drawn moments, one after the other; how many were still at work."""
    killed = 0
    command = [sys.executable, "-m", "tests.support.dying_worker"]
    for _ in range(ROUNDS):
        process = subprocess.Popen(command, cwd=ROOT, env=worker_environment())
        before = leases_so_far()
        while process.poll() is None and leases_so_far() == before:
            time.sleep(0.005)  # the start of Python is no work
        time.sleep(chance.uniform(0.0, LONGEST_LIFE_S))
        while third_attempt() and process.poll() is None:
            time.sleep(0.005)  # until that record is through
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        killed += process.wait(60) == -signal.SIGKILL
        if all(jobs.settled(job) for job in made):
            break
    return killed


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)
def test_twenty_kills_at_random_moments_end_as_an_undisturbed_run() -> None:
    peace, war = CorpusFactory(), CorpusFactory()
    finish(accept(peace))
    wanted = content(query, peace.pk)
    # Or else its vectors would be copied, and none made.
    deletion.work_off(deletion.request(peace, None, by=curator_of(peace)))

    made = accept(war)
    killed = kill_at_random(made, random.Random(SEED))
    finish(made)

    assert killed >= ROUNDS // 4, f"seed {SEED}: too few of {ROUNDS} to show anything"
    assert content(query, war.pk) == wanted
    assert wanted["document"][0] > len(NOTES)
    assert wanted["mention"][0] > 0
    follow()
    assert {kind: n for kind, n in orphans.count().items() if n} == {}
