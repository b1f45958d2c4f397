"""Who may see which run, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Q

from accounts.models import Membership
from accounts.types import Role
from corpus.models import Corpus

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

M = TypeVar("M", bound=models.Model)


class RunQuerySet(models.QuerySet[Any]):
    """Runs."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Runs that the user started, and those shared with them or with a team of theirs."""
        teams = Membership.objects.filter(user_id=user.pk or 0).values("team_id")
        shares = apps.get_model("agent", "RunShare").objects.filter(
            Q(user_id=user.pk) | Q(team_id__in=teams)
        )
        return self.filter(Q(user_id=user.pk) | Q(pk__in=shares.values("run_id")))

    def overseen_by(self, user: User | AnonymousUser) -> Self:
        """Runs under way that teams of the user pay for and that are not visible to them.

        An owner sees that they run, who started them and their cost, and may stop them.
        """
        owned = Membership.objects.filter(user_id=user.pk or 0, role=Role.OWNER.value).values(
            "team_id"
        )
        others = self.filter(team_id__in=owned, status__in=["queued", "running"])
        return others.exclude(pk__in=self.model._default_manager.visible_to(user).values("pk"))


class OfRunQuerySet(models.QuerySet[M]):
    """Rows of visible runs; what they hold of corpora is filtered again where it is shown."""

    run_path = "run"

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows of runs that the user may see."""
        runs = apps.get_model("agent", "Run").objects.visible_to(user).values("pk")
        return self.filter(**{f"{self.run_path}__in": runs})


class CitationQuerySet(OfRunQuerySet[Any]):
    """Citations; a reader sees those of readable corpora."""

    run_path = "answer__run"

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Citations in visible runs whose corpus the user may read, or, once that is deleted, that
        the user has kept (services.deleted).
        """
        readable = Corpus.objects.readable_by(user).values("pk")
        gone = Q(corpus=None) | Q(corpus__deleting=True)
        kept = gone & Q(answer__run__user_id=user.pk) & ~Q(quote="")
        return super().visible_to(user).filter(Q(corpus__in=readable) | kept)


class ClaimQuerySet(OfRunQuerySet[Any]):
    """Claims; a reader sees those all of whose citations they may see."""

    run_path = "answer__run"

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Claims in visible runs that cite no corpus hidden from the user."""
        citations = apps.get_model("agent", "Citation").objects
        hidden = citations.filter(claims=models.OuterRef("pk")).exclude(
            pk__in=citations.visible_to(user).values("pk")
        )
        return super().visible_to(user).filter(~models.Exists(hidden))
