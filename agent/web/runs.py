"""Runs as rows: what was asked, what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse

from accounts.models import User
from accounts.web.formats import ago, money, shortened
from agent.models import Answer, Claim, Run, RunCorpus
from corpus.models import Corpus
from corpus.web.rows import State

SHOWN_QUESTION = 160

LIVE_STATES = {
    "queued": State("Queued", "acc", "clock", live=True),
    "running": State("Answering", "acc", "spin", live=True),
}
END_STATES = {
    "failed": State("Failed", "bad", "bad"),
    "stopped": State("Stopped", "line", "stop"),
    "abstained": State("Not answered", "line", "unsure"),
}
SUPPORTED = State("Supported", "ok", "ok")


def run_rows(runs: Sequence[Run], reader: User) -> list[dict[str, Any]]:
    """Rows of partials/run_table.html. Claims that cite hidden corpora are not counted."""
    claims = _claims(runs, reader)
    confidence = _confidence(runs, reader)
    return [_row(run, claims.get(run.pk), confidence.get(run.pk)) for run in runs]


def _row(run: Run, claims: Mapping[str, int] | None, confidence: float | None) -> dict[str, Any]:
    answered = run.status == "done" and confidence is not None
    return {
        "question": shortened(run.question, SHOWN_QUESTION),
        "url": reverse("agent:run", args=[run.public_id]),
        "mode": run.get_mode_display(),
        "state": state_of(run, claims),
        "confidence": f"{confidence:.2f}" if answered else "",
        "cost": money(run.cost_microusd),
        "when": ago(run.created_at),
        "iso": run.created_at.isoformat(),
        "starter": run.user.display_name,
    }


def overseen_rows(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Runs under way in a team, for its owner: that they are there, whose, at what cost."""
    return [
        {
            "question": "A question of another member",
            "url": "",
            "mode": run.get_mode_display(),
            "state": state_of(run, None),
            "confidence": "",
            "cost": money(run.cost_microusd),
            "when": ago(run.created_at),
            "iso": run.created_at.isoformat(),
            "starter": run.user.display_name,
            "stop_url": reverse("agent:stop", args=[run.public_id]),
        }
        for run in runs
    ]


def state_of(run: Run, claims: Mapping[str, int] | None) -> State:
    """How a run stands; a finished one by the checks of its claims."""
    if run.status in LIVE_STATES:
        return LIVE_STATES[run.status]
    if run.status in END_STATES:
        return END_STATES[run.status]
    if not claims or not claims["all"]:
        return State("Done", "line", "check")
    doubted = claims["all"] - claims["good"]
    if not doubted:
        return SUPPORTED
    return State(f"{doubted} of {claims['all']} to check", "warn", "unsure")


def _claims(runs: Iterable[Run], reader: User) -> dict[int, dict[str, int]]:
    visible = Claim.objects.visible_to(reader).filter(answer__run__in=[run.pk for run in runs])
    rows = (
        visible.order_by()
        .values("answer__run")
        .annotate(all=Count("pk"), good=Count("pk", filter=Q(status="supported")))
    )
    return {row["answer__run"]: {"all": row["all"], "good": row["good"]} for row in rows}


def _confidence(runs: Iterable[Run], reader: User) -> dict[int, float]:
    """Of the latest revision of each answer that the reader sees whole."""
    visible = Answer.objects.visible_to(reader).filter(run__in=[run.pk for run in runs])
    answers = visible.exclude(run__in=partly_hidden(reader))
    return dict(answers.order_by("run", "revision").values_list("run", "confidence"))


def partly_hidden(reader: User) -> Any:
    """Runs over a corpus that the reader may not read (any more)."""
    readable = Corpus.objects.readable_by(reader).values("pk")
    return RunCorpus.objects.exclude(corpus__in=readable).values("run")
