"""Registration of the app."""

from django.apps import AppConfig


class AgentConfig(AppConfig):
    """Questions, runs, answers."""

    name = "agent"
    verbose_name = "Questions and answers"
