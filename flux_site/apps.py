"""Registration of the wiring: its commands see all apps."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The site itself: processes and commands that span the apps."""

    name = "flux_site"
    label = "flux_site"
