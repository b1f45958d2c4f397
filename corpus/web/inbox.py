"""Watched folders and feeds as the page of a corpus shows them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.web.formats import ago, counted
from accounts.web.requests import SignedInRequest
from corpus.models import Corpus, Watched
from corpus.services import watching
from corpus.web.kinds import source_label
from corpus.web.rows import State

WATCHED = State("Watched", "ok", "ok")
DAILY = State("Each day", "ok", "ok")
PAUSED = State("Paused", "warn", "pause")
AWAY = State("Not read", "bad", "bad")


def block(request: SignedInRequest, corpus: Corpus, url: str, error: str) -> dict[str, Any] | None:
    """What is watched for a corpus and the form for another folder; None where there is neither.

    Feeds are begun where their source is asked (partials/fetch.html).
    """
    rows = Watched.objects.visible_to(request.user).filter(corpus=corpus)
    watched = [_row(row) for row in rows.select_related("corpus")]
    roots = [str(root) for root in settings.WATCH_ROOTS]
    if not (watched or roots or error):
        return None
    return {
        "url": url,
        "watched": watched,
        "roots": roots,
        "path": request.POST.get("path", ""),
        "error": error,
    }


def _row(row: Watched) -> dict[str, Any]:
    told = watching.summary(row)
    toggle = ("resume", "Resume", "refresh") if row.paused else ("pause", "Pause", "pause")
    return {
        "name": f"{source_label(row.source)}: {row.query}" if row.is_feed else row.path,
        "state": _state(row, told["error"]),
        "line": " · ".join([*_counts(told, row), _when(row)]),
        "error": told["error"],
        "url": reverse("corpus:watched", args=[row.public_id]),
        "actions": [
            {"value": value, "label": label, "icon": icon}
            for value, label, icon in (toggle, ("remove", "Remove", "x"))
        ],
    }


def _state(row: Watched, error: str) -> State:
    if row.paused:
        return PAUSED
    if error:
        return AWAY
    return DAILY if row.is_feed else WATCHED


def _counts(told: dict[str, Any], row: Watched) -> list[str]:
    parts = [f"{counted(told['taken'], 'record' if row.is_feed else 'file')} taken in"]
    if told["refused"]:
        parts.append(f"{told['refused']} refused: see the jobs")
    if told["waiting"]:
        parts.append(f"{told['waiting']} {'under way' if row.is_feed else 'still arriving'}")
    return parts


def _when(row: Watched) -> str:
    done = "asked" if row.is_feed else "looked at"
    if row.scanned_at is None:
        return f"not {done} yet"
    when = ago(row.scanned_at)
    return f"{done} just now" if when == "now" else f"last {done}: {when}"
