"""The follower as a process: it hears of changes, and kill -9 costs nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from corpus.models import Corpus, Follower
from retrieval.management.commands.follow_lexical import keep_following
from tests.db.retrieval.library import add, drop, indexed_chunks, stored_chunks
from tests.factories import CorpusFactory

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_S = 60.0
KILLS = 3


def until(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


CLIENTS = (
    "FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


def clients() -> list[int]:
    """Process ids of the server's for each connection to this database."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pid {CLIENTS}")
        return [pid for (pid,) in cursor.fetchall()]


@pytest.fixture
def following() -> Iterator[list[int]]:
    """The command's loop, on a thread with a connection of its own; the connections before it."""
    before = clients()
    stop = threading.Event()

    def work() -> None:
        try:
            keep_following(settings.LEXICAL_ROOT, stop)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield before
    stop.set()
    thread.join(timeout=PATIENCE_S)
    assert not thread.is_alive()


def test_a_change_is_heard_and_applied(following: list[int]) -> None:
    corpus = CorpusFactory()
    assert until(lambda: Follower.objects.exists())
    document = add(corpus, "a", "STAT3.", "SOCS3.")
    assert until(lambda: indexed_chunks(corpus) == stored_chunks(corpus))
    drop(document)
    assert until(lambda: indexed_chunks(corpus) == [])


def test_a_lost_connection_is_made_anew(following: list[int]) -> None:
    corpus = CorpusFactory()
    add(corpus, "a", "STAT3.")
    assert until(lambda: indexed_chunks(corpus) == stored_chunks(corpus))
    with connection.cursor() as cursor:  # others' connections, of earlier tests' threads, stay
        cursor.execute(
            f"SELECT count(pg_terminate_backend(pid)) {CLIENTS} AND NOT pid = ANY(%s)", [following]
        )
        assert cursor.fetchone()[0] == 1
    add(corpus, "b", "SOCS3.")
    assert until(lambda: indexed_chunks(corpus) == stored_chunks(corpus))


@pytest.mark.slow
def test_killed_again_and_again_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    corpora = [CorpusFactory() for _ in range(3)]
    number = 0
    for _ in range(KILLS):
        process = start(tmp_path)
        try:
            for _ in range(15):
                number += 1
                document = add(corpora[number % 3], f"d{number}", "Kinase text.", "Receptor text.")
                if number % 4 == 0:
                    drop(document)
            until(lambda: any(indexed_chunks(corpus) for corpus in corpora))
            time.sleep(0.1 * (number % 3))
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
    process = start(tmp_path)
    try:
        assert until(lambda: all(is_whole(corpus) for corpus in corpora))
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_S) == 0
    assert sum(len(stored_chunks(corpus)) for corpus in corpora) == 2 * (number - number // 4)


def is_whole(corpus: Corpus) -> bool:
    return indexed_chunks(corpus) == stored_chunks(corpus)


def start(folder: Path) -> subprocess.Popen[bytes]:
    """The command, on this test's database and indexes."""
    database = connection.get_connection_params()
    url = (
        f"postgres://{database['user']}:{quote(database.get('password') or '', safe='')}"
        f"@{database['host']}:{database['port']}/{database['dbname']}"
    )
    state = Path(settings.LEXICAL_ROOT).parent
    return subprocess.Popen(
        [sys.executable, "manage.py", "follow_lexical"],
        env=os.environ | {"DATABASE_URL": url, "FLUX_STATE": str(state), "FLUX_PART": ""},
        stdout=subprocess.DEVNULL,
        stderr=(folder / "follower.log").open("ab"),
    )
