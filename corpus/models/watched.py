"""Where records come into a corpus from by themselves: folders of this machine, live sources."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import MD5

from corpus.models.corpus import Corpus
from corpus.querysets import WatchedQuerySet


class Watched(models.Model):
    """A folder below one of WATCH_ROOTS whose files are taken in, or a feed: a query that a live
    source is asked again each day. Both act on behalf of `user`.

    `cursor` is the last file that an unfinished round of a folder has looked at; a round is over
    when every file was.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="watched")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="watched"
    )
    path = models.CharField(max_length=1000, blank=True)  # absolute, without links
    # Of a feed: which is asked. Of a folder: that of files which may be several sources'.
    source = models.CharField(max_length=30, blank=True)
    query = models.CharField(max_length=1000, blank=True)  # of a feed, in the source's language
    since = models.DateField(null=True, blank=True)  # what a feed leaves out: whatever is older
    limit = models.PositiveIntegerField(null=True, blank=True)  # records each time, at most
    paused = models.BooleanField(default=False)
    cursor = models.TextField(blank=True)
    scanned_at = models.DateTimeField(null=True, blank=True)  # looked through, or asked
    error = models.TextField(blank=True)  # why the last scan took nothing, for a curator
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WatchedQuerySet.as_manager()

    class Meta:
        verbose_name = "watched folder or query"
        verbose_name_plural = "watched folders and queries"
        ordering = ["corpus", "path", "source", "query"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "path"], condition=~Q(path=""), name="watched_folder_identity"
            ),
            models.UniqueConstraint(  # by hash: an index takes no value of any length
                "corpus", "source", MD5("query"), condition=~Q(query=""), name="feed_identity"
            ),
            models.CheckConstraint(
                condition=Q(path="", source__gt="", query__gt="") | Q(path__gt="", query=""),
                name="watched_folder_or_feed",
            ),
        ]

    def __str__(self) -> str:
        return self.path or f"{self.source}: {self.query}"

    @property
    def is_feed(self) -> bool:
        """Whether it is a query, and no folder."""
        return not self.path


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
