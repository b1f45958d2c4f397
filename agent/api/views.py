"""POST query; runs; stopping one."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import caller
from accounts.types import Scope
from agent.api.serializers import QueryIn, RunOut, RunStatusOut
from agent.models import Run
from agent.services import runs

WAIT_SECONDS = 200.0
RUN_ID = "8e7d6c5b-4a39-4281-9706-f5e4d3c2b1a0"
EXAMPLE = OpenApiExample(
    "answered",
    {
        "run": RUN_ID,
        "status": "done",
        "reason": "",
        "mode": "analyze",
        "question": "What does STAT3 switch on to end the response?",
        "corpora": ["cytokines"],
        "final": {
            "answer": "STAT3 drives transcription of SOCS3.",
            "citations": [
                {
                    "id": 1,
                    "chunk_id": "5a1d2d0e-7c1e-4a58-8f5d-2f7a4fd0a2c3",
                    "source": "jsonl",
                    "external_id": "curated:jak-stat-il6",
                    "title": "Interleukin-6 and STAT3",
                    "quote": "STAT3 drives transcription of SOCS3.",
                    "page": None,
                    "section": "Feedback",
                    "content_type": "text",
                    "image_hash": None,
                }
            ],
            "claims": [
                {
                    "text": "STAT3 drives transcription of SOCS3.",
                    "citations": [1],
                    "status": "supported",
                }
            ],
            "confidence": 0.83,
            "retrieval_quality": "good",
            "used_sources": {
                "documents": ["0d4f2c9e-6d0b-4c51-9a53-0e6f7f0c1a11"],
                "legs": ["dense", "lexical"],
            },
            "warnings": [],
            "reasoning_summary": "One sentence of one record answers the question.",
            "mode": "extractive",
        },
        "standing": [],
        "timings": {"first_event_ms": 92, "total_ms": 410},
        "cost_usd": 0.0,
        "versions": {"dataset": "9f86d081884c7d65"},
        "created_at": "2026-11-30T09:14:00+00:00",
    },
    response_only=True,
)
ASKED = OpenApiExample(
    "question",
    {"question": "What does STAT3 switch on to end the response?", "corpora": ["cytokines"]},
    request_only=True,
)
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="The same key gives the run that it has started, and starts no second one.",
)


class Query(APIView):
    """POST query: ask, wait, get the answer."""

    scope = Scope.ASK

    @extend_schema(parameters=[KEY], request=QueryIn, responses=RunOut, examples=[ASKED, EXAMPLE])
    def post(self, request: Request) -> Response:
        """Start a run and wait for its end; one that takes too long is answered as it stands."""
        given = QueryIn(data=request.data)
        given.is_valid(raise_exception=True)
        run = runs.start_run(
            caller(request),
            given.validated_data["question"],
            corpora=given.validated_data.get("corpora"),
            mode=given.validated_data["mode"],
            idempotency_key=request.headers.get("Idempotency-Key", "")[:100],
        )
        run = runs.wait_for_end(run, timeout_s=WAIT_SECONDS)
        return Response(RunOut(run, context={"request": request}).data)


class VisibleRuns(generics.GenericAPIView[Any]):
    """Runs that the caller started or that are shared with them."""

    serializer_class = RunOut

    def get_queryset(self) -> QuerySet[Run]:
        """Visible runs, newest first."""
        return Run.objects.visible_to(caller(self.request)).order_by("-id")


class RunList(VisibleRuns, generics.ListAPIView[Any]):
    """GET runs."""

    @extend_schema(examples=[EXAMPLE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The caller's runs, newest first."""
        return super().get(request, *args, **kwargs)


class RunOne(VisibleRuns, generics.RetrieveAPIView[Any]):
    """GET runs/ID."""

    lookup_field = "public_id"

    @extend_schema(examples=[EXAMPLE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One run."""
        return super().get(request, *args, **kwargs)


class RunStop(APIView):
    """POST runs/ID/stop."""

    scope = Scope.ASK

    @extend_schema(
        request=None,
        responses=RunStatusOut,
        examples=[
            OpenApiExample("stopping", {"run": RUN_ID, "status": "running"}, response_only=True)
        ],
    )
    def post(self, request: Request, public_id: Any) -> Response:
        """Ask a run to stop, as its starter or an owner of its team; it does within two seconds."""
        return Response(RunStatusOut(runs.stop_run(public_id, caller(request))).data)
