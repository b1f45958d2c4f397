"""The change log: kept for the slowest follower, cut behind it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from corpus.models import Change, Follower
from corpus.services import changelog, changes
from tests.factories import CorpusFactory

pytestmark = pytest.mark.django_db


def noted(count: int) -> list[Change]:
    corpus = CorpusFactory()
    for key in range(count):
        changes.note(corpus, kind="document", key=key, op="upsert")
    return list(Change.objects.order_by("xid", "id"))


def follower(name: str, at: Change) -> Follower:
    return Follower.objects.create(name=name, host="here", xid=at.xid, change=at.pk)


def test_without_a_follower_nothing_is_cut():
    noted(2)

    assert changelog.trim() == 0


def test_it_is_cut_behind_the_slowest():
    first, second, third = noted(3)
    follower("slow", first)
    follower("quick", third)

    assert changelog.trim() == 1
    assert list(Change.objects.order_by("id")) == [second, third]


def test_a_follower_not_seen_for_a_week_no_longer_counts():
    first, _, third = noted(3)
    gone = follower("gone", first)
    Follower.objects.filter(pk=gone.pk).update(seen_at=timezone.now() - timedelta(days=8))
    follower("quick", third)

    assert changelog.trim() == 3
