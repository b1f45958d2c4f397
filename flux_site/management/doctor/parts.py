"""The parts of an installation: how each is, and how to mend it. Add a check to PARTS."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from agent.models import Run
from corpus.encoding.registry import encoders
from corpus.models import Corpus, Deletion, Encoder, Follower, JobFile, JobItem
from flux_site.celery import app
from flux_site.runtime import status
from flux_site.runtime.state import StateFolder
from retrieval.lexical import position
from retrieval.lexical.follower import NAME as LEXICAL
from retrieval.lexical.index import IndexFolders

OLDEST_POSTGRES = 150000
LEAST_FREE = 2 << 30  # bytes: below, the next large upload or index may fail
STUCK_AFTER = timedelta(minutes=10)
SILENT_AFTER = timedelta(minutes=1)
RESTART = "Run bin/up, or bin/up --status to see what is wrong with the parts."

_BEHIND = """
SELECT count(*) FROM corpus_change WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
AND (xid, id) > (%s::text::xid8, %s)
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `ok`, or what is wrong with it and what to do."""

    name: str
    state: str
    mend: str = ""
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Nothing is to be done."""
        return self.state == "ok"


class Wrong(Exception):
    """What is wrong, and what to do about it."""

    def __init__(self, state: str, mend: str) -> None:
        super().__init__(state)
        self.state, self.mend = state, mend


def look() -> list[Part]:
    """Every part. Where the database is away, what needs it says so as well."""
    return [_part(name, check) for name, check in PARTS.items()]


def _part(name: str, check: Callable[[], str]) -> Part:
    try:
        return Part(name, "ok", detail=check())
    except Wrong as wrong:
        return Part(name, wrong.state, wrong.mend)
    except Exception as error:  # whatever a part fails with is what its keeper wants to read
        return Part(name, f"{type(error).__name__}: {error}"[:300].strip(), RESTART)


def _processes() -> str:
    """What `bin/up` keeps alive in this folder, and what it had to start again."""
    running = status.look(StateFolder(settings.STATE_DIR))["parts"]
    away = [one["name"] for one in running if one["state"] != "ready"]
    if away:
        raise Wrong(
            f"{', '.join(away)} not ready",
            "What ends or hangs is started again by itself; why is in logs/ of FLUX_STATE.",
        )
    again = [
        f"{one['name']} was started again {one['restarts']} × (it {one['last_end']})"
        for one in running
        if one["restarts"]
    ]
    return "; ".join(again) or (f"{len(running)} run" if running else "not started by bin/up")


def _postgres() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, version()")
        number, version = cursor.fetchone()
    if number < OLDEST_POSTGRES:
        raise Wrong(f"PostgreSQL {number // 10000} is too old", "Move to PostgreSQL 15 or later.")
    return str(version).split(" on ")[0]


def _pgvector() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        row = cursor.fetchone()
    if row is None:
        raise Wrong("the extension vector is missing", "CREATE EXTENSION vector; in the database.")
    return f"pgvector {row[0]}"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise Wrong(
            f"{len(waiting)} migrations are not applied",
            "Run bin/flux migrate, or start bin/up, which does.",
        )
    return "all applied"


def _valkey() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)
    try:
        client.ping()
    finally:
        client.close()
    return "answers"


def _encoder() -> str:
    name = str(settings.DEFAULT_ENCODER)
    encoders.get(name).encode_queries(["probe"])
    if not Encoder.objects.filter(name=name).exists():
        raise Wrong(f"{name} is not set up in the database", "Run bin/up once.")
    return name


def _workers() -> str:
    names = sorted(reply for answer in app.control.ping(timeout=1.5) or [] for reply in answer)
    if not names:
        raise Wrong("no worker answers", RESTART)
    return ", ".join(names)


def _lexical() -> str:
    """Followers live, and this host has an index of each corpus."""
    followers = list(Follower.objects.filter(name=LEXICAL))
    if not followers:
        raise Wrong("no follower has ever reported", RESTART)
    silent = [f.host for f in followers if f.seen_at < timezone.now() - SILENT_AFTER]
    if len(silent) == len(followers):
        raise Wrong(f"no follower has reported for a minute ({silent[0]})", RESTART)
    return f"{lag()} changes behind"


def lag() -> int:
    """Changes that this host's indexes have still to take in; all of them without a position."""
    at = position.read(settings.LEXICAL_ROOT)
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, [str(at.xid if at else 0), at.change if at else 0])
        return int(cursor.fetchone()[0])


def _indexes() -> str:
    folders = IndexFolders(settings.LEXICAL_ROOT)
    rows = list(Corpus.objects.standing().values_list("slug", "public_id"))
    missing = [slug for slug, public_id in rows if not folders.exists(public_id)]
    broken = folders.suspects()
    if missing or broken:
        raise Wrong(
            f"{len(missing)} indexes are missing, {len(broken)} cannot be read",
            "The follower builds them anew within seconds when it runs: bin/up.",
        )
    return f"{len(rows)} corpora"


def _disk() -> str:
    free = shutil.disk_usage(_existing(settings.STATE_DIR)).free
    if free < LEAST_FREE:
        raise Wrong(f"{free >> 20} MiB are free", "Make room on the disk of FLUX_STATE.")
    return f"{free >> 30} GiB free"


def _files() -> str:
    folder = Path(settings.MEDIA_ROOT)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"probe")
    except OSError as error:
        raise Wrong(f"{folder} cannot be written: {error.strerror}", "Mend its owner.") from error
    return str(folder)


def _existing(path: Path) -> Path:
    return path if path.exists() or path == path.parent else _existing(path.parent)


def _leases() -> str:
    """Work whose lease ended long ago and that nobody has taken up."""
    long_ago = timezone.now() - STUCK_AFTER
    stuck: dict[str, Any] = {
        "files": JobFile.objects.filter(
            state__in=["queued", "reading"], job__state__in=["queued", "running"]
        ),
        "items": JobItem.objects.filter(state="running", job__state__in=["queued", "running"]),
        "deletions": Deletion.objects.exclude(state="done"),
        "runs": Run.objects.filter(status__in=["queued", "running"]),
    }
    counts = {name: rows.filter(leased_until__lt=long_ago).count() for name, rows in stuck.items()}
    found = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
    if found:
        raise Wrong(f"nobody has taken up {found} for ten minutes", RESTART)
    return "none stuck"


PARTS: dict[str, Callable[[], str]] = {
    "processes": _processes,
    "postgres": _postgres,
    "pgvector": _pgvector,
    "migrations": _migrations,
    "valkey": _valkey,
    "encoder": _encoder,
    "workers": _workers,
    "lexical": _lexical,
    "lexical indexes": _indexes,
    "disk": _disk,
    "stored files": _files,
    "leases": _leases,
}
