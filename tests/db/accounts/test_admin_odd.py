"""Whatever stands in an address of the admin, it answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.filters import FieldListFilter
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import ModelCall
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
VALUES = ("a%00b", "9" * 30, "-" + "9" * 30, "%FF%FE", "2026-99-99", "10000", "NaN")
USUAL = ("p", "o", "all", "e", "_facets", "_popup", "_to_field", "_changelist_filters", "no", "%00")


@pytest.fixture
def desk() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def page(model: Any, act: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{act}", args=args)


def parameters(model: Any) -> list[str]:
    """What the list of a model is asked by: its filters, its dates, its columns."""
    desk, request = admin.site._registry[model], RequestFactory().get("/")
    request.user = UserFactory(is_staff=True, is_superuser=True)
    found = ["q", "pk", "pk__in", "id__gt"]
    for given in desk.get_list_filter(request):
        if isinstance(given, str):
            field = model._meta.get_field(given)
            made = FieldListFilter.create(field, request, {}, model, desk, field_path=given)
            found += [str(name) for name in made.expected_parameters()]
        else:
            found += [given.parameter_name, f"{given.parameter_name}__gt"]
    if desk.date_hierarchy:
        found += [f"{desk.date_hierarchy}__{part}" for part in ("year", "month", "day", "gte")]
    return found


def failures(desk: Client, url: str, names: Iterable[str]) -> list[str]:
    """The questions that the server fails at."""
    asked = [f"{name}={value}" for name in names for value in VALUES]
    return [each for each in asked if desk.get(f"{url}?{each}").status_code >= 500]


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_the_list_answers_whatever_it_is_asked(desk, model):
    assert failures(desk, page(model, "changelist"), parameters(model)) == []


@pytest.mark.parametrize("name", ["accounts.AuditEvent", "corpus.Document"])
def test_pages_orders_and_the_admin_s_own_words_are_taken_as_they_come(desk, name):
    (model,) = [model for model in MODELS if model._meta.label == name]
    assert failures(desk, page(model, "changelist"), USUAL) == []


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_the_page_of_a_row_that_cannot_be_is_the_page_of_none(desk, model):
    failed = []
    for act in ("change", "history", "delete"):
        for value in VALUES:
            address = page(model, act, "0").replace("/0/", f"/{value}/")
            answer = desk.get(address)
            if answer.status_code >= 500:
                failed.append(f"{act} {value[:20]}")
    assert failed == []


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_an_act_on_rows_that_cannot_be_changes_nothing(desk, model):
    rows = model._base_manager.count()
    for act in ("delete_selected", *admin.site._registry[model].actions):
        name = act if isinstance(act, str) else act.__name__
        for value in ("\0", "-1", "9" * 30, "x", ""):
            chosen = {"action": name, "_selected_action": [value], "post": "yes"}
            answer = desk.post(page(model, "changelist"), chosen)
            assert answer.status_code < 500, (name, value)
    assert model._base_manager.count() == rows


@pytest.mark.parametrize("value", ["a%00b", "9" * 30])
def test_a_lookup_that_cannot_be_leads_back_to_the_whole_list(desk, value):
    url = page(ModelCall, "changelist")

    answer = desk.get(f"{url}?model={value}&reserved_at__gte={value}")

    assert (answer.status_code, answer["Location"]) == (302, f"{url}?e=1")
    assert desk.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("value", VALUES)
def test_the_admin_s_other_addresses_answer_too(desk, value):
    addresses = [
        f"autocomplete/?app_label=corpus&model_name=corpus&field_name=team&term={value}",
        f"corpus/corpus/sources/?source={value}",
        f"corpus/document/remove/?pk={value}",
        f"corpus/ingestjob/{value}/live/",
        f"r/{value}/{value}/",
        f"jsi18n/?language={value}",
        f"login/?next={value}",
        f"?app={value}",
    ]
    assert [each for each in addresses if desk.get(f"/admin/{each}").status_code >= 500] == []
