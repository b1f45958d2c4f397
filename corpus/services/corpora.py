"""Making corpora, and finding the one a name means."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from accounts.models import Team, User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus
from corpus.services import changes, works
from flux_site.kernel.errors import Conflict, InvalidInput, NotAllowed, NotFound

VISIBILITIES = [value for value, _ in Corpus.VISIBILITIES]


@transaction.atomic
def create(
    name: str,
    team: Team,
    *,
    visibility: str = "private",
    by: User | None = None,
    origin: str = "",
    is_demo: bool = False,
    description: str = "",
) -> Corpus:
    """A new, empty corpus. Raises InvalidInput for a bad name, Conflict when the team has one of
    it, and as `check_opening`.
    """
    slug = slugify(name)
    if not slug:
        raise InvalidInput(f"{name!r} is no name for a corpus: use letters and digits.")
    if visibility not in VISIBILITIES:
        raise InvalidInput(f"Visibility is one of {', '.join(VISIBILITIES)}.")
    check_opening(visibility, by)
    slug = _free_slug(team, slug, by)
    corpus = Corpus.objects.create(
        team=team,
        slug=slug,
        name=name,
        visibility=visibility,
        is_demo=is_demo,
        description=description,
    )
    _let_in(corpus, by)
    works.rescope(corpus)
    changes.note(corpus, kind="corpus", key=corpus.pk, op="upsert")
    record(by, "corpus.create", corpus, origin=origin, after={"visibility": visibility})
    return corpus


def check_opening(visibility: str, by: User | None) -> None:
    """Raise NotAllowed where `by` (None: the system) may not give a corpus this visibility.

    What a corpus for everybody says of papers and names counts in the corpora of all teams, so
    whose may say it is a site admin's to judge (docs/adr/0007).
    """
    if visibility == "site" and by is not None and not by.is_superuser:
        raise NotAllowed(
            "Only a site admin opens a corpus to everyone signed in: the retractions and names "
            "that it tells then count in every team's corpora. Make it for the team, and ask a "
            "site admin to open it."
        )


def _free_slug(team: Team, slug: str, by: User | None) -> str:
    """The slug, or the next that is free where a corpus has it that `by` may not know of.

    Raises Conflict when they may.
    """
    taken = Corpus.objects.filter(team=team)
    shown = taken if by is None or by.is_superuser else taken.visible_to(by)
    if shown.filter(slug=slug).exists():
        raise Conflict(f"{team.name} already has a corpus {slug}.")
    tried = (slug, *(f"{slug[:76]}-{number}" for number in range(2, 1000)))
    return next(one for one in tried if not taken.filter(slug=one).exists())


def _let_in(corpus: Corpus, by: User | None) -> None:
    """A curator who makes a private corpus, which owners alone would see, is not locked out."""
    if corpus.visibility != "private" or by is None:
        return
    role = corpus.team.memberships.filter(user=by).values_list("role", flat=True).first()
    if role == Role.CURATOR.value:
        corpus.grants.create(user=by, role=role)


def check_curator(corpus: Corpus, by: User, what: str, *, inside_admin: bool = False) -> None:
    """Raise NotFound for a corpus that `by` may not see, NotAllowed below curator: only curators
    and owners can do `what`, and site admins inside the admin.
    """

    def may(role: Role) -> bool:
        found = Corpus.objects.workable_by(by, role, inside_admin=inside_admin)
        return found.filter(pk=corpus.pk).exists()

    if not may(Role.READER):
        raise NotFound
    if not may(Role.CURATOR):
        raise NotAllowed(f"Only curators and owners can {what}.")


@transaction.atomic
def set_reading(
    corpus: Corpus,
    name: str,
    value: Any,
    *,
    by: User,
    origin: str = "",
    inside_admin: bool = False,
) -> Corpus:
    """Set one of the fields that say how a corpus is read; its row, locked until the end of the
    caller's transaction. Raises as `check_curator`.
    """
    what = f"say how {corpus.name} is read"
    check_curator(corpus, by, what, inside_admin=inside_admin)
    row = Corpus.objects.standing().select_for_update(no_key=True).filter(pk=corpus.pk).first()
    if row is None:
        raise NotFound
    before = {name: getattr(row, name)}
    setattr(row, name, value)
    setattr(corpus, name, value)
    row.save(update_fields=[name])
    record(by, f"corpus.{name}", row, origin=origin, before=before, after={name: value})
    return row


def teams_of(maker: User) -> QuerySet[Team]:
    """Teams in which the user may make corpora: those of which they are curator or owner."""
    ways = {"memberships__user": maker, "memberships__role__in": [Role.CURATOR, Role.OWNER]}
    found: QuerySet[Team] = Team.objects.filter(**ways).order_by("name")
    return found


def find(name: str, reader: User) -> Corpus:
    """The corpus that `name` (slug, TEAM/SLUG or public id) means to this reader.

    Raises NotFound, in the same words for one that is absent and one that is hidden, and
    InvalidInput when several that the reader sees have the name.
    """
    visible = Corpus.objects.visible_to(reader).select_related("team")
    team, _, slug = name.replace("\x00", "\ufffd").rpartition("/")
    found = list(visible.filter(slug=slug, **({"team__slug": team} if team else {})))
    if not found and (public_id := _uuid(name)):
        found = list(visible.filter(public_id=public_id))
    if not found:
        raise NotFound(f"There is no corpus {name!r}.")
    if len(found) > 1:
        names = ", ".join(f"{corpus.team.slug}/{corpus.slug}" for corpus in found)
        raise InvalidInput(f"Several corpora are called {name!r}; name one of {names}.")
    return found[0]


def scope(reader: User, names: Iterable[str] | None = None) -> list[Corpus]:
    """The corpora of a request: those named, or all that the reader may read; by id. Raises as
    find.
    """
    if names is None:
        return list(Corpus.objects.visible_to(reader).order_by("pk"))
    corpora = {corpus.pk: corpus for corpus in (find(name, reader) for name in names)}
    return [corpora[pk] for pk in sorted(corpora)]


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
