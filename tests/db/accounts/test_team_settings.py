"""What owners decide for their team."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import AuditEvent, Team
from accounts.types import Role
from tests.factories import MembershipFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db


def drops(team: Team) -> bool:
    return Team.objects.get(pk=team.pk).drops_quotes


def test_owners_decide_whether_quotes_go_with_their_document(client):
    team = TeamFactory(name="Immunology")
    owner = MembershipFactory(team=team, role=Role.OWNER.value).user
    url = reverse("accounts:quotes", args=[team.public_id])
    client.force_login(owner)
    assert "Drop quotes" in client.get("/account/").content.decode()

    client.post(url, {"drops": "1"})
    assert drops(team)
    assert "Keep quotes" in client.get("/account/").content.decode()
    client.post(url)

    assert not drops(team)
    told = AuditEvent.objects.filter(action="team.drops_quotes").order_by("pk")
    assert [event.after for event in told] == [{"drops_quotes": True}, {"drops_quotes": False}]


def test_nobody_else_does(client):
    team = TeamFactory()
    url = reverse("accounts:quotes", args=[team.public_id])
    curator = MembershipFactory(team=team, role=Role.CURATOR.value).user
    for user in (curator, UserFactory()):
        client.force_login(user)
        assert client.post(url, {"drops": "1"}).status_code == 404
    client.force_login(curator)
    assert "Drop quotes" not in client.get("/account/").content.decode()

    assert not drops(team)
