"""Tests run at once do not meet: each worker of pytest-xdist has a PostgreSQL and a Valkey.

Databases of one server are not apart enough: followers of the change log wait for the oldest
transaction of the whole server. Loaded by `-p` before the settings are, which read the variables.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

import pytest

SERVERS = "FLUX_TEST_SERVERS"  # a JSON list: the variables of each worker


def variables_of(worker: str, servers: str) -> Mapping[str, str]:
    """What the worker `gw1` sets: the second of the list; nothing for a run in one process.

    Raises: UsageError when there are more workers than servers.
    """
    given: list[Mapping[str, str]] = json.loads(servers or "[]")
    if not worker or not given:
        return {}
    number = int(worker.removeprefix("gw"))
    if number >= len(given):
        raise pytest.UsageError(
            f"There are servers for {len(given)} worker(s), and -n asks for more: run bin/test."
        )
    return given[number]


os.environ.update(
    variables_of(os.environ.get("PYTEST_XDIST_WORKER", ""), os.environ.get(SERVERS, ""))
)
