"""Figures and tables."""

from __future__ import annotations

import uuid

from django.db import models

from corpus.models.chunk import Chunk
from corpus.models.document import Document
from corpus.querysets import FigureQuerySet, TableQuerySet


class PlacedPart(models.Model):
    """A captioned part of a document that may stand on a page and have a picture."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    position = models.PositiveIntegerField()
    label = models.CharField(max_length=80, blank=True)
    caption = models.TextField(blank=True)
    page = models.PositiveIntegerField(null=True)
    box = models.JSONField(null=True)  # [x0, y0, x1, y1] in points
    image_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    media_type = models.CharField(max_length=40, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.label or self.caption[:60]


class Figure(PlacedPart):
    """A figure, or a panel of one; its caption is a chunk of content type image. `words` inside the
    picture come from text recognition: they are searched with the caption and never quoted. `kind`
    says what is shown (sources.imagery).
    """

    KINDS = [("general", "General"), ("radiology", "Radiology"), ("pathology", "Pathology")]

    document = models.ForeignKey(Document, models.CASCADE, related_name="figures")
    chunk = models.ForeignKey(Chunk, models.SET_NULL, null=True, related_name="figures")
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="panels")
    words = models.TextField(blank=True)
    kind = models.CharField(max_length=9, choices=KINDS, default="general")
    kind_confidence = models.FloatField(default=0.5)

    objects = FigureQuerySet.as_manager()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="figure_identity")
        ]


class Table(PlacedPart):
    """A table as rows of cell texts; its text is a chunk of content type table.

    `spans` are [row, column, rows, columns] of cells over several places, whose text stands at the
    first. `cells` are boxes [page, x0, y0, x1, y1] in points in the form of `rows`, null where a
    place has no cell of its own; [] without pages.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="tables")
    chunk = models.ForeignKey(Chunk, models.SET_NULL, null=True, related_name="tables")
    rows = models.JSONField(default=list)
    header_rows = models.PositiveSmallIntegerField(default=1)
    spans = models.JSONField(default=list)
    cells = models.JSONField(default=list)

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="table_identity")
        ]
