"""People at the desk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from tests.factories import UserFactory

Signed = Callable[..., Client]


@pytest.fixture
def boss() -> User:
    """The site admin."""
    return UserFactory(is_staff=True, is_superuser=True)


@pytest.fixture
def desk(boss: User) -> Client:
    """The admin as the site admin has it."""
    client = Client()
    client.force_login(boss)
    return client


@pytest.fixture
def signed() -> Signed:
    """The admin as someone has it: staff who may see and work on everything of corpora."""

    def made(user: User) -> Client:
        User.objects.filter(pk=user.pk).update(is_staff=True)
        rights = Permission.objects.filter(content_type__app_label="corpus")
        user.user_permissions.set(rights.filter(codename__regex="^(view|change)_"))
        client = Client()
        client.force_login(user)
        return client

    return made
