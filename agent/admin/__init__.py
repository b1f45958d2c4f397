"""Runs in the admin: that they ran and what they cost; their texts stay with their readers."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from agent.models import Run


@admin.register(Run)
class RunAdmin(ReadOnly, Audited):
    """Runs."""

    views_recorded = True
    list_display = ("created_at", "mode", "status", "user", "team", "cost_microusd")
    list_filter = ("mode", "status")
    list_select_related = ("user", "team")
    fields = ("public_id", "mode", "status", "reason", "user", "team", "cost_microusd", "versions")
