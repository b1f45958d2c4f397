"""Ingestion jobs: files to read, and one item for each document that comes of them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property

from corpus.models.corpus import Corpus
from corpus.models.document import Document
from corpus.models.watched import Watched
from corpus.querysets import JobItemQuerySet, JobQuerySet


class Leased(models.Model):
    """Work that one worker holds for a while. A write counts only while `token` is its own."""

    token = models.PositiveIntegerField(default=0)  # fencing: grows with each lease
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


class IngestJob(models.Model):
    """A request to bring files of one source into a corpus."""

    STATES = [
        ("queued", "Queued"),
        ("running", "Running"),
        ("paused", "Paused"),
        ("done", "Done"),
        ("failed", "Failed"),
        ("stopped", "Stopped"),
    ]

    PROPOSITIONS = "propositions"  # no source: its documents are stored and begin at that stage

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="jobs")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="ingest_jobs"
    )
    source = models.CharField(max_length=30)
    # The feed that this job is one asking of (services.feeding).
    feed = models.ForeignKey(Watched, models.SET_NULL, null=True, related_name="jobs")
    state = models.CharField(max_length=8, choices=STATES, default="queued")
    priority = models.SmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        verbose_name = "job"
        verbose_name_plural = "jobs"
        ordering = ["-id"]
        indexes = [
            # the dispatcher looks for these only
            models.Index(
                fields=["-priority", "id"],
                condition=Q(state__in=["queued", "running"]),
                name="job_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} into {self.corpus}"


class JobFetch(Leased):
    """What a job asks of a live source. `cursor` is where to go on, as the source's client says."""

    STATES = [
        ("queued", "Queued"),
        ("fetching", "Fetching"),
        ("fetched", "Fetched"),
        ("failed", "Failed"),
    ]

    job = models.OneToOneField(IngestJob, models.CASCADE, related_name="fetch")
    request = models.JSONField()  # ids, query, since, limit
    cursor = models.JSONField(null=True)
    state = models.CharField(max_length=8, choices=STATES, default="queued")
    pages = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)  # the source asks to wait
    reason = models.TextField(blank=True)  # why it waits, or why it failed
    notes = models.JSONField(default=list)  # a sentence for whatever the source leaves out

    class Meta:
        indexes = [
            # the dispatcher looks for these only
            models.Index(
                fields=["id"],
                condition=Q(state__in=["queued", "fetching"]),
                name="job_fetch_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.job.source}: {self.request}"


class JobFile(Leased):
    """A file of a job. It is read in slices of records; `cursor` is the first record not yet
    stored.
    """

    STATES = [("queued", "Queued"), ("reading", "Reading"), ("read", "Read"), ("failed", "Failed")]

    job = models.ForeignKey(IngestJob, models.CASCADE, related_name="files")
    name = models.TextField()
    sha256 = models.CharField(max_length=64, blank=True)  # empty once the file was deleted
    size = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=STATES, default="queued")
    cursor = models.PositiveIntegerField(default=0)
    expected = models.PositiveIntegerField(null=True)  # about so many records, once it was opened
    # External ids, where only these records are to be read again (services.reparsing).
    only = ArrayField(models.CharField(max_length=255), null=True)

    class Meta:
        ordering = ["job", "id"]
        indexes = [
            models.Index(
                fields=["job", "id"],
                condition=Q(state__in=["queued", "reading"]),
                name="job_file_open",
            ),
            models.Index(fields=["sha256"], name="job_file_blob"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def _wanted(self) -> frozenset[str] | None:
        return None if self.only is None else frozenset(self.only)

    def wants(self, external_id: str) -> bool:
        """Whether a record of the file is to be stored."""
        return self._wanted is None or external_id in self._wanted


class RecognisedPart(models.Model):
    """A page or figure of a file that is half read: what text recognition found, kept until the
    document is stored.
    """

    file = models.ForeignKey(JobFile, models.CASCADE, related_name="recognised")
    key = models.CharField(max_length=80)  # which part, as the recogniser names it
    found = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "key"], name="recognised_identity")]

    def __str__(self) -> str:
        return f"{self.file}: {self.key}"


class JobItem(Leased):
    """One document of a job, or the reason why there is none."""

    STATES = [
        ("running", "Running"),
        ("done", "Done"),
        ("unchanged", "Unchanged"),
        ("failed", "Failed"),
        ("skipped", "Skipped"),
    ]
    STAGES = [
        ("store", "Store"),
        ("link", "Link"),
        ("propositions", "Propositions"),
        ("embed", "Embed"),
        ("end", "End"),
    ]

    job = models.ForeignKey(IngestJob, models.CASCADE, related_name="items")
    file = models.ForeignKey(JobFile, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()  # of the record in its file, from 0
    name = models.TextField()
    external_id = models.CharField(max_length=255, blank=True)
    state = models.CharField(max_length=9, choices=STATES, default="running")
    stage = models.CharField(max_length=12, choices=STAGES, default="store")
    code = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    records = models.PositiveIntegerField(default=1)
    encoded = models.PositiveIntegerField(default=0)
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        verbose_name = "item of a job"
        verbose_name_plural = "items of jobs"
        ordering = ["job", "id"]
        constraints = [
            models.UniqueConstraint(fields=["file", "position"], name="job_item_identity")
        ]
        indexes = [
            models.Index(
                fields=["job", "id"],
                condition=Q(state="running"),
                name="job_item_running",
            ),
            models.Index(fields=["job", "-updated_at"], name="job_item_latest"),  # rates, live view
            models.Index(fields=["-id"], condition=Q(state="failed"), name="job_item_failed"),
        ]

    def __str__(self) -> str:
        return self.name
