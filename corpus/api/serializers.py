"""Records as the API gives them. Ids are public ids; no database number leaves the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from corpus.models import Chunk, Corpus, Document, Figure, IngestJob, Page, Table, WorkLink
from corpus.services import control, fetching, progress, works
from corpus.services.works.records import Linked
from corpus.sources.registry import SOURCES
from corpus.sources.tableforms import markdown_of


class CorpusOut(serializers.ModelSerializer[Corpus]):
    """A corpus."""

    id = serializers.UUIDField(source="public_id")
    corpus = serializers.CharField(source="slug")
    team = serializers.CharField(source="team.slug")
    documents = serializers.IntegerField(source="document_count")
    chunker = serializers.ChoiceField(Corpus.CHUNKERS, help_text="How passages are cut.")
    propositions = serializers.BooleanField(
        help_text="Whether passages are also found by their single statements."
    )

    class Meta:
        model = Corpus
        fields = [
            *("id", "corpus", "team", "name", "description", "visibility", "documents"),
            *("chunker", "propositions"),
        ]


class CorpusIn(serializers.Serializer[Any]):
    """What a new corpus needs."""

    name = serializers.CharField(max_length=80)
    team = serializers.SlugField()
    visibility = serializers.ChoiceField(
        ["private", "team", "site"],
        default="private",
        help_text="Who reads it; `site`, everyone signed in, can be said by site admins only.",
    )


class CorpusChange(serializers.Serializer[Any]):
    """What can be changed of how a corpus is read."""

    chunker = serializers.ChoiceField(Corpus.CHUNKERS, required=False)
    propositions = serializers.BooleanField(required=False, default=None, allow_null=True)


class DocumentOut(serializers.ModelSerializer[Document]):
    """A document."""

    id = serializers.UUIDField(source="public_id")
    corpus = serializers.CharField(source="corpus.slug")
    work = serializers.UUIDField(
        source="work.public_id",
        default=None,
        allow_null=True,
        help_text="Equal for records of one paper in corpora with the same readers.",
    )

    class Meta:
        model = Document
        fields = [
            "id",
            "external_id",
            "source",
            "title",
            "corpus",
            "type",
            "identifiers",
            "authors",
            "journal",
            "year",
            "licence",
            "language",
            "retracted",
            "concern",
            "corrected",
            "tags",
            "note",
            "work",
        ]


class PageOut(serializers.ModelSerializer[Page]):
    """How a page was read: columns, what was left out, how sure text recognition was."""

    class Meta:
        model = Page
        fields = ["number", "width", "height", "method", "report"]


class LinkedOut(serializers.Serializer[Linked]):
    """A document of a paper that belongs to this one's."""

    kind = serializers.ChoiceField(WorkLink.KINDS)
    role = serializers.CharField(source="label", help_text="What it is to this document.")
    document = serializers.UUIDField(source="document.public_id")


class WholeDocumentOut(DocumentOut):
    """A document with other records of its paper and papers that belong to it."""

    same_work = serializers.SerializerMethodField()
    linked = serializers.SerializerMethodField()
    pages = PageOut(many=True)

    class Meta(DocumentOut.Meta):
        fields = [*DocumentOut.Meta.fields, "same_work", "linked", "pages"]

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_same_work(self, document: Document) -> list[str]:
        """Ids of other records of the paper that the caller may read."""
        records = works.same_work(document, self.context["request"].user)
        return [str(record.public_id) for record in records]

    @extend_schema_field(LinkedOut(many=True))
    def get_linked(self, document: Document) -> Any:
        """Preprint, published version, notices: those that the caller may read."""
        found = works.links_of(document, self.context["request"].user)
        return [LinkedOut(linked).data for linked in found]


class ChunkOut(serializers.ModelSerializer[Chunk]):
    """A passage."""

    id = serializers.UUIDField(source="public_id")
    document = serializers.UUIDField(source="document.public_id")
    page = serializers.IntegerField(source="page_start", allow_null=True)
    section = serializers.CharField(source="section_title")

    class Meta:
        model = Chunk
        fields = ["id", "document", "content_type", "chunk_index", "text", "page", "section"]


class BoxField(serializers.ListField):
    """[x0, y0, x1, y1] in points from the top left of the page; null without a page."""

    def __init__(self, **given: Any) -> None:
        super().__init__(
            child=serializers.FloatField(), min_length=4, max_length=4, allow_null=True, **given
        )


class FigureOut(serializers.ModelSerializer[Figure]):
    """A figure or a panel of one; its picture is at images/{image_hash}."""

    id = serializers.UUIDField(source="public_id")
    document = serializers.UUIDField(source="document.public_id")
    image_hash = serializers.CharField(source="image_sha256")
    box = BoxField()
    part_of = serializers.UUIDField(
        source="parent.public_id",
        default=None,
        allow_null=True,
        help_text="Of a panel the figure that it is part of.",
    )
    kind = serializers.ChoiceField(
        choices=Figure.KINDS,
        help_text="What is shown, by caption and picture; `general` where that is unsure.",
    )

    class Meta:
        model = Figure
        fields = [
            *("id", "document", "label", "caption", "page", "image_hash", "box", "part_of"),
            *("kind", "kind_confidence"),
        ]


class TableOut(serializers.ModelSerializer[Table]):
    """A table as rows of cells."""

    id = serializers.UUIDField(source="public_id")
    document = serializers.UUIDField(source="document.public_id")
    image_hash = serializers.CharField(source="image_sha256")
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))

    class Meta:
        model = Table
        fields = ["id", "document", "label", "caption", "page", "image_hash", "rows", "header_rows"]


class WholeTableOut(TableOut):
    """A table with the places of its cells, and as Markdown."""

    box = BoxField()
    spans = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4),
        help_text="[row, column, rows, columns] of cells over several; their text is at the first.",
    )
    cells = serializers.ListField(
        child=serializers.ListField(
            child=serializers.ListField(
                child=serializers.FloatField(), min_length=5, max_length=5, allow_null=True
            )
        ),
        help_text="In the form of `rows`: [page, x0, y0, x1, y1] in points; null where there is "
        "no cell of its own, [] where the source has no pages.",
    )
    markdown = serializers.SerializerMethodField()

    class Meta(TableOut.Meta):
        fields = [*TableOut.Meta.fields, "box", "spans", "cells", "markdown"]

    def get_markdown(self, table: Table) -> str:
        """The table in GitHub Markdown: one row of heads, cells over several rows repeated."""
        return markdown_of(table.rows, table.header_rows, table.spans)


class JobItemOut(serializers.Serializer[Any]):
    """One document of a job, or the reason why there is none."""

    name = serializers.CharField()
    file = serializers.CharField()
    external_id = serializers.CharField()
    state = serializers.CharField()
    stage = serializers.CharField()
    attempts = serializers.IntegerField()
    records = serializers.IntegerField()
    code = serializers.CharField()
    reason = serializers.CharField()


class FetchOut(serializers.Serializer[Any]):
    """What a job asks of a live source, and how far it is."""

    state = serializers.CharField()
    pages = serializers.IntegerField()
    reason = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    request = serializers.JSONField()


class JobNoteOut(serializers.Serializer[Any]):
    """A note on stored documents of a job, and how many have it."""

    note = serializers.CharField()
    items = serializers.IntegerField()


# Which items of a job are wanted, and their states; none named are all.
JOB_ITEMS: Final[dict[str, tuple[str, ...]]] = {"all": (), "failed": ("failed",), "none": ()}


class JobOut(serializers.Serializer[IngestJob]):
    """A job; its items only when it is asked for alone."""

    job = serializers.UUIDField()
    corpus = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    state = serializers.CharField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    skipped = serializers.IntegerField()
    running = serializers.IntegerField()
    files = serializers.IntegerField()
    files_left = serializers.IntegerField()
    encoded = serializers.IntegerField()
    seconds = serializers.FloatField()
    priority = serializers.IntegerField()
    total = serializers.IntegerField()
    stages = serializers.DictField(child=serializers.IntegerField())
    per_second = serializers.FloatField(allow_null=True)
    eta_seconds = serializers.IntegerField(allow_null=True)
    waiting = serializers.CharField()
    fetch = FetchOut(required=False)
    notes = JobNoteOut(many=True, required=False)
    items = JobItemOut(many=True, required=False)

    def to_representation(self, job: IngestJob) -> dict[str, Any]:
        """The same as the command's; of a list those that were told together."""
        wanted = self.context.get("items", "none")
        told: Mapping[int, dict[str, Any]] = self.context.get("told") or {
            job.pk: progress.summary(job, items=wanted != "none", states=JOB_ITEMS[wanted])
        }
        return told[job.pk] | {"corpus": job.corpus.slug}


class JobActionIn(serializers.Serializer[Any]):
    """What to do with a job."""

    action = serializers.ChoiceField(list(control.ACTIONS))


class FetchIn(serializers.Serializer[Any]):
    """What to ask a live source for: records by id, a query in its own language, or the papers
    that reference lists of the corpus name and of which it holds no text.
    """

    corpus = serializers.CharField()
    source = serializers.ChoiceField(list(fetching.LIVE))  # type: ignore[assignment]  # a field of that name
    ids = serializers.CharField(required=False, default="")
    query = serializers.CharField(required=False, default="")
    named = serializers.BooleanField(required=False, default=False)
    since = serializers.CharField(required=False, default="")
    limit = serializers.IntegerField(required=False, default=None, min_value=1)


class UploadIn(serializers.Serializer[Any]):
    """A file to ingest."""

    corpus = serializers.CharField()
    source = serializers.ChoiceField(sorted(SOURCES))  # type: ignore[assignment]  # a field of that name
    file = serializers.FileField()
