"""Whatever is done in the admin, and whose rows it showed, stands in the audit."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.admin.audited import Audited
from accounts.admin.rows import row_of, told
from accounts.models import ApiToken, AuditEvent, Budget, ModelPrice, User
from accounts.services import profile, tokens
from corpus.models import CorpusGrant
from tests.factories import CorpusFactory, DocumentFactory, TeamFactory, UserFactory

pytestmark = [pytest.mark.django_db]
BELONG_TO_NO_CORPUS = {"corpus.encoder", "corpus.follower"}


@pytest.fixture
def boss() -> User:
    return UserFactory(is_staff=True, is_superuser=True)


@pytest.fixture
def desk(boss: User) -> Client:
    client = Client()
    client.force_login(boss)
    return client


def page(kind: str, act: str, *args: Any) -> str:
    return reverse(f"admin:{kind}_{act}", args=args)


def events(action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action).order_by("id"))


def price(day: int) -> ModelPrice:
    at = timezone.now().date() + timedelta(days=day)
    amounts = {f"{kind}_microusd": 1 for kind in ("input", "output", "cache_read", "cache_write")}
    return ModelPrice.objects.create(model="m", valid_from=at, **amounts)


def test_every_page_of_the_admin_is_audited():
    pages = admin.site._registry
    assert len(pages) > 12
    assert [model.__name__ for model, each in pages.items() if not isinstance(each, Audited)] == []


def test_every_page_of_rows_that_belong_to_corpora_records_its_views():
    silent = {
        model._meta.label_lower
        for model, each in admin.site._registry.items()
        if model._meta.app_label in {"corpus", "agent"} and not each.views_recorded
    }
    assert silent == BELONG_TO_NO_CORPUS


def test_making_a_superuser_is_told_before_and_after(desk, boss):
    person = UserFactory()
    fields = {"email": person.email, "name": person.name, "is_active": "on", "is_staff": "on"}
    url = page("accounts_user", "change", person.pk)
    assert desk.post(url, fields | {"is_superuser": "on"}).status_code == 302

    (event,) = events("admin.change")
    assert (event.actor, event.target) == (boss, str(person.public_id))
    assert event.before == {"is_staff": False, "is_superuser": False}
    assert event.after == {"is_staff": True, "is_superuser": True}
    assert event.origin == "127.0.0.1"


def test_saving_a_form_without_a_change_writes_nothing(desk):
    person = UserFactory()
    fields = {"email": person.email, "name": person.name, "is_active": "on"}
    assert desk.post(page("accounts_user", "change", person.pk), fields).status_code == 302
    assert events("admin.change") == []


def grants_form(corpus: Any, *lines: dict[str, Any]) -> dict[str, Any]:
    held = sum("id" in line for line in lines)
    form = {
        "name": corpus.name,
        "slug": corpus.slug,
        "team": corpus.team_id,
        "visibility": corpus.visibility,
        "chunker": corpus.chunker,
        "grants-TOTAL_FORMS": len(lines),
        "grants-INITIAL_FORMS": held,
    }
    for number, line in enumerate(lines):
        form |= {f"grants-{number}-{name}": value for name, value in line.items()}
    return form


def test_a_grant_is_told_when_it_is_added_changed_and_removed(desk):
    corpus, guest = CorpusFactory(visibility="private"), UserFactory()
    url = page("corpus_corpus", "change", corpus.pk)
    line = {"user": guest.pk, "role": "reader"}
    assert desk.post(url, grants_form(corpus, line)).status_code == 302
    grant = CorpusGrant.objects.get()
    (added,) = events("admin.add")
    assert added.target_kind == "corpusgrant"
    assert added.after["corpus"] == str(corpus.public_id)
    assert added.after["user"] == str(guest.public_id)
    assert added.after["role"] == "reader"

    line |= {"id": grant.pk, "role": "curator"}
    assert desk.post(url, grants_form(corpus, line)).status_code == 302
    (changed,) = [e for e in events("admin.change") if e.target_kind == "corpusgrant"]
    assert (changed.before, changed.after) == ({"role": "reader"}, {"role": "curator"})

    assert desk.post(url, grants_form(corpus, line | {"DELETE": "on"})).status_code == 302
    (deleted,) = events("admin.delete")
    assert deleted.before["role"] == "curator"
    assert deleted.target == str(grant.pk)
    assert CorpusGrant.objects.count() == 0


def test_a_row_that_is_deleted_is_kept_in_the_audit(desk):
    team = TeamFactory(owners=[UserFactory()])
    url = page("accounts_team", "delete", team.pk)
    desk.get(url)
    assert f"team {team.public_id}" in events("admin.view")[-1].after["rows"]
    assert desk.post(url, {"post": "yes"}).status_code == 302
    (event,) = events("admin.delete")
    assert event.target == str(team.public_id)
    assert event.before["slug"] == team.slug
    assert event.after == {"deleted": {"teams": 1, "memberships": 1}}


def test_each_row_of_a_bulk_deletion_is_told(desk):
    prices = [price(1), price(2)]
    chosen = {"action": "delete_selected", "_selected_action": [row.pk for row in prices]}
    desk.post(page("accounts_modelprice", "changelist"), chosen | {"post": "yes"})
    assert ModelPrice.objects.filter(model="m").count() == 0
    assert {event.target for event in events("admin.delete")} == {str(row.pk) for row in prices}


def test_a_bulk_action_is_told_with_its_rows(desk, monkeypatch):
    def halve(page: Any, request: Any, queryset: Any) -> None:
        queryset.update(cap_microusd=5)

    monkeypatch.setattr(admin.site._registry[Budget], "actions", [halve])
    budget = Budget.objects.create(kind="drill", period="total", cap_microusd=10)
    chosen = {"action": "halve", "_selected_action": [budget.pk]}
    desk.post(page("accounts_budget", "changelist"), chosen)
    budget.refresh_from_db()
    assert budget.cap_microusd == 5
    (event,) = events("admin.action")
    assert event.after["rows"] == [str(budget.public_id)]
    assert (event.after["action"], event.after["count"]) == ("halve", 1)


def test_what_hangs_on_a_row_of_an_installed_package_is_told(desk):
    right = Permission.objects.order_by("pk").first()
    group = Group.objects.create(name="g")
    form = {"name": "g", "permissions": [right.pk]}
    assert desk.post(page("auth_group", "change", group.pk), form).status_code == 302
    (event,) = events("admin.change")
    assert (event.before, event.after) == ({"permissions": []}, {"permissions": [str(right.pk)]})


def test_the_list_of_a_private_corpus_is_a_view_of_it(desk, boss):
    document = DocumentFactory(corpus=CorpusFactory(visibility="private"))
    other = DocumentFactory()
    assert desk.get(page("corpus_document", "changelist")).status_code == 200
    seen = {event.target: event for event in events("admin.view")}
    assert set(seen) == {str(document.corpus.public_id), str(other.corpus.public_id)}
    event = seen[str(document.corpus.public_id)]
    assert (event.actor, event.target_kind) == (boss, "corpus")
    assert event.after == {"list": "document", "rows": [str(document.public_id)], "query": {}}


def test_a_search_that_finds_nothing_is_a_view_too(desk):
    desk.get(page("corpus_document", "changelist"), {"q": "zebrafish"})
    (event,) = events("admin.view")
    assert event.after == {"list": "document", "rows": [], "query": {"q": ["zebrafish"]}}


@pytest.mark.parametrize("act", ["change", "history"])
def test_the_page_of_a_document_is_a_view_of_it(desk, act):
    document = DocumentFactory(corpus=CorpusFactory(visibility="private"))
    assert desk.get(page("corpus_document", act, document.pk)).status_code == 200
    (event,) = events("admin.view")
    assert event.target == str(document.public_id)
    assert event.after["corpus"] == str(document.corpus.public_id)


def test_those_who_may_not_look_leave_no_view(boss):
    client = Client()
    client.force_login(UserFactory())
    document = DocumentFactory()
    client.get(page("corpus_document", "changelist"))
    client.get(page("corpus_document", "change", document.pk))
    assert events("admin.view") == []


def test_no_secret_comes_into_the_audit(desk):
    person = UserFactory()
    desk.post(page("accounts_user", "delete", person.pk), {"post": "yes"})
    (event,) = events("admin.delete")
    assert event.before["email"] == person.email
    assert event.before["password"] == "(hidden)"
    assert person.password not in json.dumps([event.before, event.after])


def test_the_hash_of_a_token_is_told_to_nobody(boss):
    token, _ = tokens.create(boss, ["read"])
    row = row_of(ApiToken.objects.get(pk=token.pk))
    shown = told(ApiToken, row, sorted(row))
    assert (shown["sha256"], shown["prefix"]) == ("(hidden)", token.prefix)


def test_a_new_password_says_that_tokens_stay(desk, boss):
    tokens.create(boss, ["read"])
    profile.change_password(boss, "another-long-enough-password")
    (event,) = events("password.change")
    assert event.after == {"other_sessions": "ended", "api_tokens_kept": 1}
    assert desk.get(reverse("accounts:account")).status_code == 302  # signed out


def test_answers_are_kept_out_of_shared_caches(desk, client):
    for path in ("/api/v1/corpora", "/library/", "/api/v1/absent"):
        assert desk.get(path).headers["Cache-Control"] == "private, no-cache", path
    assert desk.get(reverse("accounts:account")).headers["Cache-Control"] == "no-store"
