"""What a caller of the API may do: signed in, and for tokens within their scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.types import Scope

if TYPE_CHECKING:  # its module reads the settings that name this class
    from rest_framework.views import APIView


def caller(request: Request) -> User:
    """The signed-in user of a request that HasScope let through."""
    return cast(User, request.user)


class HasScope(BasePermission):
    """A signed-in caller; a token needs the view's `scope` (`read` for reading where it names
    none).
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the call may go on; what it may touch is decided by visible_to."""
        if not request.user or not request.user.is_authenticated:
            return False
        if not isinstance(request.auth, ApiToken):
            return True
        needed = getattr(view, "scope", None)
        if needed is None:
            needed = Scope.READ if request.method in SAFE_METHODS else Scope.INGEST
        return str(needed) in request.auth.scopes
