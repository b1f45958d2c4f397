"""Registration of the app."""

from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    """Search and its evaluation."""

    name = "retrieval"
    verbose_name = "Retrieval"

    def ready(self) -> None:
        """Say what deletions have to look for here."""
        from retrieval.services.deleted import register_probe

        register_probe()
