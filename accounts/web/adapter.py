"""How people get in: by invitation, unless the site is open; whose failures are counted."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from flux_site.kernel.clients import origin_of


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up is closed by default; the setting OPEN_SIGNUP opens it."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anyone may make an account."""
        return bool(settings.OPEN_SIGNUP)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whose attempts are counted."""
        return origin_of(request)
