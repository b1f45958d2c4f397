"""One hash over everything that an installation stores, jobs and the audit left out."""

from __future__ import annotations

import hashlib

import psycopg

from benchmarks.installation import Installation
from flux_site.runtime.state import Installation as Facts
from flux_site.runtime.state import StateFolder

ROOMS = ("accounts", "corpus", "retrieval", "agent")
# What tells how the data came here, not what it is. Followers say how far they have read.
LEFT_OUT = {
    "corpus_ingestjob",
    "corpus_jobfile",
    "corpus_jobitem",
    "corpus_jobturn",
    "corpus_follower",
    "accounts_auditevent",
}


def connect(made: Installation) -> psycopg.Connection:
    """The installation's database, past Django."""
    return psycopg.connect(Facts.load(StateFolder(made.state)).database_url, autocommit=True)


def digest(made: Installation) -> tuple[str, dict[str, int]]:
    """SHA-256 over every row of every table, and the rows of each table."""
    whole = hashlib.sha256()
    counts: dict[str, int] = {}
    with connect(made) as database:
        names = database.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        ).fetchall()
        for (name,) in names:
            if not name.startswith(ROOMS) or name in LEFT_OUT:
                continue
            rows = database.execute(
                f"SELECT md5(t::text) FROM {name} t ORDER BY 1"  # names are the catalogue's
            ).fetchall()
            counts[name] = len(rows)
            whole.update(name.encode())
            for (row,) in rows:
                whole.update(row.encode())
    return whole.hexdigest(), counts
