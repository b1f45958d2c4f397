"""What was deleted, on whose word, and what went with it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.models import Team
from corpus.models.corpus import Corpus
from corpus.models.jobs import Leased
from corpus.querysets import DeletionQuerySet


class Deletion(Leased):
    """A request to delete documents or a whole corpus; done, it is the receipt.

    It outlives the corpus, so it keeps that by id and name, and of documents ids only.
    """

    STATES = [("queued", "Queued"), ("running", "Running"), ("done", "Done")]

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    corpus = models.ForeignKey(
        Corpus, models.DO_NOTHING, db_constraint=False, related_name="+", null=True
    )
    corpus_public_id = models.UUIDField()
    corpus_slug = models.CharField(max_length=80)
    corpus_name = models.CharField(max_length=150)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    whole = models.BooleanField(default=False)  # the corpus itself, with all that is its own
    documents = ArrayField(models.UUIDField(), default=list)
    numbers = ArrayField(models.BigIntegerField(), default=list)  # their rows: for probing indexes
    counts = models.JSONField(default=dict)  # what has gone, by kind
    touched = models.JSONField(default=dict)  # ids of what above documents is marked, by kind
    state = models.CharField(max_length=7, choices=STATES, default="queued")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = DeletionQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["id"], condition=Q(state__in=["queued", "running"]), name="deletion_open"
            )
        ]

    def __str__(self) -> str:
        what = self.corpus_name if self.whole else f"{len(self.documents)} of {self.corpus_name}"
        return f"{what}, {self.state}"


class DeletedRecord(models.Model):
    """A record that was deleted, by the hash of its source and id: a job that is older than the
    deletion does not bring it back.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    key = models.BinaryField(max_length=32)
    deleted_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["corpus", "key"], name="deleted_record_key")]

    def __str__(self) -> str:
        return f"{bytes(self.key).hex()[:8]} deleted at {self.deleted_at}"


class BlobGarbage(models.Model):
    """A stored file that lost a user; the sweeper looks whether it has others."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    noted_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.sha256
