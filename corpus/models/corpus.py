"""A corpus: a permission boundary and a set of documents."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Team
from accounts.types import ROLE_CHOICES, Role
from corpus.querysets import CorpusQuerySet


class Corpus(models.Model):
    """Documents that are read under one permission; `revision` grows with each change of what it
    holds.
    """

    CHUNKERS = [
        ("layout", "By page, section and sentence"),
        ("semantic", "The same; summaries of pathways where their subject changes"),
        ("sliding", "By length alone"),
    ]
    VISIBILITIES = [("private", "Private"), ("team", "Team"), ("site", "Everyone signed in")]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(Team, models.PROTECT, related_name="corpora")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=150)
    description = models.TextField(blank=True)
    visibility = models.CharField(max_length=7, choices=VISIBILITIES, default="private")
    revision = models.BigIntegerField(default=0)
    # "Never send to an external model": the gateway withholds the corpus's text.
    external_models_allowed = models.BooleanField(default=True)
    # Among whose works its documents are (services.works); behind the permissions for a moment
    # after they change.
    work_scope = models.CharField(
        max_length=40, blank=True, default="", db_default="", editable=False
    )
    # How documents are cut into passages; those already here are cut anew when they are read again.
    chunker = models.CharField(
        max_length=8, choices=CHUNKERS, default="layout", db_default="layout"
    )
    # Passages are also found by their single statements: twice the time to encode and several times
    # the vectors, so only where it is wanted (services.propositions).
    propositions = models.BooleanField(default=False, db_default=False, editable=False)
    is_demo = models.BooleanField(default=False)
    deleting = models.BooleanField(default=False)  # accepted: from then on nobody sees it
    # Kept by services.ingest; the dense leg chooses its plan by them (SEARCHCOST 3).
    document_count = models.PositiveIntegerField(default=0)
    chunk_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CorpusQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["team", "slug"], name="corpus_slug_in_team"),
            models.CheckConstraint(
                condition=Q(visibility__in=["private", "team", "site"]), name="corpus_visibility"
            ),
            models.CheckConstraint(
                condition=Q(chunker__in=["layout", "semantic", "sliding"]), name="corpus_chunker"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CorpusGrant(models.Model):
    """A role on one corpus, for a team or a person outside the owning team."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="grants")
    team = models.ForeignKey(
        Team, models.CASCADE, null=True, blank=True, related_name="corpus_grants"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="corpus_grants",
    )
    role = models.CharField(max_length=12, choices=ROLE_CHOICES, default=Role.READER.value)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(team__isnull=False, user__isnull=True)
                | Q(team__isnull=True, user__isnull=False),
                name="grant_to_team_or_user",
            ),
            models.UniqueConstraint(
                fields=["corpus", "team"], condition=Q(team__isnull=False), name="one_grant_a_team"
            ),
            models.UniqueConstraint(
                fields=["corpus", "user"], condition=Q(user__isnull=False), name="one_grant_a_user"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} on {self.corpus}"
