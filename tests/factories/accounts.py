"""People and teams."""

from __future__ import annotations

from typing import Any

import factory

from accounts.models import Membership, Team, User
from accounts.types import Role

PASSWORD = "a-long-enough-password"


class UserFactory(factory.django.DjangoModelFactory[User]):
    """A person who can sign in with PASSWORD, with a personal team."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    name = factory.Sequence(lambda n: f"Person {n}")

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **kwargs: Any) -> User:
        return model_class.objects.create_user(
            kwargs.pop("email"), kwargs.pop("password", PASSWORD), **kwargs
        )

    @factory.post_generation
    def personal(self: User, create: bool, extracted: Any, **_: Any) -> None:
        team = Team.objects.create(
            slug=f"personal-{self.public_id.hex[:12]}", name=str(self.email), personal_of=self
        )
        Membership.objects.create(team=team, user=self, role=Role.OWNER.value)


class TeamFactory(factory.django.DjangoModelFactory[Team]):
    """A team; `members=[…]` are curators, `owners=[…]`, `researchers=[…]`, `readers=[…]` what they
    say.
    """

    class Meta:
        model = Team
        skip_postgeneration_save = True

    slug = factory.Sequence(lambda n: f"team-{n}")
    name = factory.LazyAttribute(lambda team: team.slug.title())

    @factory.post_generation
    def members(self: Team, create: bool, extracted: list[User] | None, **_: Any) -> None:
        _join(self, extracted, Role.CURATOR)

    @factory.post_generation
    def owners(self: Team, create: bool, extracted: list[User] | None, **_: Any) -> None:
        _join(self, extracted, Role.OWNER)

    @factory.post_generation
    def researchers(self: Team, create: bool, extracted: list[User] | None, **_: Any) -> None:
        _join(self, extracted, Role.RESEARCHER)

    @factory.post_generation
    def readers(self: Team, create: bool, extracted: list[User] | None, **_: Any) -> None:
        _join(self, extracted, Role.READER)


def _join(team: Team, users: list[User] | None, role: Role) -> None:
    for user in users or []:
        Membership.objects.create(team=team, user=user, role=role.value)


class MembershipFactory(factory.django.DjangoModelFactory[Membership]):
    """One person in one team."""

    class Meta:
        model = Membership

    team = factory.SubFactory(TeamFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.READER.value
