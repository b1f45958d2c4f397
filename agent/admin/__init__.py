"""Runs in the admin: that they ran and what they cost; their texts stay with their readers."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from agent.models import Run


@admin.register(Run)
class RunAdmin(ReadOnly, admin.ModelAdmin):
    """Runs."""

    list_display = ("created_at", "mode", "status", "user", "team", "cost_microusd")
    list_filter = ("mode", "status")
    list_select_related = ("user", "team")
    fields = ("public_id", "mode", "status", "reason", "user", "team", "cost_microusd", "versions")
