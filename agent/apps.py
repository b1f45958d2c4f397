"""Registration of the app."""

from django.apps import AppConfig


class AgentConfig(AppConfig):
    """Questions, runs, answers."""

    name = "agent"
    verbose_name = "Questions and answers"

    def ready(self) -> None:
        """Say what deletions have to mark here."""
        from agent.services.deleted import register_holder

        register_holder()
