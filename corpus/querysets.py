"""Who may read what, written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Membership
from accounts.types import Role, at_least

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

M = TypeVar("M", bound=models.Model)


def model(name: str) -> Any:
    """A model of this app, looked up late: models stand above their querysets."""
    return apps.get_model("corpus", name)


class CorpusQuerySet(models.QuerySet[Any]):
    """Corpora by what a person may do with them."""

    def readable_by(self, user: User | AnonymousUser) -> Self:
        """Corpora whose contents the user may read. A site admin is no exception."""
        return self.with_role(user, Role.READER)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """The same, under the name that all querysets share."""
        return self.readable_by(user)

    def standing(self) -> Self:
        """Corpora whose deletion nobody has asked for."""
        return self.filter(deleting=False)

    def with_role(self, user: User | AnonymousUser, role: Role) -> Self:
        """Corpora on which the user holds at least `role`, by membership or grant.

        `team` corpora follow the membership's role. A `private` one is for the team's owners and
        for grants. A `site` one can be read by every signed-in user; more needs membership or
        grant.
        """
        if not user.is_authenticated or not user.is_active:
            return self.none()
        roles = at_least(role)
        mine = Membership.objects.filter(user_id=user.pk)
        teams = mine.filter(role__in=roles).values("team_id")
        owned = mine.filter(role=Role.OWNER.value).values("team_id")
        grants = model("CorpusGrant").objects.filter(role__in=roles)
        granted = grants.filter(Q(user_id=user.pk) | Q(team_id__in=mine.values("team_id")))
        allowed = (
            Q(team_id__in=owned)
            | Q(visibility__in=["team", "site"], team_id__in=teams)
            | Q(pk__in=granted.values("corpus_id"))
        )
        if role is Role.READER:
            allowed |= Q(visibility="site")
        return self.standing().filter(allowed)

    def workable_by(self, user: User, role: Role, *, inside_admin: bool = False) -> Self:
        """Corpora that the user may work on. A site admin may on any, inside Django admin alone."""
        if inside_admin and user.is_active and user.is_superuser:
            return self.standing()
        return self.with_role(user, role)


class VisibleQuerySet(models.QuerySet[M]):
    """Rows whose reader is decided by the corpus at `corpus_path`. Nobody sees those whose
    document, at `deletion_path`, is to be deleted.
    """

    corpus_path = "corpus"
    deletion_path = ""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows of the corpora the user may read. Superusers are no exception outside the admin."""
        # A subquery, not a join: no duplicate rows, so no DISTINCT.
        readable = model("Corpus").objects.readable_by(user).values("pk")
        rows = self.filter(**{f"{self.corpus_path}__in": readable})
        return rows.filter(**{self.deletion_path: None}) if self.deletion_path else rows


class DocumentQuerySet(VisibleQuerySet[Any]):
    """Documents of readable corpora."""

    deletion_path = "deletion"


class ChunkQuerySet(VisibleQuerySet[Any]):
    """Passages of readable corpora."""

    deletion_path = "document__deletion"

    def without_vector(self, encoder_id: int) -> Self:
        """Passages that this encoder has not seen, or has seen with another text."""
        known = model("ChunkVector").objects.filter(
            chunk_id=models.OuterRef("pk"),
            encoder_id=encoder_id,
            text_sha256=models.OuterRef("text_sha256"),
        )
        return self.filter(~models.Exists(known))


class PageQuerySet(VisibleQuerySet[Any]):
    """Pages of readable documents."""

    corpus_path = "document__corpus"
    deletion_path = "document__deletion"


class FigureQuerySet(VisibleQuerySet[Any]):
    """Figures of readable documents."""

    corpus_path = "document__corpus"
    deletion_path = "document__deletion"


class TableQuerySet(VisibleQuerySet[Any]):
    """Tables of readable documents."""

    corpus_path = "document__corpus"
    deletion_path = "document__deletion"


class RowQuerySet(VisibleQuerySet[Any]):
    """Rows of readable tables and vocabularies."""

    corpus_path = "document__corpus"
    deletion_path = "document__deletion"


class MentionQuerySet(VisibleQuerySet[Any]):
    """Mentions in readable passages."""

    corpus_path = "chunk__corpus"
    deletion_path = "chunk__document__deletion"


class EvidenceQuerySet(VisibleQuerySet[Any]):
    """Evidence that readable corpora hold."""

    deletion_path = "document__deletion"


class SupportQuerySet(VisibleQuerySet[Any]):
    """Support that readable corpora give."""


class RulingQuerySet(VisibleQuerySet[Any]):
    """What curators said of names in vocabularies of readable corpora."""


class DeletionQuerySet(models.QuerySet[Any]):
    """Deletions and their receipts."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """One's own, those of corpora that one may fill, and those of teams that one owns."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        filled = model("Corpus").objects.with_role(user, Role.CURATOR).values("pk")
        owned = Membership.objects.filter(user_id=user.pk, role=Role.OWNER.value).values("team_id")
        return self.filter(Q(user_id=user.pk) | Q(corpus__in=filled) | Q(team__in=owned))


class WorkQuerySet(models.QuerySet[Any]):
    """Works behind readable documents."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Works that at least one readable document is of."""
        return self.filter(pk__in=model("Document").objects.visible_to(user).values("work_id"))


class EdgeQuerySet(models.QuerySet[Any]):
    """Edges; one is seen through its evidence."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Edges that at least one readable corpus supports."""
        return self.filter(pk__in=model("EdgeSupport").objects.visible_to(user).values("edge_id"))


class NodeQuerySet(models.QuerySet[Any]):
    """Entities; one is seen through a mention or an edge."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Entities that a readable passage mentions or a visible edge touches."""
        edges = model("Edge").objects.visible_to(user)
        return self.filter(
            Q(pk__in=model("Mention").objects.visible_to(user).values("node_id"))
            | Q(pk__in=edges.values("src_id"))
            | Q(pk__in=edges.values("dst_id"))
        )


class JobQuerySet(VisibleQuerySet[Any]):
    """Jobs; those who may fill the corpus see them."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Jobs of corpora on which the user is at least curator."""
        return self.filter(
            corpus__in=model("Corpus").objects.with_role(user, Role.CURATOR).values("pk")
        )


class WatchedQuerySet(VisibleQuerySet[Any]):
    """Watched folders and feeds; those who may fill the corpus see them."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Those of corpora on which the user is at least curator."""
        return self.filter(
            corpus__in=model("Corpus").objects.with_role(user, Role.CURATOR).values("pk")
        )

    def folders(self) -> Self:
        """Folders that are to be looked through."""
        return self.filter(paused=False, corpus__deleting=False).exclude(path="")

    def feeds(self) -> Self:
        """Feeds that are to be asked."""
        return self.filter(paused=False, corpus__deleting=False, path="")


class JobItemQuerySet(VisibleQuerySet[Any]):
    """Items of visible jobs."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Items of corpora on which the user is at least curator."""
        return self.filter(
            job__corpus__in=model("Corpus").objects.with_role(user, Role.CURATOR).values("pk")
        )

    def change(self, **values: Any) -> int:
        """Update with the time of it, by which the rate of a job is told; how many."""
        return self.update(updated_at=timezone.now(), **values)
