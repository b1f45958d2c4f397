"""The development settings, observed."""

from flux_site.settings.dev import *  # noqa: F403
from flux_site.settings.dev import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.faults.apps.Marking"]
