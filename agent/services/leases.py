"""Who works on a run: leases, their renewal, and runs whose worker is gone."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections, transaction
from django.db.models import F
from django.utils import timezone

from agent.models import Run
from agent.services import runs

log = structlog.get_logger(__name__)
ATTEMPTS = 2  # a run whose worker has died is begun again this often in all
LATELY = timedelta(seconds=60)
LOOK_S = 0.4  # how often a stop is looked for


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a run. `stop` is set when someone wants it to end, or the lease is
    lost.
    """

    run: int
    token: int
    stop: threading.Event = field(default_factory=threading.Event)


def take(run: int) -> Lease | None:
    """Begin to work on a run; None when it has ended or another worker has it."""
    now = timezone.now()
    with transaction.atomic():
        row = Run.objects.select_for_update().filter(pk=run).first()
        if row is None or row.ended:
            return None
        if row.status == "running" and row.leased_until and row.leased_until > now:
            return None
        row.status, row.token, row.attempts = "running", row.token + 1, row.attempts + 1
        row.leased_until = now + timedelta(seconds=settings.LEASE_SECONDS)
        row.started_at = row.started_at or now
        row.save(update_fields=["status", "token", "attempts", "leased_until", "started_at"])
    lease = Lease(run, row.token)
    keeper.keep(lease)
    return lease


def take_in_turn(run: int) -> Lease | None:
    """Begin to work on whichever run is next, when this one was handed to us.

    A run that was queued is exchanged for that of the person who has had the fewest answers lately:
    someone's hundred questions do not keep everybody else waiting. Each run was handed out once, so
    what is passed over here is taken up when the other's turn would have come.
    """
    for candidate in dict.fromkeys((*_next(run), run)):
        if lease := take(candidate):
            return lease
    return None


def _next(run: int) -> list[int]:
    """Queued runs in the order in which they are due; none when this one was not queued."""
    queued = list(Run.objects.filter(status="queued").order_by("pk").values_list("pk", "user_id"))
    if run not in {pk for pk, _ in queued}:
        return []
    lately = timezone.now() - LATELY
    started = Run.objects.filter(started_at__gte=lately).values_list("user_id", flat=True)
    had = Counter(started)
    return [pk for pk, user in sorted(queued, key=lambda one: (had[one[1]], one[0] != run, one[0]))]


def give_up(lease: Lease) -> None:
    """Stop renewing it."""
    keeper.drop(lease)


class Keeper:
    """One thread of a process that renews all its leases and looks for stops, in one query."""

    def __init__(self) -> None:
        self._held: dict[int, Lease] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def keep(self, lease: Lease) -> None:
        """Look after a lease from now on."""
        with self._lock:
            self._held[lease.run] = lease
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="leases", daemon=True)
                self._thread.start()

    def drop(self, lease: Lease) -> None:
        """Forget a lease."""
        with self._lock:
            if self._held.get(lease.run) is lease:
                del self._held[lease.run]

    def _work(self) -> None:
        renewed = time.monotonic()
        while True:
            with self._lock:
                held = dict(self._held)
                if not held:
                    self._thread = None
                    break
            renew = time.monotonic() - renewed > settings.LEASE_SECONDS / 3
            try:
                close_old_connections()
                self._look(held, renew=renew)
                renewed = time.monotonic() if renew else renewed
            except DatabaseError as error:  # comes back by itself; the lease has time
                log.warning("leases.database", error=str(error))
            time.sleep(LOOK_S)
        connections.close_all()

    def _look(self, held: dict[int, Lease], *, renew: bool) -> None:
        rows = Run.objects.filter(pk__in=held).values_list("pk", "token", "stop_requested_at")
        states = {pk: (token, asked) for pk, token, asked in rows}
        for run, lease in held.items():
            token, asked = states.get(run, (lease.token, None))
            if token != lease.token or asked is not None:
                lease.stop.set()
        if renew:
            until = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
            for lease in held.values():
                Run.objects.filter(pk=lease.run, token=lease.token, status="running").update(
                    leased_until=until
                )


keeper = Keeper()


def sweep(*, limit: int = 100) -> int:
    """Hand out again the runs that nobody works on; how many were touched.

    A queued run whose message was lost is sent again. A running one whose worker is gone is begun
    again, or failed with a reason when that has happened before.
    """
    now = timezone.now()
    touched = []
    with transaction.atomic():
        stale = Run.objects.filter(status__in=["queued", "running"], leased_until__lt=now)
        for run in stale.select_for_update(skip_locked=True).order_by("pk")[:limit]:
            if run.status == "running" and _worker_died(run):
                continue
            Run.objects.filter(pk=run.pk).update(
                status="queued", leased_until=now + runs.HANDED_OUT, token=F("token") + 1
            )
            touched.append(run.pk)
        for pk in touched:
            transaction.on_commit(lambda pk=pk: runs.enqueue(pk))  # type: ignore[misc]
    return len(touched)


def _worker_died(run: Run) -> bool:
    """Close a run that cannot be begun again; whether it was closed."""
    if run.stop_requested_at is not None:
        runs.close(run, "stopped", "Stopped; its worker had gone.")
        return True
    if run.attempts >= ATTEMPTS:
        runs.close(
            run, "failed", "The worker stopped twice while answering.", error_code="worker_lost"
        )
        return True
    return False
