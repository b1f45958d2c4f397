"""The OpenAPI description: where it is read, and what all its operations have in common."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from flux_site.kernel.errors import NotFound


class Schema(SpectacularAPIView):
    """GET schema: the description of this server's one version."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Admit who may read it. Raises NotFound when another version is asked for."""
        super().initial(request, *args, **kwargs)
        if request.query_params.get("version", settings.VERSION) != settings.VERSION:
            raise NotFound(f"This server describes version {settings.VERSION} and no other.")

    def handle_exception(self, exc: Exception) -> Response:
        """An error is JSON, in whatever form the description was asked for."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)

    def _get_version_parameter(self, request: Request) -> None:
        """The framework would look for routes of that version, and none is told apart by one."""


PROBLEMS = {
    "400": "The request cannot be read: its body is not of the type that it says.",
    "401": "The token is missing, unknown, expired or revoked.",
    "403": "The token lacks the scope, or the caller the role.",
    "404": "It does not exist, or the caller may not see it.",
    "422": "The input is not valid; `detail` and `errors` say what would be.",
    "429": "Too many requests; `Retry-After` says when to come back.",
}
SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {},
    },
}


STREAM_EXAMPLE = (
    "id: 8e7d6c5b-4a39-4281-9706-f5e4d3c2b1a0:1\n"
    "event: start\n"
    'data: {"run": "8e7d6c5b-4a39-4281-9706-f5e4d3c2b1a0", "seq": 1}\n\n'
)
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string"},
    "description": "`<run>:<seq>`: go on after that event; starts no run.",
}


def _stream(operation_id: str, text: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """An operation that answers with server-sent events."""
    return {
        "operationId": operation_id,
        "description": text,
        "parameters": [*parameters, LAST_EVENT_ID],
        "tags": ["runs"],
        "security": [{"token": []}, {"cookieAuth": []}],
        "responses": {
            "200": {
                "description": "Events: start, citations, judge, token, meter, final, done, error.",
                "content": {
                    "text/event-stream": {
                        "schema": {"type": "string"},
                        "examples": {"first event": {"value": STREAM_EXAMPLE}},
                    }
                },
            }
        },
    }


def _query(name: str, text: str, *, required: bool = False) -> dict[str, Any]:
    return {
        "in": "query",
        "name": name,
        "required": required,
        "schema": {"type": "string"},
        "description": text,
    }


STREAMS = {
    "/api/v1/query/stream": _stream(
        "query_stream",
        "Start a run and follow it.",
        [
            _query("question", "What to answer.", required=True),
            _query("corpus", "Name of a corpus; may be repeated; all by default."),
        ],
    ),
    "/api/v1/runs/{run}/events": _stream(
        "runs_events",
        "The events of a run, from the first or after Last-Event-ID, live or later.",
        [
            {
                "in": "path",
                "name": "run",
                "required": True,
                "schema": {"type": "string", "format": "uuid"},
            }
        ],
    ),
}


def add_streams(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the streams, which are plain async views, by hand."""
    paths = result.setdefault("paths", {})
    for path, operation in STREAMS.items():
        paths[path] = {"get": operation}
    result["paths"] = dict(sorted(paths.items()))
    return result


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the errors that every operation can answer with."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = SCHEMA
    for path in result.get("paths", {}).values():
        for operation in path.values():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            for status, text in PROBLEMS.items():
                operation["responses"].setdefault(
                    status,
                    {
                        "description": text,
                        "content": {
                            "application/problem+json": {
                                "schema": {"$ref": "#/components/schemas/Problem"}
                            }
                        },
                    },
                )
    return result
