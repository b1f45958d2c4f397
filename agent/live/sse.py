"""Streams over HTTP: plain async views that share the API's authentication, throttles and scope.

A request with `Last-Event-ID` resumes that run and starts nothing, so that a browser that
reconnects never pays twice.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import ApiToken, User
from accounts.services.credentials import Credential
from accounts.types import Scope
from agent.live.database import in_database
from agent.live.follow import follow
from agent.models import Run
from agent.services import runs
from agent.types import VisibleEvent
from flux_site.kernel import api, sse
from flux_site.kernel.errors import InvalidInput, NotAllowed

Render = Callable[[VisibleEvent], str]


async def query_stream(request: HttpRequest) -> HttpResponseBase:
    """GET /api/v1/query/stream?question=&corpus=: start a run and stream it, or resume one."""
    return await _answered(request, Scope.ASK, _start_or_resume)


async def run_events(request: HttpRequest, run: UUID) -> HttpResponseBase:
    """GET /api/v1/runs/ID/events: a run's events, from the first or after Last-Event-ID."""

    def find(caller: Request) -> tuple[Run, int]:
        found = runs.find(run, cast(User, caller.user))
        return found, last_seen(request, found)

    return await _answered(request, Scope.READ, find)


def stream(
    run: Run,
    reader: User,
    credential: Credential,
    *,
    after: int = 0,
    render: Render | None = None,
) -> StreamingHttpResponse:
    """A response that follows a run; `render` makes the frame of an event, JSON by default."""
    response = StreamingHttpResponse(
        _frames(run, reader, credential, after, render or json_frame), content_type=sse.CONTENT_TYPE
    )
    for name, value in sse.HEADERS.items():
        response.headers[name] = value
    return response


def json_frame(event: VisibleEvent) -> str:
    """An event as the API sends it; its data carries its number as `seq`."""
    event_id = str(sse.EventId(event.run, event.seq))
    return sse.json_frame(event.payload | {"seq": event.seq}, event=event.kind, event_id=event_id)


def last_seen(request: HttpRequest, run: Run) -> int:
    """The number of the last event of this run that the reader has; 0 for none or another run's."""
    event_id = sse.parse_event_id(request.headers.get("Last-Event-ID"))
    return event_id.seq if event_id is not None and event_id.run == run.public_id else 0


async def _frames(
    run: Run, reader: User, credential: Credential, after: int, render: Render
) -> AsyncIterator[str]:
    yield sse.comment("stream")  # proxies pass headers on with the first byte
    async for event in follow(run, reader, credential, after=after):
        yield sse.HEARTBEAT if event is None else render(event)


async def _answered(
    request: HttpRequest, scope: Scope, choose: Callable[[Request], tuple[Run, int]]
) -> HttpResponseBase:
    """Check the caller, choose the run, stream it; errors as problem+json."""

    def begin() -> tuple[Run, int, User, Credential] | HttpResponse:
        view = _Door()
        view.scope = scope
        try:
            caller = view.admit(request)
            run, after = choose(caller)
            return run, after, cast(User, caller.user), _credential(caller)
        except Exception as error:
            return view.problem(error)

    found = await in_database(begin)
    if isinstance(found, HttpResponse):
        return found
    run, after, reader, credential = found
    return stream(run, reader, credential, after=after)


class _Door(APIView):
    """The API's checks, for views outside the REST framework."""

    scope: Scope = Scope.READ

    def admit(self, request: HttpRequest) -> Request:
        """The caller, authenticated, allowed and within their rate."""
        self.args, self.kwargs = (), {}
        self.headers: dict[str, str] = {}
        self.format_kwarg = None
        self.request = self.initialize_request(request)
        if request.method != "GET":
            self.http_method_not_allowed(self.request)
        self.perform_authentication(self.request)
        self.check_permissions(self.request)
        self.check_throttles(self.request)
        return self.request

    def problem(self, error: Exception) -> HttpResponse:
        """The error as the API tells it. What is no error of ours is raised."""
        if hasattr(self, "request") and hasattr(error, "status_code"):
            header = self.get_authenticate_header(self.request)
            if (
                header
                and error.status_code in {401, 403}
                and not self.request.user.is_authenticated
            ):
                error.auth_header = header  # type: ignore[attr-defined]
                error.status_code = 401
        answer = api.problem(error, {"view": self, "request": getattr(self, "request", None)})
        if answer is None:
            raise error
        response = HttpResponse(
            json.dumps(answer.data, default=str),
            status=answer.status_code,
            content_type=api.PROBLEM,
        )
        for name, value in answer.headers.items():
            if name.lower() != "content-type":
                response.headers[name] = value
        return response


def _start_or_resume(caller: Request) -> tuple[Run, int]:
    user, request = cast(User, caller.user), caller._request
    event_id = sse.parse_event_id(request.headers.get("Last-Event-ID"))
    if event_id is not None:
        _may_resume(caller)
        return runs.find(event_id.run, user), event_id.seq
    _may_start(caller)
    asked: dict[str, Any] = request.GET
    question = asked.get("question", "")
    if not question:
        raise InvalidInput("The question is missing: add ?question=…")
    run = runs.start_run(
        user,
        question,
        corpora=request.GET.getlist("corpus") or None,
        mode=asked.get("mode") or "analyze",
        idempotency_key=request.headers.get("Idempotency-Key", "")[:100],
    )
    return run, 0


def _credential(caller: Request) -> Credential:
    if isinstance(caller.auth, ApiToken):
        return Credential(token=caller.auth.pk)
    return Credential(session=caller._request.session.session_key or "")


def _may_resume(caller: Request) -> None:
    """Events of a run that is there already are read: asking does not allow it."""
    if isinstance(caller.auth, ApiToken) and str(Scope.READ) not in caller.auth.scopes:
        raise NotAllowed(
            "Resuming a run reads it: use a token with the scope read, or leave out Last-Event-ID."
        )


def _may_start(caller: Request) -> None:
    """A GET that spends needs a token, or proof that our own page sent it."""
    if isinstance(caller.auth, ApiToken):
        return
    if caller._request.headers.get("Sec-Fetch-Site") != "same-origin":
        raise NotAllowed(
            "Starting a run by GET needs a token, or a request from this site's pages."
        )
