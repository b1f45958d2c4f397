"""Celery's application: queues, periodic tasks, and what a worker does as it starts."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import beat_init, setup_logging, worker_init, worker_ready

from flux_site.runtime.state import mark_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "flux_site.settings.dev")

app = Celery("flux")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "dispatch": {"task": "corpus.tasks.dispatch", "schedule": 1.0, "options": {"expires": 5}},
    "sweep-runs": {"task": "agent.tasks.sweep", "schedule": 5.0, "options": {"expires": 10}},
    "settle-expired": {
        "task": "accounts.tasks.settle_expired",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "relink-stale": {
        "task": "corpus.tasks.relink_stale",
        "schedule": 20.0,
        "options": {"expires": 20},
    },
    "scan-watched": {
        "task": "corpus.tasks.scan_watched",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "ask-feeds": {
        "task": "corpus.tasks.ask_feeds",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "trim-feeds": {
        "task": "corpus.tasks.trim_feeds",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep-files": {
        "task": "corpus.tasks.sweep_files",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "settle-works": {
        "task": "corpus.tasks.settle_works",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "sweep-works": {
        "task": "corpus.tasks.sweep_works",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "trim-changes": {
        "task": "corpus.tasks.trim_changes",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
}


@setup_logging.connect
def log_as_django_does(**_: object) -> None:
    """Celery leaves logging to the settings."""


@worker_init.connect
def load_models(**_: object) -> None:
    """A worker that answers people has its encoder before it reports ready; bulk loads after its
    fork.
    """
    if os.environ.get("FLUX_PART") == "worker-interactive":
        from corpus.encoding.registry import warm_up

        warm_up()


@worker_ready.connect
def worker_is_ready(**_: object) -> None:
    """Tell the supervisor."""
    mark_ready(os.environ.get("FLUX_PART", ""))


@beat_init.connect
def beat_is_ready(**_: object) -> None:
    """Tell the supervisor."""
    mark_ready(os.environ.get("FLUX_PART", ""))
