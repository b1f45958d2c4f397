"""GET search."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import caller
from retrieval.api.serializers import SearchIn, SearchOut
from retrieval.services.search import search
from retrieval.types import Filters

PARAMETERS: list[Any] = [
    SearchIn,
    OpenApiParameter("corpus", str, many=True, description="Names of corpora; all by default."),
    OpenApiParameter(
        "filter",
        str,
        many=True,
        description=(
            "key=value; keys year, source, type, document, retracted, section, tag, entity, "
            "content_type. Of one key any value fits, all keys must fit."
        ),
    ),
]
EXAMPLE = OpenApiExample(
    "found",
    {
        "hits": [
            {
                "rank": 1,
                "chunk_id": "5a1d2d0e-7c1e-4a58-8f5d-2f7a4fd0a2c3",
                "document_id": "0d4f2c9e-6d0b-4c51-9a53-0e6f7f0c1a11",
                "corpus": "cytokines",
                "source": "jsonl",
                "external_id": "curated:jak-stat-il6",
                "title": "Interleukin-6 and STAT3",
                "text": "STAT3 drives transcription of SOCS3.",
                "page": None,
                "section": "Feedback",
                "content_type": "text",
                "chunk_index": 0,
                "year": 2026,
                "retracted": False,
                "image_hash": "",
                "score": 0.91,
                "scores": {
                    "dense": 0.72,
                    "bm25": 11.3,
                    "dense_rank": 2,
                    "lexical_rank": 1,
                    "rrf": 0.0325,
                    "cc": 0.91,
                },
                "why": ["First by words and second by meaning."],
                "also_in": [],
            }
        ],
        "timings": {"total_ms": 18.2},
        "index_version": "9f86d081884c7d65",
        "fusion": "cc",
        "legs": ["dense", "lexical"],
        "notes": [],
        "trace": [{"stage": "lexical", "ms": 1.2, "count": 20, "detail": ""}],
    },
    response_only=True,
)


class SearchView(APIView):
    """Ranked passages that the caller may read."""

    @extend_schema(parameters=PARAMETERS, responses=SearchOut, examples=[EXAMPLE])
    def get(self, request: Request) -> Response:
        """Search; a corpus that the caller may not see is a 404 like one that does not exist."""
        given = SearchIn(data=request.query_params)
        given.is_valid(raise_exception=True)
        found = search(
            given.validated_data["q"],
            reader=caller(request),
            corpora=request.query_params.getlist("corpus") or None,
            limit=given.validated_data["limit"],
            filters=Filters.parse(request.query_params.getlist("filter")),
            fusion=given.validated_data.get("fusion"),
        )
        return Response(found.as_json())
