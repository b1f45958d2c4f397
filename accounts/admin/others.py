"""Pages that installed packages bring to the admin: audited like our own.

Their modules are imported here, before the admin looks for them, so that all of them are there.
"""

from __future__ import annotations

from importlib import import_module

from django.apps import apps
from django.contrib import admin

from accounts.admin.audited import Audited

OURS = {"accounts", "corpus", "retrieval", "agent"}


def audit_others() -> None:
    """Register each page that is not audited again, as one that is."""
    for app in apps.get_app_configs():
        if app.name not in OURS and app.name != "django.contrib.admin":
            _import(f"{app.name}.admin")
    for model, page in list(admin.site._registry.items()):
        if not isinstance(page, Audited):
            given = type(page)
            admin.site.unregister(model)
            admin.site.register(model, type(f"Audited{given.__name__}", (Audited, given), {}))


def _import(name: str) -> None:
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
