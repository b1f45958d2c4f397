"""Runs in the admin: that they ran and what they cost; their texts stay with their readers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from agent.models import Run


@admin.register(Run)
class RunAdmin(admin.ModelAdmin):
    """Runs."""

    list_display = ("created_at", "mode", "status", "user", "team", "cost_microusd")
    list_filter = ("mode", "status")
    list_select_related = ("user", "team")
    fields = ("public_id", "mode", "status", "reason", "user", "team", "cost_microusd", "versions")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Runs start from questions."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing to edit."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A run belongs to its starter."""
        return False
