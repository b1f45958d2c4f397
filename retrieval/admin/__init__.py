"""Evaluations in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from retrieval.models import EvaluationRun


@admin.register(EvaluationRun)
class EvaluationRunAdmin(admin.ModelAdmin):
    """What was measured, and when."""

    list_display = ("created_at", "name", "questions")
    list_filter = ("name",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Evaluations are run by command."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A measurement is not edited."""
        return False
