"""Registration of the app."""

from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    """Search and its evaluation."""

    name = "retrieval"
    verbose_name = "Retrieval"
