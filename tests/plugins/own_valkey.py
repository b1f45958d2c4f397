"""Tests run at once do not meet in Valkey: each worker of pytest-xdist has a database of its own.

Loaded by `-p` before the settings are, which read REDIS_URL; pytest-django names the databases of
PostgreSQL apart in the same way.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit, urlunsplit


def apart(url: str, worker: str) -> str:
    """The address of a worker's own database; the worker `gw1` has number 1."""
    number = worker.removeprefix("gw")
    return urlunsplit(urlsplit(url)._replace(path=f"/{number}")) if number and url else url


if "REDIS_URL" in os.environ:
    os.environ["REDIS_URL"] = apart(
        os.environ["REDIS_URL"], os.environ.get("PYTEST_XDIST_WORKER", "")
    )
