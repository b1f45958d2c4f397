"""Starting, stopping and reading runs."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Membership, Team, User
from accounts.types import Role
from agent import events
from agent.models import Run, RunCorpus, RunEvent
from agent.services import log, standing
from agent.services.versions import versions_of
from agent.types import MAX_QUESTION_CHARS, MODES, VisibleEvent
from corpus.models import Corpus
from corpus.services import corpora as corpora_service
from flux_site.kernel.errors import FluxError, InvalidInput, NotFound

logger = structlog.get_logger(__name__)
# Named, not imported: tasks stand above services. A test compares it with the task's own name.
TASK, QUEUE = "agent.tasks.run_ask", "interactive"
MAX_OPEN = 50  # runs of one person that have not ended
HANDED_OUT = timedelta(seconds=20)  # a message that nobody has taken by then is sent again
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|[\ud800-\udfff]")


class TooMany(FluxError):
    """One person asks more at once than is answered for anybody."""

    code = "too_many_runs"
    status = 429
    retryable = True


def start_run(
    user: User,
    question: str,
    *,
    corpora: Sequence[str] | None = None,
    mode: str = "analyze",
    options: Mapping[str, Any] | None = None,
    team: Team | None = None,
    idempotency_key: str = "",
    parent: Run | None = None,
) -> Run:
    """Write a run and its first event, and hand it to a worker.

    `corpora` are names (slug, TEAM/SLUG or public id); none means all that the user may read. The
    same `idempotency_key` of one user gives the run that it has started.
    Raises InvalidInput for a question that is empty or too long, or an unknown mode; NotFound for a
    corpus that is absent or hidden; TooMany beside MAX_OPEN runs that have not ended.
    """
    if mode not in MODES:
        raise InvalidInput(f"A run's mode is one of: {', '.join(MODES)}.")
    asked = cleaned(question)
    scope = corpora_service.scope(user, corpora or None)
    known = _by_key(user, idempotency_key)
    if known is not None:
        return known
    _refuse_a_flood(user)
    try:
        run = _create(
            user,
            asked,
            scope,
            team=team or paying_team(user, scope),
            mode=mode,
            options=dict(options or {}),
            idempotency_key=idempotency_key,
            parent=parent,
        )
    except IntegrityError:
        known = _by_key(user, idempotency_key)
        if known is None:
            raise
        return known
    return run


def _refuse_a_flood(user: User) -> None:
    if Run.objects.filter(user=user, status__in=["queued", "running"]).count() >= MAX_OPEN:
        raise TooMany(
            f"You have {MAX_OPEN} questions under way: wait for some to end, or stop them."
        )


def cleaned(question: str) -> str:
    """A question without control characters (NUL among them). Raises InvalidInput."""
    text = _CONTROL.sub(" ", question).strip()
    if not any(char.isalnum() for char in text):
        raise InvalidInput("The question is empty: ask it in words.")
    if len(text) > MAX_QUESTION_CHARS:
        raise InvalidInput(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION_CHARS:,} are read. "
            "Add long texts as documents and ask about them."
        )
    return text


def _by_key(user: User, key: str) -> Run | None:
    return Run.objects.filter(user=user, idempotency_key=key).first() if key else None


def paying_team(user: User, scope: Iterable[Corpus]) -> Team:
    """The team that owns the first corpus in scope and that the user is in; else their own."""
    mine = set(Membership.objects.filter(user=user).values_list("team_id", flat=True))
    for corpus in scope:
        if corpus.team_id in mine:
            return corpus.team
    return Team.objects.get(personal_of=user)


@transaction.atomic
def _create(user: User, question: str, scope: Sequence[Corpus], **fields: Any) -> Run:
    run = Run.objects.create(
        user=user,
        question=question,
        versions=versions_of(scope),
        leased_until=timezone.now() + HANDED_OUT,
        **fields,
    )
    RunCorpus.objects.bulk_create(
        RunCorpus(run=run, corpus=corpus, revision=corpus.revision) for corpus in scope
    )
    start = {"run": str(run.public_id), "question": question, "mode": run.mode}
    log.write(run, [log.Entry(events.START, start)])
    transaction.on_commit(lambda: enqueue(run.pk))
    return run


def enqueue(run: int) -> None:
    """Put the run into the queue. With the broker down the sweeper does it later."""
    if not log.redis_answers():
        logger.warning("run.not_enqueued", run=run, error="Redis does not answer")
        return
    try:
        current_app.send_task(TASK, (run,), queue=QUEUE, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("run.not_enqueued", run=run, error=str(error))


def find(public_id: uuid.UUID, reader: User) -> Run:
    """A run that the reader may see. Raises NotFound."""
    run = Run.objects.visible_to(reader).filter(public_id=public_id).first()
    if run is None:
        raise NotFound()
    return run


def stop_run(public_id: uuid.UUID, user: User) -> Run:
    """Ask a run to stop; its worker does within two seconds, one that nobody has begun does at
    once.

    Its starter and the owners of its team may. Raises NotFound for anyone else, since a team's
    owner sees no more of a run than that it is there.
    """
    owned = Membership.objects.filter(user=user, role=Role.OWNER.value).values("team_id")
    allowed = Run.objects.filter(Q(user=user) | Q(team_id__in=owned))
    with transaction.atomic():
        run = allowed.select_for_update().filter(public_id=public_id).first()
        if run is None:
            raise NotFound()
        if not run.ended and run.stop_requested_at is None:
            run.stop_requested_at = timezone.now()
            run.save(update_fields=["stop_requested_at"])
        if run.status == "queued":
            close(run, "stopped", "Stopped before it began.")
    return run


def close(run: Run, status: str, reason: str = "", *, error_code: str = "") -> None:
    """End a run whose row the caller holds locked: its last events and its status, together.

    Whatever ends a run, its events end with `done`.
    """
    now = timezone.now()
    last = []
    if status == "failed":
        error = {"code": error_code or "failed", "message": reason}
        last.append(log.Entry(events.ERROR, error))
    total_ms = round((now - run.created_at).total_seconds() * 1000)
    run.timings = run.timings | {"total_ms": total_ms}
    done = {
        "status": status,
        "reason": reason,
        "cost_usd": run.cost_microusd / 1e6,
        "total_ms": total_ms,
        "model": run.versions.get("models", {}).get("answer"),
    }
    log.write(run, [*last, log.Entry(events.DONE, done)])
    run.status, run.reason, run.finished_at, run.leased_until = status, reason, now, None
    run.save(
        update_fields=[
            "status",
            "reason",
            "finished_at",
            "leased_until",
            "timings",
            "versions",
            "cost_microusd",
        ]
    )


def readable_ids(reader: User) -> frozenset[int]:
    """Database ids of the corpora that a reader may read now."""
    return frozenset(Corpus.objects.readable_by(reader).values_list("pk", flat=True))


def readable_in(run: Run, reader: User) -> frozenset[int]:
    """The same, and for the asker the deleted corpora whose quotes they keep in this run."""
    readable = readable_ids(reader)
    if run.user_id != reader.pk:
        return readable
    return readable | set(run.kept_corpora.values_list("corpus", flat=True))


def events_for(
    run: Run, readable: frozenset[int], *, after: int = 0, limit: int = 1_000
) -> tuple[list[VisibleEvent], int]:
    """Events after a number as a reader of the corpora `readable` may see them, and the last
    number that was looked at (hidden ones included).
    """
    rows = RunEvent.objects.filter(run_id=run.pk, seq__gt=after).order_by("seq")[:limit]
    found, last = [], after
    for row in rows:
        last = row.seq
        payload = events.visible(row.kind, row.payload, row.corpora, readable)
        if payload is not None:
            found.append(VisibleEvent(run.public_id, row.seq, row.kind, payload))
    return found, last


def final_for(run: Run, readable: frozenset[int]) -> dict[str, Any] | None:
    """The FinalAnswer of a run as a reader may see it; None before there is one."""
    row = RunEvent.objects.filter(run_id=run.pk, kind=events.FINAL).order_by("-seq").first()
    if row is None:
        return None
    payload = events.visible(row.kind, row.payload, row.corpora, readable)
    return payload["result"] if payload else None


def result_for(run: Run, reader: User) -> dict[str, Any]:
    """A run as commands and API give it (FORMS, ask)."""
    readable = readable_ids(reader)
    names = dict(Corpus.objects.filter(pk__in=readable, runs=run).values_list("public_id", "slug"))
    versions = dict(run.versions)
    revisions = versions.get("corpora", {})
    known = {str(public_id) for public_id in names}
    versions["corpora"] = {key: value for key, value in revisions.items() if key in known}
    if known != set(revisions):
        versions.pop("dataset", None)  # made from hidden corpora as well
    final = final_for(run, readable_in(run, reader))
    stands = standing.of_answer(run, final["citations"], reader) if final else []
    if final and stands:
        final = final | {"warnings": [*final["warnings"], *standing.warnings(stands)]}
    return {
        "run": str(run.public_id),
        "status": run.status,
        "reason": run.reason,
        "mode": run.mode,
        "question": run.question,
        "corpora": sorted(names.values()),
        "final": final,
        "standing": [stand.as_json() for stand in stands],
        "timings": {"first_event_ms": None, "total_ms": None} | run.timings,
        "cost_usd": run.cost_microusd / 1e6,
        "versions": versions,
        "created_at": run.created_at.isoformat(),
    }


def wait_for_end(run: Run, *, timeout_s: float, every_s: float = 0.1) -> Run:
    """Look at a run until it has ended or the time is up; returns it as it stands then."""
    deadline = time.monotonic() + timeout_s
    while True:
        run.refresh_from_db()
        if run.ended or time.monotonic() >= deadline:
            return run
        if not connection.in_atomic_block:
            connection.close()  # whoever waits holds nothing that the answer needs
        time.sleep(every_s)
