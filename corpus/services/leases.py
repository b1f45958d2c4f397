"""Holding work for a while. A worker that lost its lease writes nothing more."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, models
from django.utils import timezone

from flux_site.kernel.errors import Conflict


class LeaseLost(Conflict):
    """Another worker holds the work now: this one was too slow, or was thought dead."""

    code = "lease_lost"


def until() -> datetime:
    """When a lease taken now ends."""
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)


def confirm(model: type[models.Model], pk: int, token: int) -> Any:
    """Lock the row for this transaction if the lease is still ours. Raises LeaseLost otherwise.

    Rows that name it may still be written: a deletion that changes items of a file under reading
    would else wait for its reader, which waits for the corpus that the deletion holds.
    """
    row = (
        model._default_manager.select_for_update(no_key=True, of=("self",))
        .filter(pk=pk, token=token)
        .first()
    )
    if row is None:
        raise LeaseLost("The work was handed to another worker.")
    return row


@contextmanager
def kept(model: type[models.Model], held: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Prolong leases, (pk, token) each, from a thread of its own while the block runs."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(settings.LEASE_SECONDS / 3):
                for pk, token in held:
                    model._default_manager.filter(pk=pk, token=token).update(leased_until=until())
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
