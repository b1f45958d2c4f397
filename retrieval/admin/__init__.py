"""Evaluations in the admin."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from accounts.admin.audited import Audited
from retrieval.models import EvaluationRun


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnly, Audited):
    """What was measured, and when."""

    list_display = ("created_at", "name", "questions")
    list_filter = ("name",)
