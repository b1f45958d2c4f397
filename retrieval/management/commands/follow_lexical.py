"""bin/flux follow_lexical: the process that keeps this host's lexical indexes."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection

from flux_site.runtime.state import mark_ready
from retrieval.lexical.follower import LexicalFollower
from retrieval.lexical.index import BrokenIndex

log = structlog.get_logger(__name__)

CHANNEL = "flux_change"
POLL_SECONDS = 0.5  # also without a notification: one may be lost
BEAT_SECONDS = 10.0
RETRY_SECONDS = 1.0


class Command(BaseCommand):
    """Follow the change log until told to stop; a lost database is waited for."""

    help = "Keep this host's lexical indexes up to the change log."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """--once applies what there is and ends."""
        parser.add_argument("--once", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until SIGTERM or SIGINT."""
        if options["once"]:
            follower = LexicalFollower(settings.LEXICAL_ROOT)
            follower.start()
            follower.catch_up()
            follower.beat()
            follower.close()
            return
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        keep_following(settings.LEXICAL_ROOT, stop)


def keep_following(root: Path, stop: threading.Event) -> None:
    """Follow until `stop` is set; a lost database or a full disk is waited for."""
    while not stop.is_set():
        follower = LexicalFollower(root)
        try:
            follow(follower, stop)
        except (DatabaseError, psycopg.Error) as error:
            log.warning("lexical.database_lost", error=str(error))
            connection.close()
        except (BrokenIndex, OSError) as error:
            log.warning("lexical.disk_refused", error=str(error))
        finally:
            follower.close()
        stop.wait(RETRY_SECONDS)


def follow(follower: LexicalFollower, stop: threading.Event) -> None:
    """Apply changes as they come, until `stop` is set. Raises DatabaseError when it is lost."""
    follower.start()
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    follower.catch_up()
    follower.beat()
    mark_ready("lexical")
    next_beat = time.monotonic() + BEAT_SECONDS
    while not stop.is_set():
        applied = follower.step()
        if time.monotonic() >= next_beat:
            follower.mend_suspects()
            follower.beat()
            next_beat = time.monotonic() + BEAT_SECONDS
        if not applied:
            _wait(POLL_SECONDS)


def _wait(seconds: float) -> None:
    """Until the database notifies of a change, or for some time."""
    raw = connection.connection
    for _ in raw.notifies(timeout=seconds, stop_after=1):
        return
