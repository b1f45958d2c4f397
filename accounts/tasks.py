"""Periodic work on money."""

from __future__ import annotations

from celery import shared_task

from accounts.services import budgets


@shared_task
def settle_expired() -> int:
    """Settle in full the reservations that nobody has ended in time."""
    return budgets.settle_expired()
