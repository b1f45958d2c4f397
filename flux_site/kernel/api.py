"""The shape of the API's errors and lists."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from typing import Any

import structlog
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import exception_handler, set_rollback

from flux_site.kernel.errors import FluxError, NotFound

log = structlog.get_logger(__name__)

PROBLEM = "application/problem+json"
TITLES = {
    400: "Bad request",
    401: "Sign-in needed",
    402: "Budget exhausted",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported media type",
    422: "Invalid input",
    429: "Too many requests",
    503: "Unavailable",
}


def body(status_code: int, code: str, detail: str, **extra: Any) -> dict[str, Any]:
    """The members of a problem (RFC 9457), with our stable `code`."""
    title = TITLES.get(status_code, "Error")
    return {
        "type": "about:blank",
        "title": title,
        "status": status_code,
        "detail": detail,
        "code": code,
    } | extra


def problem_response(error: FluxError) -> HttpResponse:
    """A FluxError for views outside the REST framework."""
    return JsonResponse(
        body(error.status, error.code, error.message), status=error.status, content_type=PROBLEM
    )


class Busy(FluxError):
    """The database does not answer, or every connection to it is taken."""

    code = "unavailable"
    status = 503
    retryable = True


BUSY = "The site is busy or one of its parts is restarting: try again in a moment."
RETRY_AFTER_S = "5"


def busy(error: OperationalError) -> Response:
    """503 for a database that cannot be reached now, instead of a failure of ours."""
    log.warning("database.unavailable", error=str(error).strip())
    content = body(Busy.status, Busy.code, BUSY)
    headers = {"Retry-After": RETRY_AFTER_S}
    return Response(content, status=Busy.status, content_type=PROBLEM, headers=headers)


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """The exception handler of the REST framework: every error is a problem+json."""
    if isinstance(error, Http404):
        error = NotFound()
    if isinstance(error, FluxError):
        set_rollback()
        extra = {k: v for k, v in error.detail.items() if k in {"errors", "renews_at"}}
        content = body(error.status, error.code, error.message, **extra)
        return Response(content, status=error.status, content_type=PROBLEM)
    if isinstance(error, OperationalError):
        return busy(error)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        response.status_code = 422  # one status for input that is not valid; 400 is no JSON at all
    code, detail, extra = _described(error)
    response.data = body(response.status_code, code, detail, **extra)
    response.content_type = PROBLEM
    return response


def _described(error: Exception) -> tuple[str, str, dict[str, Any]]:
    if isinstance(error, exceptions.ValidationError):
        return "invalid_input", "Some fields are not valid.", {"errors": error.detail}
    if isinstance(error, exceptions.APIException):
        return str(error.default_code), str(error.detail), {}
    if isinstance(error, PermissionDenied):
        return "permission_denied", "You may not do this.", {}
    return "error", str(error), {}


@functools.cache
def _seal() -> Fernet:
    key = hashlib.sha256(f"cursor:{settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


class Pagination(CursorPagination):
    """Pages by a cursor over a stable order, so that page 1,000 costs what page 1 costs."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "limit"
    ordering = "-id"

    def encode_cursor(self, cursor: Cursor) -> str:
        """The next page's address. Where it stands is sealed: the numbers of rows would tell how
        many hidden ones lie between.
        """
        place = json.dumps([cursor.offset, cursor.reverse, cursor.position])
        token = _seal().encrypt(place.encode()).decode()
        return str(replace_query_param(self.base_url or "", self.cursor_query_param, token))

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Where a sealed cursor stands. Raises NotFound for one that we have not made."""
        token = request.query_params.get(self.cursor_query_param)
        if token is None:
            return None
        try:
            offset, reverse, position = json.loads(_seal().decrypt(token.encode()))
        except (InvalidToken, ValueError) as error:
            raise NotFound("This page address is not valid: start from the first page.") from error
        return Cursor(offset=offset, reverse=reverse, position=position)

    def get_paginated_response(self, data: Any) -> Response:
        """`{"results": […], "next": URL or null}`."""
        return Response({"results": data, "next": self.get_next_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The same, for OpenAPI."""
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {
                "results": schema,
                "next": {
                    "type": "string",
                    "format": "uri",
                    "nullable": True,
                    "example": None,
                    "description": "The next page; null on the last one.",
                },
            },
        }
