"""People and teams: making them, and changing who belongs where."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.text import slugify

from accounts.models import Membership, Team, User
from accounts.services.audit import record
from accounts.types import Role
from flux_site.kernel.errors import Conflict, InvalidInput, NotFound


@transaction.atomic
def create_user(
    email: str,
    password: str | None,
    *,
    team: str = "",
    role: Role = Role.READER,
    site_admin: bool = False,
    name: str = "",
    by: User | None = None,
    origin: str = "command",
) -> User:
    """A person with their personal team, and a membership in `team`, which is made where it is
    missing.

    Raises InvalidInput for a bad address or password, Conflict when the address is taken.
    """
    email = email.strip().lower()
    try:
        validate_email(email)
        if password is not None:
            validate_password(password)
    except ValidationError as error:
        raise InvalidInput(" ".join(error.messages)) from error
    if User.objects.filter(email=email).exists():
        raise Conflict(f"There is already a user {email}.")
    user = User.objects.create_user(
        email, password, name=name, is_staff=site_admin, is_superuser=site_admin
    )
    Team.objects.create(
        slug=f"personal-{user.public_id.hex[:12]}", name=user.display_name, personal_of=user
    )
    Membership.objects.create(team=user.personal_team, user=user, role=Role.OWNER.value)
    record(by, "user.create", user, origin=origin, after={"site_admin": site_admin})
    if team:
        set_role(team_by_name(team), user, role, by=by, origin=origin)
    return user


def team_by_name(name: str) -> Team:
    """The team with that slug, made where it is missing."""
    slug = slugify(name)
    if not slug:
        raise InvalidInput(f"{name!r} is no name for a team: use letters and digits.")
    team, _ = Team.objects.get_or_create(slug=slug, defaults={"name": name})
    return team


@transaction.atomic
def set_role(
    team: Team, user: User, role: Role, *, by: User | None = None, origin: str = ""
) -> Membership:
    """Make the user a member of the team, or change the role they have there."""
    former = Membership.objects.filter(team=team, user=user).first()
    membership, _ = Membership.objects.update_or_create(
        team=team, user=user, defaults={"role": role.value}
    )
    record(
        by,
        "member.set",
        team,
        origin=origin,
        before={"user": str(user.public_id), "role": former.role} if former else None,
        after={"user": str(user.public_id), "role": role.value},
    )
    return membership


@transaction.atomic
def set_drops_quotes(team: Team, on: bool, *, by: User, origin: str = "") -> None:
    """Say whether saved answers lose the quotes of the team's documents that are deleted from now
    on. Raises NotFound unless `by` owns the team.
    """
    owned = Team.objects.filter(memberships__user=by, memberships__role=Role.OWNER.value)
    row = owned.select_for_update(of=("self",)).filter(pk=team.pk).first()
    if row is None:
        raise NotFound
    before, row.drops_quotes = row.drops_quotes, on
    row.save(update_fields=["drops_quotes"])
    told = {"before": {"drops_quotes": before}, "after": {"drops_quotes": on}}
    record(by, "team.drops_quotes", row, origin=origin, **told)


def first_admin() -> User | None:
    """The site admin made first: the default reader of commands."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
