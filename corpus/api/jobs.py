"""Jobs over HTTP: what brings documents in, how it stands, what to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import caller
from accounts.types import Scope
from corpus.api import examples
from corpus.api.serializers import JOB_ITEMS, FetchIn, JobActionIn, JobOut, UploadIn
from corpus.api.views import CORPUS, LIMIT, VisibleList, VisibleOne
from corpus.models import IngestJob
from corpus.services import control, corpora, fetching, live, progress, uploads, wanted
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput, NotFound

ITEMS = OpenApiParameter(
    "items", str, enum=list(JOB_ITEMS), description="Which of its items: all by default."
)


class JobList(VisibleList):
    """GET jobs."""

    model = IngestJob
    related = ("corpus", "fetch")
    serializer_class = JobOut
    told: Mapping[int, dict[str, Any]] = MappingProxyType({})

    def paginate_queryset(self, queryset: Any) -> Any:
        """A page of jobs, told together: no more queries for many than for one."""
        page = super().paginate_queryset(queryset)
        self.told = progress.summaries(page or ())
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        """With what is told of them."""
        return dict(super().get_serializer_context()) | {"told": self.told}

    @extend_schema(parameters=[CORPUS, LIMIT], examples=[examples.JOB])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Jobs of corpora that the caller curates, newest first."""
        return super().get(request, *args, **kwargs)


class JobOne(VisibleOne):
    """GET jobs/ID."""

    model = IngestJob
    related = ("corpus",)
    serializer_class = JobOut

    def get_serializer_context(self) -> dict[str, Any]:
        """With the items that are wanted."""
        items = self.request.query_params.get("items", "all")
        if items not in JOB_ITEMS:
            raise InvalidInput(f"`items` can be {', '.join(JOB_ITEMS)}.")
        return dict(super().get_serializer_context()) | {"items": items}

    @extend_schema(parameters=[ITEMS], examples=[examples.JOB])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One job with its items; who only waits for its end asks for none."""
        return super().get(request, *args, **kwargs)


class IngestDocument(APIView):
    """POST ingest/document: a file into a corpus."""

    scope = Scope.INGEST

    @extend_schema(
        request={"multipart/form-data": UploadIn},
        responses={202: JobOut},
        examples=[
            OpenApiExample("upload", examples.UPLOAD, request_only=True),
            examples.JOB,
        ],
    )
    def post(self, request: Request) -> Response:
        """Accept the file and answer with its job; workers do the rest."""
        given = UploadIn(data=request.data)
        given.is_valid(raise_exception=True)
        corpus = corpora.find(given.validated_data["corpus"], caller(request))
        file = given.validated_data["file"]
        uploads.check_size(file.name, file.size)  # before it is in memory
        job = uploads.accept(
            corpus,
            given.validated_data["source"],
            [(file.name, file.read())],
            by=caller(request),
            origin="api",
        )
        transaction.on_commit(dispatch.delay)
        return Response(JobOut(job).data, status=status.HTTP_202_ACCEPTED)


class JobAction(APIView):
    """POST jobs/ID/action: pause, resume, cancel, retry, or change the priority."""

    scope = Scope.INGEST

    @extend_schema(
        request=JobActionIn,
        responses=JobOut,
        examples=[
            OpenApiExample("pause", {"action": "pause"}, request_only=True),
            examples.JOB,
        ],
    )
    def post(self, request: Request, public_id: UUID) -> Response:
        """Act, and answer with the job as it stands then."""
        given = JobActionIn(data=request.data)
        given.is_valid(raise_exception=True)
        visible = IngestJob.objects.visible_to(caller(request)).select_related("corpus", "fetch")
        job = visible.filter(public_id=public_id).first()
        if job is None:
            raise NotFound
        control.act(job, given.validated_data["action"], by=caller(request), origin="api")
        transaction.on_commit(dispatch.delay)
        return Response(JobOut(visible.get(pk=job.pk)).data)


class IngestFetch(APIView):
    """POST ingest/fetch: records of a live source into a corpus."""

    scope = Scope.INGEST

    @extend_schema(
        request=FetchIn,
        responses={202: JobOut},
        examples=[OpenApiExample("query", examples.FETCH, request_only=True), examples.JOB],
    )
    def post(self, request: Request) -> Response:
        """Accept the request and answer with its job; workers ask the source."""
        given = FetchIn(data=request.data)
        given.is_valid(raise_exception=True)
        data = dict(given.validated_data)
        corpus = corpora.find(data.pop("corpus"), caller(request))
        source = data.pop("source")
        is_named = data.pop("named")
        asked = wanted.request(corpus, source) if is_named else fetching.request_for(**data)
        job = live.accept(corpus, source, asked, by=caller(request), origin="api")
        transaction.on_commit(dispatch.delay)
        return Response(JobOut(job).data, status=status.HTTP_202_ACCEPTED)
