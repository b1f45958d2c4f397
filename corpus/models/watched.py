"""Folders of this machine whose files come into a corpus by themselves."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from corpus.models.corpus import Corpus
from corpus.querysets import WatchedQuerySet


class Watched(models.Model):
    """A folder below one of WATCH_ROOTS. Its files are taken in on behalf of `user`.

    `cursor` is the last file that an unfinished round has looked at; a round is over when every
    file was.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="watched")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="watched"
    )
    path = models.CharField(max_length=1000)  # absolute, without links
    source = models.CharField(max_length=30, blank=True)  # of files that may be several sources'
    paused = models.BooleanField(default=False)
    cursor = models.TextField(blank=True)
    scanned_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)  # why the last scan took nothing, for a curator
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WatchedQuerySet.as_manager()

    class Meta:
        ordering = ["corpus", "path"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "path"], name="watched_folder_identity")
        ]

    def __str__(self) -> str:
        return self.path


class WatchedFile(models.Model):
    """A file as a scan last saw it. It is taken in once two scans have seen the same `stamp`."""

    folder = models.ForeignKey(Watched, models.CASCADE, related_name="files")
    name = models.CharField(max_length=600)  # path in the folder; a very long one ends in its hash
    stamp = models.CharField(max_length=80)  # size and times: another one means another content
    seen_at = models.DateTimeField()  # when this stamp was first seen
    taken = models.BooleanField(default=False)  # with this stamp
    sha256 = models.CharField(max_length=64, blank=True)  # as last taken; empty if it was refused

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["folder", "name"], name="watched_file_identity")
        ]
        indexes = [models.Index(fields=["sha256"], name="watched_file_sha256")]

    def __str__(self) -> str:
        return self.name
