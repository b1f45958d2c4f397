"""The stream of a run's page: each event as the HTML that replaces a part of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    StreamingHttpResponse,
)
from django.template.loader import render_to_string

from accounts.models import User
from accounts.services.credentials import Credential
from agent import events
from agent.live.database import in_database
from agent.live.follow import follow
from agent.live.sse import last_seen
from agent.models import Run
from agent.services import runs
from agent.types import VisibleEvent
from agent.web import page
from agent.web.progress import Progress, verdicts
from agent.web.shell import count_running
from flux_site.kernel import sse
from flux_site.kernel.errors import FluxError


async def run_events(request: HttpRequest, run: UUID) -> HttpResponseBase:
    """GET /runs/ID/events/: what comes after Last-Event-ID, as parts of the page.

    204 when the run has ended and nothing is left to tell, so that the page stops asking.
    """
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    reader = await request.auser()
    if not reader.is_authenticated:
        return HttpResponse(status=404)
    try:
        found = await in_database(runs.find, run, reader)
    except FluxError as error:
        return HttpResponse(status=error.status)
    after = last_seen(request, found)
    if found.ended and after >= found.last_seq:
        return HttpResponse(status=204)
    credential = Credential(session=request.session.session_key or "")
    frames = _frames(found, reader, credential, after)
    response = StreamingHttpResponse(frames, content_type=sse.CONTENT_TYPE)
    for name, value in sse.HEADERS.items():
        response.headers[name] = value
    return response


async def _frames(run: Run, reader: User, credential: Credential, after: int) -> AsyncIterator[str]:
    yield sse.comment("stream")
    telling = await in_database(_before, run, reader, after)
    async for event in follow(run, reader, credential, after=after):
        yield sse.HEARTBEAT if event is None else await in_database(_frame, telling, event, reader)


def _before(run: Run, reader: User, after: int) -> Progress:
    """What the page knows already: the events up to the one it has seen."""
    progress = Progress(run)
    readable = runs.readable_in(run, reader)
    if after:
        for event in runs.events_for(run, readable, limit=after)[0]:
            progress.take(event)
    return progress


def _frame(progress: Progress, event: VisibleEvent, reader: User) -> str:
    """One event of the stream. Text of tokens goes as text, everything else as HTML."""
    progress.take(event)
    event_id = str(sse.EventId(event.run, event.seq))
    if event.kind == events.TOKEN:
        return sse.frame(event.payload["text"], event=event.kind, event_id=event_id)
    if event.kind in {events.FINAL, events.DONE, events.ERROR}:
        progress.run.refresh_from_db()
    parts = PARTS.get(event.kind)
    html = parts(progress, reader) if parts else ""
    return sse.frame(html, event=event.kind, event_id=event_id)


def _citations(progress: Progress, reader: User) -> str:
    waiting = _verdicts(progress, reader)
    return _panel(progress, reader) + _aside("verdicts", waiting)


def _panel(progress: Progress, reader: User) -> str:
    return _html("evidence_panel", {"evidence": page.panel(progress, reader)})


def _verdicts(progress: Progress, reader: User) -> str:
    return _html("answer_verdicts", {"verdicts": verdicts(progress)})


def _body(progress: Progress, reader: User) -> str:
    return _html("answer_body", {"answer": page.body(progress, reader)})


def _final(progress: Progress, reader: User) -> str:
    """The checked answer, once; verdicts and evidence change with it."""
    return (
        _body(progress, reader)
        + _aside("verdicts", _verdicts(progress, reader))
        + _aside("evidence", _panel(progress, reader))
    )


def _done(progress: Progress, reader: User) -> str:
    """How the run went. A run without an answer says why where the answer would stand."""
    html = _html("run_head", {"run": page.head(progress, reader)})
    html += _aside("running", _html("running", {"running_runs": count_running(reader)}))
    if progress.result is not None:
        return html
    return (
        html
        + _aside("answer", _body(progress, reader))
        + _aside("verdicts", _verdicts(progress, reader))
        + _aside("evidence", _panel(progress, reader))
    )


def _aside(target: str, html: str) -> str:
    """A part that goes elsewhere than where its event is listened for."""
    return f'<div id="{target}" hx-swap-oob="innerHTML">{html}</div>'


def _html(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"partials/{name}.html", context)


PARTS: dict[str, Callable[[Progress, User], str]] = {
    events.CITATIONS: _citations,
    events.JUDGE: _verdicts,
    events.FINAL: _final,
    events.ERROR: _body,
    events.DONE: _done,
}
