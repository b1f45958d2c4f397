"""How often one caller may call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import ApiToken
from flux_site.kernel.clients import origin_of

if TYPE_CHECKING:  # its module reads the settings that name this class
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """A number of calls a minute, for each token by its own rate, for each user by the site's."""

    scope = "caller"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """False, with Retry-After, when the caller is over their rate."""
        if isinstance(request.auth, ApiToken):
            self.num_requests, self.duration = request.auth.rate_per_minute, 60
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """One count for each token, else for each user, else for each address."""
        if isinstance(request.auth, ApiToken):
            ident = f"token-{request.auth.pk}"
        elif request.user and request.user.is_authenticated:
            ident = f"user-{request.user.pk}"
        else:
            ident = origin_of(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
