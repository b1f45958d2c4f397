"""Whose turn it is: the team that has had the least of the workers lately.

Least attained service first, by team: a newcomer with one file is served before the ten thousand
records of a team that has had the workers all along, and two teams with much to do share alike.
What a team has had fades, so that last night's import is held against nobody. Source: the policy
"least attained service" (Rai, Urvoy-Keller, Biersack, SIGMETRICS 2003).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from corpus.models import IngestJob, JobFile, JobItem, JobTurn

HALF_LIFE_S = 300.0
AHEAD_S = 1.0  # of work that a team may be ahead of one that waits, so that turns are not crumbs
LOOK_EVERY_S = 0.5
OPEN_STATES = ("queued", "running")

CHARGE = """
INSERT INTO corpus_jobturn AS had (team_id, spent_s, at) VALUES (%s, %s, now())
ON CONFLICT (team_id) DO UPDATE SET
    spent_s = excluded.spent_s
        + had.spent_s * power(0.5, greatest(0, extract(epoch FROM now() - had.at)) / %s),
    at = excluded.at
"""


def charge(team_id: int, seconds: float) -> None:
    """Add to what a team has had."""
    with connection.cursor() as cursor:
        cursor.execute(CHARGE, [team_id, seconds, HALF_LIFE_S])


def spent() -> dict[int, float]:
    """Seconds that each team has had, as they count now; a clock that was set back adds none."""
    now = timezone.now()
    ages = {turn: max(0.0, (now - turn.at).total_seconds()) for turn in JobTurn.objects.all()}
    return {turn.team_id: turn.spent_s * 0.5 ** (age / HALF_LIFE_S) for turn, age in ages.items()}


def in_turn(jobs: Sequence[IngestJob]) -> list[IngestJob]:
    """Jobs as they are served: the team that has had least first, of one team by priority and age.

    Priority orders a team's own jobs: nobody can push another team back with it.
    """
    had = spent()
    team = {job.pk: job.corpus.team_id for job in jobs}
    return sorted(
        jobs, key=lambda job: (had.get(team[job.pk], 0.0), team[job.pk], -job.priority, job.pk)
    )


@dataclass
class Slice:
    """One turn of one job: over after `seconds`, when it is another's turn, or when the lease is
    lost.
    """

    job: IngestJob
    seconds: float
    still_ours: Callable[[], bool] = lambda: True
    started: float = field(default_factory=time.monotonic)
    _looked: float = 0.0
    _over: bool = False

    def over(self) -> bool:
        """Whether to stop after the batch just done."""
        now = time.monotonic()
        if self._over or now - self.started > self.seconds:
            return True
        if now - self._looked >= LOOK_EVERY_S:
            self._looked = now
            self._over = not self.still_ours() or _anothers_turn(self.job, now - self.started)
        return self._over


def _anothers_turn(job: IngestJob, used_s: float) -> bool:
    """Whether work waits that goes before this job's."""
    others = IngestJob.objects.filter(state__in=OPEN_STATES).exclude(pk=job.pk)
    waiting = others.filter(_has_waiting())
    team = job.corpus.team_id
    if waiting.filter(corpus__team=team, priority__gt=job.priority).exists():
        return True
    teams = set(waiting.exclude(corpus__team=team).values_list("corpus__team", flat=True))
    if not teams:
        return False
    had = spent()
    ours = had.get(team, 0.0) + used_s
    return any(had.get(other, 0.0) + AHEAD_S < ours for other in teams)


def _has_waiting() -> Q:
    """Jobs with a part that no worker has begun: not leased, or leased and still in the broker."""
    not_begun = Q(leased_until=None) | Q(leased_until__lte=timezone.now()) | Q(attempts=0)
    files = JobFile.objects.filter(not_begun, state__in=["queued", "reading"])
    items = JobItem.objects.filter(not_begun, state="running")
    return Q(pk__in=files.values("job")) | Q(pk__in=items.values("job"))


def any_at_work() -> bool:
    """Whether an open job has something to read or to advance here: one that waits for its source
    has not.
    """
    files = JobFile.objects.filter(state__in=["queued", "reading"], job__state__in=OPEN_STATES)
    items = JobItem.objects.filter(state="running", job__state__in=OPEN_STATES)
    return files.exists() or items.exists()
