"""Watched folders and feeds over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import caller
from corpus.api import examples
from corpus.api.views import CORPUS, LIMIT, VisibleList, VisibleOne
from corpus.models import Watched
from corpus.services import corpora, watching
from flux_site.kernel.errors import NotFound


class WatchedOut(serializers.Serializer[Watched]):
    """A watched folder, or a query that a live source is asked each day, and how it stands."""

    id = serializers.UUIDField()
    corpus = serializers.CharField()
    path = serializers.CharField(help_text="Of a folder; empty for a query.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    query = serializers.CharField(help_text="What the source is asked; empty for a folder.")
    since = serializers.DateField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True, help_text="Records each time, at most.")
    paused = serializers.BooleanField()
    taken = serializers.IntegerField(
        help_text="Files or records that were taken in, or were here already."
    )
    refused = serializers.IntegerField(help_text="Those that could not be; a job says why.")
    waiting = serializers.IntegerField(
        help_text="Files that may still be being written; records under way."
    )
    job = serializers.UUIDField(allow_null=True, help_text="The last job of a query.")
    scanned_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(help_text="Why the last time brought nothing; empty if it could.")

    def to_representation(self, row: Watched) -> dict[str, Any]:
        """The same as the command's."""
        return watching.summary(row)


class WatchedIn(serializers.Serializer[Any]):
    """A folder to watch, below one that the installation allows; or a live source to ask for a
    query each day.
    """

    corpus = serializers.CharField()
    path = serializers.CharField(required=False, default="", max_length=1000)
    source = serializers.CharField(required=False, default="")  # type: ignore[assignment]  # as above
    query = serializers.CharField(required=False, default="", max_length=watching.LONGEST_QUERY)
    since = serializers.CharField(required=False, default="")
    limit = serializers.IntegerField(required=False, default=None, min_value=1)


class WatchedChange(serializers.Serializer[Any]):
    """What can be changed of what is watched."""

    paused = serializers.BooleanField()


class WatchedList(VisibleList):
    """GET and POST watched."""

    model = Watched
    related = ("corpus",)
    serializer_class = WatchedOut

    @extend_schema(parameters=[CORPUS, LIMIT], examples=[examples.WATCHED, examples.FEED])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What is watched for corpora that the caller curates."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=WatchedIn,
        responses={201: WatchedOut},
        examples=[
            OpenApiExample("folder", examples.WATCHED_IN, request_only=True),
            OpenApiExample("query", examples.FEED_IN, request_only=True),
            examples.WATCHED,
            examples.FEED,
        ],
    )
    def post(self, request: Request) -> Response:
        """Have a folder watched, or a live source asked each day: what comes there comes into the
        corpus by itself. Needs the scope `ingest` and the role of a curator.
        """
        given = WatchedIn(data=request.data)
        given.is_valid(raise_exception=True)
        data = dict(given.validated_data)
        corpus = corpora.find(data.pop("corpus"), caller(request))
        row = watching.add(corpus, by=caller(request), origin="api", **data)
        return Response(WatchedOut(row).data, status=status.HTTP_201_CREATED)


class WatchedOne(VisibleOne):
    """GET, PATCH and DELETE watched/ID."""

    model = Watched
    related = ("corpus",)
    serializer_class = WatchedOut

    @extend_schema(examples=[examples.WATCHED, examples.FEED])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One watched folder or query."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=WatchedChange,
        responses=WatchedOut,
        examples=[
            OpenApiExample("pause", {"paused": True}, request_only=True),
            examples.WATCHED,
        ],
    )
    def patch(self, request: Request, public_id: UUID) -> Response:
        """Pause or resume. Needs the scope `ingest`."""
        given = WatchedChange(data=request.data)
        given.is_valid(raise_exception=True)
        row = self._row(public_id)
        action = "pause" if given.validated_data["paused"] else "resume"
        watching.act(row, action, by=caller(request), origin="api")
        return Response(WatchedOut(row).data)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, public_id: UUID) -> Response:
        """Watch it no longer; what was taken in stays. Needs the scope `ingest`."""
        row = self._row(public_id)
        watching.act(row, "remove", by=caller(request), origin="api")
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _row(self, public_id: UUID) -> Watched:
        row: Watched | None = self.get_queryset().filter(public_id=public_id).first()
        if row is None:
            raise NotFound
        return row
