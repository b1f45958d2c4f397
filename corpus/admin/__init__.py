"""The curators' desk. Each module is a desk of its own; importing it puts it on the site."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from corpus.admin import (
    corpora,
    deleting,
    documents,
    duplicates,
    items,
    jobs,
    papers,
    vocabulary,
    watched,
)
from corpus.models import Encoder, Follower

__all__ = [
    "corpora",
    "deleting",
    "documents",
    "duplicates",
    "items",
    "jobs",
    "papers",
    "vocabulary",
    "watched",
]


@admin.register(Encoder)
class EncoderAdmin(ReadOnly, Audited):
    """Encoders whose vectors are stored."""

    list_display = ("name", "modality", "dimension", "created_at")


@admin.register(Follower)
class FollowerAdmin(ReadOnly, Audited):
    """How far each follower of the change log has read."""

    list_display = ("name", "host", "xid", "change", "seen_at")
