"""The edges of the API: paths that do not exist, input that is not valid, its page."""

from __future__ import annotations

import pytest
from django.conf import settings

from tests.factories import CorpusFactory, DocumentFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_an_unknown_path_is_a_problem_and_no_page(client):
    for call in (client.get, client.post):
        answer = call("/api/v1/nothing/here")

        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "not_found"


def test_input_that_is_not_valid_is_422_and_what_is_no_json_400(client):
    CorpusFactory()
    client.force_login(UserFactory())
    path = "/api/v1/query"
    headers = {"headers": {"sec-fetch-site": "same-origin"}}

    empty = client.post(path, {"question": ""}, content_type="application/json", **headers)
    broken = client.post(path, b"{", content_type="application/json", **headers)

    assert (empty.status_code, empty.json()["code"]) == (422, "invalid_input")
    assert broken.status_code == 400


@pytest.mark.parametrize("version", ["v2", "2.0", "", "%00", "x%0d%0aSet-Cookie:%20a=b"])
def test_a_version_of_the_description_that_is_not_ours_is_not_found(client, version):
    client.force_login(UserFactory())

    answer = client.get(f"/api/v1/schema?version={version}")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"
    assert settings.VERSION in answer.json()["detail"]


def test_the_description_is_the_same_with_and_without_its_version(client):
    client.force_login(UserFactory())
    path = "/api/v1/schema?format=json"

    plain, named = client.get(path), client.get(f"{path}&version={settings.VERSION}")

    assert plain.status_code == 200
    assert plain.content == named.content
    assert plain.json()["info"]["version"] == settings.VERSION


@pytest.mark.parametrize("lang", ["de", "xx", "%00"])
def test_the_description_is_there_whatever_language_is_asked_for(client, lang):
    client.force_login(UserFactory())

    assert client.get(f"/api/v1/schema?lang={lang}").status_code == 200


def test_the_page_of_the_api_asks_for_sign_in(client):
    answer = client.get("/api/v1/docs")

    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/")


def test_a_cursor_is_sealed_and_another_one_is_not_taken(client):
    corpus = CorpusFactory(visibility="site")
    DocumentFactory.create_batch(3, corpus=corpus)
    client.force_login(UserFactory())

    first = client.get("/api/v1/documents?limit=2").json()
    cursor = first["next"].split("cursor=")[1].split("&")[0]
    rest = client.get(first["next"]).json()["results"]

    assert len(rest) == 1
    assert not {row["id"] for row in rest} & {row["id"] for row in first["results"]}
    assert cursor.startswith("gAAAA"), "sealed: row numbers would count hidden rows"
    for made in ("cD0yNQ==", "p=abc", "%00", cursor[:-6]):
        assert client.get(f"/api/v1/documents?cursor={made}").status_code == 404


def test_nesting_without_end_is_no_error_of_ours(client):
    client.force_login(UserFactory())
    headers = {"headers": {"sec-fetch-site": "same-origin"}}

    answer = client.post("/api/v1/query", "[" * 5000, content_type="application/json", **headers)

    assert answer.status_code == 400


@pytest.mark.parametrize("path", ["documents", "corpora", "jobs", "search?q=x&"])
def test_nul_in_the_name_of_a_corpus_finds_nothing(client, path):
    client.force_login(UserFactory())

    answer = client.get(f"/api/v1/{path}{'' if '?' in path else '?'}corpus=%00")

    assert answer.status_code in {200, 400, 404, 422}


def test_the_admin_has_the_site_s_own_sign_in(client):
    answer = client.post("/admin/login/", {"username": "a@example.org", "password": "wrong"})

    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/")
