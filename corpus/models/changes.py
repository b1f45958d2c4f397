"""The one log of changes, and who has read how far."""

from __future__ import annotations

from django.db import models

from corpus.models.corpus import Corpus
from flux_site.kernel.fields import CurrentXact, Xid8Field


class Change(models.Model):
    """A change that followers (lexical indexes, Neo4j, watches) have to apply.

    Read `xid < pg_snapshot_xmin(pg_current_snapshot())` in the order (xid, id): a transaction
    that commits late is then never skipped.
    """

    OPS = [("upsert", "Upsert"), ("delete", "Delete")]
    KINDS = [("document", "Document"), ("edge", "Edge"), ("corpus", "Corpus")]

    xid = Xid8Field(db_default=CurrentXact())
    # No foreign key: the log outlives what it is about.
    corpus = models.ForeignKey(
        Corpus, models.DO_NOTHING, db_constraint=False, related_name="+", null=True
    )
    corpus_public_id = models.UUIDField()
    kind = models.CharField(max_length=10, choices=KINDS)
    key = models.BigIntegerField()
    op = models.CharField(max_length=6, choices=OPS)

    class Meta:
        indexes = [models.Index(fields=["xid", "id"], name="change_order")]

    def __str__(self) -> str:
        return f"{self.op} {self.kind} {self.key}"


class Follower(models.Model):
    """How far one follower on one host has read: the log is trimmed behind the slowest."""

    name = models.CharField(max_length=40)
    host = models.CharField(max_length=255)
    xid = models.BigIntegerField(default=0)
    change = models.BigIntegerField(default=0)
    seen_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "host"], name="follower_identity")]

    def __str__(self) -> str:
        return f"{self.name} on {self.host}"
