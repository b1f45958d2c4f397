"""Registration of the wiring: its commands see all apps."""

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The site itself: processes and commands that span the apps."""

    name = "flux_site"
    label = "flux_site"

    def ready(self) -> None:
        """Make Celery's application the current one in every process: commands enqueue too."""
        import_module("flux_site.celery")
