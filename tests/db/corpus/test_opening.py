"""Only a site admin opens a corpus to everyone signed in, whichever door they come by."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Team, User
from corpus.models import Corpus
from tests.factories import TeamFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client: Client) -> User:
    user = UserFactory()
    client.force_login(user)
    return user


DOORS = ["page", "api", "command"]


def open_by(door: str, client: Client, user: User, team: Team) -> int | str:
    """Make a corpus for everybody; how that ended."""
    given = {"team": team.slug, "name": "For all", "visibility": "site"}
    client.force_login(user)
    if door == "page":
        return int(client.post("/corpora/", given).status_code)
    if door == "api":
        headers = {"sec-fetch-site": "same-origin"}
        return int(client.post("/api/v1/corpora", given, headers=headers).status_code)
    said = ["For all", "--team", team.slug, "--visibility", "site", "--as", user.email]
    try:
        call_command("create_corpus", *said, stdout=StringIO(), stderr=StringIO())
    except SystemExit as ended:
        return f"exit {ended.code}"
    return "exit 0"


@pytest.mark.parametrize("door", DOORS)
def test_the_owner_of_a_team_opens_no_corpus_to_everybody(client, person, door):
    team = TeamFactory(owners=[person])

    assert open_by(door, client, person, team) in {422, 403, "exit 1"}
    assert not Corpus.objects.exists()


@pytest.mark.parametrize("door", DOORS)
def test_a_site_admin_who_owns_the_team_opens_one(client, door):
    admin = UserFactory(is_superuser=True)

    assert open_by(door, client, admin, TeamFactory(owners=[admin])) in {302, 201, "exit 0"}
    assert Corpus.objects.get().visibility == "site"


def test_the_refusal_says_what_to_do_and_the_page_does_not_offer_it(client, person):
    team = TeamFactory(owners=[person])
    given = {"team": team.slug, "name": "For all", "visibility": "site"}

    assert "ask a site admin to open it" in client.post("/corpora/", given).content.decode()
    assert '<option value="site"' not in client.get("/library/").content.decode()
