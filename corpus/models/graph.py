"""The signed knowledge graph. Evidence belongs to a corpus; what a reader sees of an edge follows
from it.
"""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from corpus.models.corpus import Corpus
from corpus.models.document import Document
from corpus.querysets import EdgeQuerySet, EvidenceQuerySet, NodeQuerySet, SupportQuerySet


class Node(models.Model):
    """An entity, under the CURIE of its primary vocabulary."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=20)
    curie = models.CharField(max_length=120, unique=True)
    label = models.CharField(max_length=255)
    taxon = models.CharField(max_length=30, blank=True)
    props = models.JSONField(default=dict)
    retired_into = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="former"
    )

    objects = NodeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.label


class NodeRole(models.Model):
    """A role of an entity, such as Cytokine or TranscriptionFactor, and who says so."""

    node = models.ForeignKey(Node, models.CASCADE, related_name="roles")
    role = models.CharField(max_length=40)
    source = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["node", "role", "source"], name="node_role_identity")
        ]

    def __str__(self) -> str:
        return f"{self.node}: {self.role}"


class Edge(models.Model):
    """A statement about two entities. The sign is not part of its identity: evidence may disagree.

    `belief` covers the evidence of site-visible corpora only; what is shown is computed from
    EdgeSupport over the reader's scope.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    src = models.ForeignKey(Node, models.CASCADE, related_name="out_edges")
    predicate = models.CharField(max_length=40)
    dst = models.ForeignKey(Node, models.CASCADE, related_name="in_edges")
    scope = models.CharField(max_length=64, blank=True)  # hash of a stated context
    sign = models.SmallIntegerField(default=0)
    belief = models.FloatField(default=0)
    n_evidence = models.PositiveIntegerField(default=0)
    n_pos = models.PositiveIntegerField(default=0)
    n_neg = models.PositiveIntegerField(default=0)
    conflict = models.FloatField(default=0)

    objects = EdgeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["src", "predicate", "dst", "scope"], name="edge_identity"
            ),
            models.CheckConstraint(condition=Q(sign__in=[-1, 0, 1]), name="edge_sign"),
            models.CheckConstraint(
                condition=Q(belief__gte=0, belief__lte=1), name="edge_belief_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.src} {self.predicate} {self.dst}"


class EdgeEvidence(models.Model):
    """Why an edge stands: a row of a curated source, or a sentence of a document."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    edge = models.ForeignKey(Edge, models.CASCADE, related_name="evidence")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="edge_evidence")
    source = models.CharField(max_length=40)
    source_record = models.CharField(max_length=255, blank=True)
    document = models.ForeignKey(
        Document, models.CASCADE, null=True, blank=True, related_name="edge_evidence"
    )
    pmid = models.CharField(max_length=20, blank=True)
    sentence = models.TextField(blank=True)
    char_start = models.PositiveIntegerField(null=True)
    char_end = models.PositiveIntegerField(null=True)
    sign = models.SmallIntegerField(default=0)
    extractor = models.CharField(max_length=40)
    extractor_version = models.CharField(max_length=40, blank=True)
    negated = models.BooleanField(default=False)
    speculative = models.BooleanField(default=False)
    conf = models.FloatField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = EvidenceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "edge",
                    "corpus",
                    "source",
                    "source_record",
                    "document",
                    "char_start",
                    "extractor",
                ],
                nulls_distinct=False,
                name="edge_evidence_identity",
            ),
            models.CheckConstraint(condition=Q(sign__in=[-1, 0, 1]), name="edge_evidence_sign"),
        ]

    def __str__(self) -> str:
        return f"{self.source} on {self.edge}"


class EdgeSupport(models.Model):
    """How much one source in one corpus supports an edge: what scoped beliefs are computed from."""

    edge = models.ForeignKey(Edge, models.CASCADE, related_name="support")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="edge_support")
    source = models.CharField(max_length=40)
    n_pos = models.FloatField(default=0)
    n_neg = models.FloatField(default=0)
    n_unsigned = models.FloatField(default=0)
    works = ArrayField(models.BigIntegerField(), default=list)

    objects = SupportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["edge", "corpus", "source"], name="edge_support_identity"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} for {self.edge}"
