"""Registration of the app."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """Corpora, documents, passages, vectors, graph rows, jobs."""

    name = "corpus"
    verbose_name = "Corpora"
