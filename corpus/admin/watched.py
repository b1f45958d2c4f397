"""What is watched, for whoever looks after the installation."""

from __future__ import annotations

from django.contrib import admin

from corpus.admin.base import Desk
from corpus.models import Watched


@admin.register(Watched)
class WatchedAdmin(Desk):
    """Watched folders and feeds, and what keeps one from being read."""

    list_display = ("__str__", "corpus", "user", "paused", "scanned_at", "error")
    list_filter = ("paused", "source")
    search_fields = ("path", "query", "corpus__name")
    list_select_related = ("corpus", "user")
