"""Making a corpus from the library page: only in a team of one's own."""

from __future__ import annotations

import pytest

from accounts.types import Role
from corpus.models import Corpus
from tests.factories import TeamFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client):
    user = UserFactory()
    client.force_login(user)
    return user


def make(client, team, name="Reading group"):
    return client.post("/corpora/", {"team": team.slug, "name": name, "visibility": "team"})


def test_a_curator_makes_one(client, person):
    team = TeamFactory()
    team.memberships.create(user=person, role=Role.CURATOR)

    answer = make(client, team)

    made = Corpus.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, "/library/reading-group/")
    assert (made.team, made.visibility) == (team, "team")


def test_a_researcher_and_a_stranger_are_told_that_nothing_is_there(client, person):
    team = TeamFactory()
    team.memberships.create(user=person, role=Role.RESEARCHER)

    assert make(client, team).status_code == 404
    assert make(client, TeamFactory()).status_code == 404
    assert not Corpus.objects.exists()


def test_the_form_offers_the_teams_in_which_one_can_be_made(client, person):
    ours, theirs = TeamFactory(name="Ours"), TeamFactory(name="Theirs")
    ours.memberships.create(user=person, role=Role.OWNER)
    theirs.memberships.create(user=person, role=Role.READER)

    page = client.get("/library/").content.decode()

    assert f'<option value="{person.personal_team.slug}"' in page
    assert f'<option value="{ours.slug}"' in page
    assert f'<option value="{theirs.slug}"' not in page
