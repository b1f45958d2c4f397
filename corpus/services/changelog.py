"""Keeping the change log short."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from corpus.models import Change, Follower

FORGOTTEN_AFTER = timedelta(days=7)  # a follower not seen for longer starts from the tables again


def trim() -> int:
    """Delete the changes that every live follower has applied; how many."""
    Follower.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN_AFTER).delete()
    slowest = Follower.objects.order_by("xid", "change").first()
    if slowest is None:
        return 0
    behind = Q(xid__lt=slowest.xid) | Q(xid=slowest.xid, id__lte=slowest.change)
    return Change.objects.filter(behind).delete()[0]
