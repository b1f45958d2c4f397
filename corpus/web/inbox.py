"""Watched folders as the page of a corpus shows them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.web.formats import ago, counted
from accounts.web.requests import SignedInRequest
from corpus.models import Corpus, Watched
from corpus.services import watching
from corpus.web.rows import State

WATCHED = State("Watched", "ok", "ok")
PAUSED = State("Paused", "warn", "pause")
AWAY = State("Not read", "bad", "bad")


def block(request: SignedInRequest, corpus: Corpus, url: str, error: str) -> dict[str, Any] | None:
    """The folders of a corpus and the form for another; None where nothing can be
    watched.
    """
    rows = Watched.objects.visible_to(request.user).filter(corpus=corpus)
    folders = [_row(row) for row in rows.select_related("corpus")]
    roots = [str(root) for root in settings.WATCH_ROOTS]
    if not (folders or roots or error):
        return None
    return {
        "url": url,
        "folders": folders,
        "roots": roots,
        "path": request.POST.get("path", ""),
        "error": error,
    }


def _row(row: Watched) -> dict[str, Any]:
    told = watching.summary(row)
    toggle = ("resume", "Resume", "refresh") if row.paused else ("pause", "Pause", "pause")
    return {
        "path": row.path,
        "state": PAUSED if row.paused else AWAY if row.error else WATCHED,
        "line": _line(told, row),
        "error": row.error,
        "url": reverse("corpus:watched", args=[row.public_id]),
        "actions": [
            {"value": value, "label": label, "icon": icon}
            for value, label, icon in (toggle, ("remove", "Remove", "x"))
        ],
    }


def _line(told: dict[str, Any], row: Watched) -> str:
    parts = [f"{counted(told['taken'], 'file')} taken in"]
    if told["refused"]:
        parts.append(f"{told['refused']} refused: see the jobs")
    if told["waiting"]:
        parts.append(f"{told['waiting']} still arriving")
    if row.scanned_at is None:
        return " · ".join([*parts, "not looked at yet"])
    when = ago(row.scanned_at)
    parts.append("looked at just now" if when == "now" else f"last looked at: {when}")
    return " · ".join(parts)
