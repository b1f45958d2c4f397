"""Registration of the app."""

from django.apps import AppConfig
from django.conf import settings


class CorpusConfig(AppConfig):
    """Corpora, documents, passages, vectors, graph rows, jobs."""

    name = "corpus"
    verbose_name = "Corpora"

    def ready(self) -> None:
        """Name the encoders there are; none is loaded before it is used."""
        from corpus.encoding import registry

        registry.register_defaults(
            model_cache=settings.MODEL_CACHE, threads=settings.ENCODER_THREADS
        )
