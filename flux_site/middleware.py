"""What surrounds every request: its id in the logs, and errors in words."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import structlog
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from flux_site.kernel.api import BUSY, Busy, problem_response
from flux_site.kernel.errors import FluxError


class RequestContextMiddleware:
    """Gives a request an id that its log lines and its answer carry, and keeps the answer out of
    caches that people share: what a page or the API says depends on who asks.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Bind the id for the time of the request."""
        request_id = uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response.headers["X-Request-ID"] = request_id
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class FluxErrorMiddleware:
    """Turns a FluxError of a page into a page, of another view into a problem."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Nothing to do but pass on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Called by Django when a view raises."""
        if isinstance(error, OperationalError):  # of the database: nothing of ours is broken
            error = Busy(BUSY)
        if not isinstance(error, FluxError):
            return None
        if request.path.startswith("/api/"):
            return problem_response(error)
        template = "404.html" if error.status == 404 else "error.html"
        return render(request, template, {"message": error.message}, status=error.status)
