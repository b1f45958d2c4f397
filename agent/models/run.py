"""A run: one question being answered, and every step of it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import ResearchSession, Team
from agent.querysets import OfRunQuerySet, RunQuerySet
from corpus.models import Corpus


class Run(models.Model):
    """One question, in one mode, over the corpora of that time. A worker holds it by a lease."""

    MODES = [
        ("analyze", "Analyze"),
        ("research", "Research"),
        ("compare", "Compare"),
        ("hypothesize", "Hypotheses"),
        ("mechanism_report", "Mechanism report"),
        ("target_risk", "Target risk"),
        ("images", "Images"),
        ("gene_list", "Gene list"),
        ("literature_table", "Literature table"),
        ("rank", "Rank interventions"),
        ("suggest", "Suggest experiments"),
    ]
    STATUSES = [
        ("queued", "Queued"),
        ("running", "Running"),
        ("done", "Done"),
        ("failed", "Failed"),
        ("stopped", "Stopped"),
        ("abstained", "Abstained"),
    ]
    ENDED = ("done", "failed", "stopped", "abstained")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs")  # its budget pays
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="runs")
    session = models.ForeignKey(
        ResearchSession, models.SET_NULL, null=True, blank=True, related_name="runs"
    )
    parent = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="children"
    )
    mode = models.CharField(max_length=20, choices=MODES, default="analyze")
    question = models.TextField()
    options = models.JSONField(default=dict)
    corpora = models.ManyToManyField(Corpus, through="RunCorpus", related_name="runs")
    status = models.CharField(max_length=9, choices=STATUSES, default="queued")
    reason = models.TextField(blank=True)  # why it failed or was stopped, in a sentence
    versions = models.JSONField(default=dict)  # dataset, pipeline, prompts, models
    timings = models.JSONField(default=dict)  # first_event_ms, total_ms, stages
    cost_microusd = models.BigIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)  # of its events; locked by the writer
    idempotency_key = models.CharField(max_length=100, blank=True)
    stop_requested_at = models.DateTimeField(null=True, blank=True)
    token = models.PositiveIntegerField(default=0)  # fencing: grows with each lease
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "idempotency_key"],
                condition=~Q(idempotency_key=""),
                name="run_idempotency",
            )
        ]
        indexes = [
            models.Index(fields=["user", "-id"], name="run_newest"),
            # the sweeper looks for runs whose worker is gone
            models.Index(
                fields=["leased_until"],
                condition=Q(status__in=["queued", "running"]),
                name="run_open",
            ),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def ended(self) -> bool:
        """Nothing more will happen to it."""
        return self.status in self.ENDED


class RunCorpus(models.Model):
    """A corpus that a run may read, at the revision it had when the run started."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="run_corpora")
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    revision = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "corpus"], name="run_corpus_identity")
        ]

    def __str__(self) -> str:
        return f"{self.corpus} at revision {self.revision}"


class KeptCorpus(models.Model):
    """A deleted corpus whose quotes in a run its asker keeps: they could read it to the end."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="kept_corpora")
    corpus = models.BigIntegerField()  # the former row: events name it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "corpus"], name="kept_corpus_identity")
        ]

    def __str__(self) -> str:
        return f"corpus {self.corpus} in {self.run}"


class RunShare(models.Model):
    """Someone else who may see a run."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="shares")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="shared_runs"
    )
    team = models.ForeignKey(
        Team, models.CASCADE, null=True, blank=True, related_name="shared_runs"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False, team__isnull=True)
                | Q(user__isnull=True, team__isnull=False),
                name="share_with_user_or_team",
            ),
            models.UniqueConstraint(fields=["run", "user", "team"], name="run_share_identity"),
        ]

    def __str__(self) -> str:
        return f"{self.run} for {self.user or self.team}"


class RunEvent(models.Model):
    """A step of a run: written once, never changed (a trigger refuses it), streamed from here. Only
    what it holds of a deleted document may be taken out (services.dropping).

    `corpora` are the ids of the corpora whose content the payload carries: a reader who may not
    read one of them gets the event without it (agent.events).
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    corpora = ArrayField(models.BigIntegerField(), default=list)
    at = models.DateTimeField(default=timezone.now)

    objects = OfRunQuerySet.as_manager()

    class Meta:
        ordering = ["run", "seq"]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="run_event_identity")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
