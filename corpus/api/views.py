"""Corpora, documents, passages, figures and tables over HTTP."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import caller
from accounts.models import Team
from corpus.api import examples
from corpus.api.deletions import DeletionOut
from corpus.api.serializers import (
    ChunkOut,
    CorpusChange,
    CorpusIn,
    CorpusOut,
    DocumentOut,
    FigureOut,
    TableOut,
    WholeDocumentOut,
    WholeTableOut,
)
from corpus.models import Chunk, Corpus, Document, Figure, Table
from corpus.services import corpora, deletion, tuning
from corpus.tasks import dispatch
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound
from flux_site.kernel.ids import as_uuid

CORPUS = OpenApiParameter("corpus", str, description="Name of a corpus (slug, TEAM/SLUG or id).")
DOCUMENT = OpenApiParameter("document", str, description="Id of a document.")
KIND = OpenApiParameter(
    "kind", str, enum=[name for name, _ in Figure.KINDS], description="What figures show."
)
LIMIT = OpenApiParameter("limit", int, description="Rows a page, at most 200.")


class VisibleList(generics.ListAPIView[Any]):
    """A list of what the caller may see, filtered by `?corpus=` and `?document=` where it applies.

    A corpus or document that the caller may not see filters like one that does not exist.
    """

    model: ClassVar[Any]
    corpus_path: ClassVar[str] = "corpus"
    document_path: ClassVar[str] = ""
    related: ClassVar[tuple[str, ...]] = ()

    def get_queryset(self) -> QuerySet[Any]:
        """Visible rows, through the filters."""
        visible: QuerySet[Any] = self.model.objects.visible_to(self.request.user)
        rows = visible.select_related(*self.related)
        name = self.request.query_params.get("corpus")
        if name is not None:
            rows = rows.filter(**{f"{self.corpus_path}__in": self._corpora(name)})
        document = self.request.query_params.get("document")
        if document is not None and self.document_path:
            rows = rows.filter(**{self.document_path: as_uuid(document)})
        return rows

    def _corpora(self, name: str) -> list[int]:
        try:
            return [corpora.find(name, caller(self.request)).pk]
        except NotFound:
            return []


class VisibleOne(generics.RetrieveAPIView[Any]):
    """One thing by its id; 404 when it is absent or not the caller's to see."""

    model: ClassVar[Any]
    related: ClassVar[tuple[str, ...]] = ()
    lookup_field = "public_id"

    def get_queryset(self) -> QuerySet[Any]:
        """Visible rows."""
        rows: QuerySet[Any] = self.model.objects.visible_to(self.request.user)
        return rows.select_related(*self.related)


class CorpusList(VisibleList):
    """GET corpora; POST makes one in a team of which the caller is curator or owner."""

    model = Corpus
    corpus_path = "pk"
    related = ("team",)
    serializer_class = CorpusOut

    @extend_schema(parameters=[CORPUS, LIMIT], examples=[examples.CORPUS])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Corpora that the caller may read."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=CorpusIn,
        responses={201: CorpusOut},
        examples=[examples.CORPUS_IN, examples.CORPUS],
    )
    def post(self, request: Request) -> Response:
        """Make an empty corpus."""
        given = CorpusIn(data=request.data)
        given.is_valid(raise_exception=True)
        team = (
            Team.objects.visible_to(request.user).filter(slug=given.validated_data["team"]).first()
        )
        if team is None:
            raise NotFound("There is no such team.")
        if not corpora.teams_of(caller(request)).filter(pk=team.pk).exists():
            raise NotAllowed(f"Only curators and owners of {team.name} make corpora there.")
        corpus = corpora.create(
            given.validated_data["name"],
            team,
            visibility=given.validated_data["visibility"],
            by=caller(request),
            origin="api",
        )
        return Response(CorpusOut(corpus).data, status=status.HTTP_201_CREATED)


class CorpusOne(VisibleOne):
    """GET and PATCH corpora/ID."""

    model = Corpus
    related = ("team",)
    serializer_class = CorpusOut

    @extend_schema(examples=[examples.CORPUS])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One corpus."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=CorpusChange,
        responses=CorpusOut,
        examples=[examples.CORPUS_CHANGE, examples.CORPUS],
    )
    def patch(self, request: Request, public_id: str) -> Response:
        """Change how the corpus is read; jobs see to what is stored. Needs the scope `ingest` and
        the role of a curator.
        """
        given = CorpusChange(data=request.data)
        given.is_valid(raise_exception=True)
        found = self.get_object()
        tuning.tune(
            found,
            chunker=given.validated_data.get("chunker"),
            statements=given.validated_data["propositions"],
            by=caller(request),
            origin="api",
        )
        transaction.on_commit(dispatch.delay)
        return Response(CorpusOut(found).data)


class DocumentList(VisibleList):
    """GET documents."""

    model = Document
    related = ("corpus", "work")
    serializer_class = DocumentOut

    @extend_schema(parameters=[CORPUS, LIMIT], examples=[examples.DOCUMENT])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Documents that the caller may read, newest first."""
        return super().get(request, *args, **kwargs)


class DocumentOne(VisibleOne):
    """GET and DELETE documents/ID."""

    model = Document
    related = ("corpus", "work")
    serializer_class = WholeDocumentOut

    @extend_schema(examples=[examples.WHOLE_DOCUMENT])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One document."""
        return super().get(request, *args, **kwargs)

    @extend_schema(request=None, responses={202: DeletionOut}, examples=[examples.DELETION])
    def delete(self, request: Request, public_id: str) -> Response:
        """Delete a document and all that is its own. From the answer on nobody sees it; the
        receipt is at deletions/ID. Needs the scope `ingest` and the role of a curator.
        """
        found = self.get_queryset().filter(public_id=public_id).first()
        if found is None:
            raise NotFound
        row = deletion.request(found.corpus, [found.public_id], by=caller(request), origin="api")
        transaction.on_commit(dispatch.delay)
        return Response(
            DeletionOut(row, context={"reader": caller(request)}).data,
            status=status.HTTP_202_ACCEPTED,
        )


class ChunkList(VisibleList):
    """GET chunks?document=ID."""

    model = Chunk
    document_path = "document__public_id"
    related = ("document",)
    serializer_class = ChunkOut

    @extend_schema(parameters=[DOCUMENT, CORPUS, LIMIT], examples=[examples.CHUNK])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Passages that the caller may read."""
        return super().get(request, *args, **kwargs)


class ChunkOne(VisibleOne):
    """GET chunks/ID."""

    model = Chunk
    related = ("document",)
    serializer_class = ChunkOut

    @extend_schema(examples=[examples.CHUNK])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One passage."""
        return super().get(request, *args, **kwargs)


class FigureList(VisibleList):
    """GET figures."""

    model = Figure
    corpus_path = "document__corpus"
    document_path = "document__public_id"
    related = ("document", "parent")
    serializer_class = FigureOut

    def get_queryset(self) -> QuerySet[Any]:
        """Visible figures, also of one kind."""
        kind = self.request.query_params.get("kind")
        rows = super().get_queryset()
        if kind is None:
            return rows
        if kind not in dict(Figure.KINDS):
            raise InvalidInput(f"`kind` can be {', '.join(dict(Figure.KINDS))}.")
        return rows.filter(kind=kind)

    @extend_schema(parameters=[DOCUMENT, CORPUS, KIND, LIMIT], examples=[examples.FIGURE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Figures that the caller may see."""
        return super().get(request, *args, **kwargs)


class TableList(VisibleList):
    """GET tables."""

    model = Table
    corpus_path = "document__corpus"
    document_path = "document__public_id"
    related = ("document",)
    serializer_class = TableOut

    @extend_schema(parameters=[DOCUMENT, CORPUS, LIMIT], examples=[examples.TABLE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Tables that the caller may see."""
        return super().get(request, *args, **kwargs)


class TableOne(VisibleOne):
    """GET tables/ID."""

    model = Table
    related = ("document",)
    serializer_class = WholeTableOut

    @extend_schema(examples=[examples.WHOLE_TABLE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One table with the boxes and spans of its cells, and as Markdown."""
        return super().get(request, *args, **kwargs)
