"""Which rows of accounts a person may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

M = TypeVar("M", bound=models.Model)


class TeamQuerySet(models.QuerySet[Any]):
    """Teams; a person sees those they belong to."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Teams that the user is a member of."""
        return self.filter(memberships__user_id=user.pk)


class OwnQuerySet(models.QuerySet[M]):
    """Rows that belong to one person alone: tokens, research sessions."""

    owner_field = "user"

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """The user's own rows."""
        return self.filter(**{f"{self.owner_field}_id": user.pk})
