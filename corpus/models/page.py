"""Pages of paged documents."""

from __future__ import annotations

from django.db import models

from corpus.models.document import Document
from corpus.querysets import PageQuerySet


class Page(models.Model):
    """One page; sizes in PDF points, its picture a WebP blob."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    width = models.FloatField()
    height = models.FloatField()
    image_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    method = models.CharField(max_length=8, default="text")
    report = models.JSONField(default=dict)

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["document", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="page_identity")]

    def __str__(self) -> str:
        return f"{self.document}, page {self.number}"
