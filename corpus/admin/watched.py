"""What is watched, for whoever looks after the installation."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from corpus.models import Watched


@admin.register(Watched)
class WatchedAdmin(ReadOnly, Audited):
    """Watched folders and feeds, and what keeps one from being read."""

    views_recorded = True
    list_display = ("__str__", "corpus", "user", "paused", "scanned_at", "error")
    list_filter = ("paused", "source")
    search_fields = ("path", "query", "corpus__name")
    list_select_related = ("corpus", "user")
