"""The page of one run, whole and in the parts that its stream replaces."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from accounts.models import User
from accounts.types import Role
from accounts.web.formats import counted
from agent.models import Run
from agent.services import runs
from agent.web import answer, evidence
from agent.web.progress import Progress, verdicts
from agent.web.runs import LIVE_STATES, state_of
from corpus.models import Corpus
from flux_site.kernel.sse import EventId


def context(progress: Progress, reader: User) -> dict[str, Any]:
    """Everything that agent/run.html shows."""
    return {
        "run": head(progress, reader),
        "verdicts": verdicts(progress),
        "answer": body(progress, reader),
        "evidence": panel(progress, reader),
    }


def head(progress: Progress, reader: User) -> dict[str, Any]:
    """The question, and how the run goes or went."""
    run = progress.run
    live = not run.ended
    return {
        "question": run.question,
        "live": live,
        "done": run.ended and progress.result is not None,
        "state": LIVE_STATES[run.status] if live else state_of(run, None),
        "facts": answer.facts(run, _corpora(run, reader), by=_other(run, reader)),
        "said": "" if live else "The run has ended.",
        "stop_url": reverse("agent:stop", args=[run.public_id])
        if live and _may_stop(run, reader)
        else "",
        "events_url": reverse("agent:events", args=[run.public_id]),
        "last_event": str(EventId(run.public_id, progress.last_seq)),
    }


def _corpora(run: Run, reader: User) -> list[str]:
    """Names of the corpora asked that the reader may read."""
    readable = Corpus.objects.readable_by(reader).filter(runs=run)
    return list(readable.order_by("name").values_list("name", flat=True))


def _other(run: Run, reader: User) -> str:
    """Who asked, when it was not the reader."""
    return "" if run.user_id == reader.pk else run.user.display_name


def _may_stop(run: Run, reader: User) -> bool:
    owns = reader.memberships.filter(team=run.team_id, role=Role.OWNER.value)
    return run.user_id == reader.pk or owns.exists()


def body(progress: Progress, reader: User) -> dict[str, Any]:
    """The answer in the state it is in."""
    run = progress.run
    result = progress.result
    if result is not None and result["mode"] == "fallback":
        return answer.failed(run, " ".join(result["warnings"]), "failed_checks")
    if result is not None:
        whole = runs.result_for(run, reader)
        shown = dict(result)
        if whole["final"] is not None:  # how cited papers stand now is told with the warnings
            shown["warnings"] = whole["final"]["warnings"]
        return answer.final(run, shown, whole["versions"], len(progress.found or []))
    if progress.error is not None:
        return answer.failed(run, progress.error["message"], progress.error.get("code", ""))
    if run.ended:
        return answer.failed(run, run.reason or "It ended without an answer.")
    return {"state": "waiting", "doing": _doing(progress), "raw": progress.raw}


def _doing(progress: Progress) -> str:
    if progress.raw:
        return "Writing"
    if progress.found is not None:
        return f"Reading {counted(len(progress.found), 'passage')}"
    return "Waiting for a worker" if progress.run.status == "queued" else "Searching your sources"


def panel(progress: Progress, reader: User) -> dict[str, Any]:
    """The evidence panel."""
    sources = progress.sources
    cited = progress.result is not None and bool(progress.result["citations"])
    rows = evidence.items(sources, reader, open_first=bool(sources))
    waiting = progress.found is None and not progress.run.ended
    label = counted(len(rows), "source" if cited else "passage") if rows else ""
    return {
        "items": rows,
        "label": label,
        "state": "waiting" if waiting else "",
        "said": f"{label} found." if label and not cited else "",
        "empty": "No passage was found.",
    }
