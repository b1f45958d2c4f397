"""Records over HTTP: the caller's own, and nothing of the rest."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.services import tokens
from corpus.models import IngestJob
from flux_site.kernel import blobs
from tests.factories import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    TableFactory,
    TeamFactory,
    UserFactory,
)
from tests.support.ingesting import curator_of, ingest

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def member() -> object:
    return UserFactory()


@pytest.fixture
def corpus(member: object) -> object:
    return CorpusFactory(team=TeamFactory(members=[member]))


def client_of(user: object, *scopes: str) -> APIClient:
    client = APIClient()
    _, secret = tokens.create(user, scopes or ("read",))
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def test_without_a_token_there_is_a_problem_and_nothing_else():
    answer = APIClient().get("/api/v1/documents")

    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_authenticated"


def test_lists_hold_what_the_caller_may_see(member, corpus):
    mine = DocumentFactory(corpus=corpus)
    DocumentFactory()

    answer = client_of(member).get("/api/v1/documents").json()

    assert [row["id"] for row in answer["results"]] == [str(mine.public_id)]
    assert answer["next"] is None


def test_a_hidden_corpus_filters_like_one_that_does_not_exist(member):
    hidden = DocumentFactory().corpus
    client = client_of(member)

    one = client.get(f"/api/v1/documents?corpus={hidden.slug}")
    two = client.get("/api/v1/documents?corpus=nothing-here")

    assert one.status_code == two.status_code == 200
    assert one.content == two.content


def test_anothers_record_is_a_404_like_no_record(member):
    hidden = ChunkFactory()
    client = client_of(member)

    one = client.get(f"/api/v1/chunks/{hidden.public_id}")
    two = client.get("/api/v1/chunks/00000000-0000-0000-0000-000000000001")

    assert one.status_code == two.status_code == 404
    assert one.content == two.content


def test_passages_of_one_document_come_by_its_id(member, corpus):
    chunk = ChunkFactory(document=DocumentFactory(corpus=corpus), section_path=["Results", "Mice"])

    answer = client_of(member).get(f"/api/v1/chunks?document={chunk.document.public_id}").json()

    assert answer["results"][0]["text"] == chunk.text
    assert answer["results"][0]["section"] == "Results › Mice"


def test_a_document_id_that_is_none_gives_an_empty_list(member):
    assert client_of(member).get("/api/v1/chunks?document=xyz").json()["results"] == []


def test_an_image_is_served_to_those_who_see_its_figure(member, corpus):
    sha256 = blobs.put(PNG)
    FigureFactory(document=DocumentFactory(corpus=corpus), image_sha256=sha256)

    answer = client_of(member).get(f"/api/v1/images/{sha256}")

    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert client_of(UserFactory()).get(f"/api/v1/images/{sha256}").status_code == 404


def test_a_curator_uploads_and_gets_the_job(member, corpus):
    file = SimpleUploadedFile("a.jsonl", b'{"id":"1","title":"T","text":"JAK1 binds gp130."}\n')

    answer = client_of(member, "ingest").post(
        "/api/v1/ingest/document", {"corpus": corpus.slug, "source": "jsonl", "file": file}
    )

    assert answer.status_code == 202
    assert answer.json()["job"] == str(IngestJob.objects.get().public_id)


def test_a_token_does_what_its_scopes_say(member, corpus):
    file = SimpleUploadedFile("a.jsonl", b"{}")
    body = {"corpus": corpus.slug, "source": "jsonl", "file": file}

    assert client_of(member, "read").post("/api/v1/ingest/document", body).status_code == 403
    assert client_of(member, "ingest").get("/api/v1/documents").status_code == 403


def test_a_revoked_token_is_nobody(member):
    token, secret = tokens.create(member, ["read"])
    tokens.revoke(token, by=member)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")

    assert client.get("/api/v1/documents").status_code == 401


def test_too_many_calls_are_told_when_to_come_back(member):
    token, secret = tokens.create(member, ["read"])
    token.rate_per_minute = 2
    token.save()
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")

    answers = [client.get("/api/v1/corpora") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_an_upload_over_the_limit_says_so(member, corpus, settings):
    settings.UPLOAD_MAX_BYTES = 10
    file = SimpleUploadedFile("a.jsonl", b"x" * 11)

    answer = client_of(member, "ingest").post(
        "/api/v1/ingest/document", {"corpus": corpus.slug, "source": "jsonl", "file": file}
    )

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_corpora_are_made_by_curators_of_their_team(member, corpus):
    body = {"name": "New one", "team": corpus.team.slug, "visibility": "team"}

    assert client_of(member, "ingest").post("/api/v1/corpora", body).status_code == 201
    assert client_of(UserFactory(), "ingest").post("/api/v1/corpora", body).status_code == 404


def test_a_table_alone_has_its_boxes_its_spans_and_its_markdown(member, corpus):
    document = DocumentFactory(corpus=corpus)
    table = TableFactory(
        document=document,
        rows=[["Dose", ""], ["1 mg", "2 mg"]],
        spans=[[0, 0, 1, 2]],
        cells=[[[3, 10, 20, 90, 30], None], [[3, 10, 30, 40, 40], [3, 50, 30, 90, 40]]],
        page=3,
        box=[10, 20, 90, 40],
    )

    answer = client_of(member).get(f"/api/v1/tables/{table.public_id}").json()

    assert answer["box"] == [10.0, 20.0, 90.0, 40.0]
    assert answer["spans"] == [[0, 0, 1, 2]]
    assert answer["cells"][0] == [[3.0, 10.0, 20.0, 90.0, 30.0], None]
    assert answer["markdown"].splitlines()[0] == "| Dose | Dose |"


def test_a_panel_names_its_figure(member, corpus):
    document = DocumentFactory(corpus=corpus)
    whole = FigureFactory(document=document, box=[1, 2, 3, 4])
    FigureFactory(document=document, parent=whole)

    rows = client_of(member).get(f"/api/v1/figures?document={document.public_id}").json()["results"]

    assert {(row["part_of"], tuple(row["box"] or ())) for row in rows} == {
        (None, (1.0, 2.0, 3.0, 4.0)),
        (str(whole.public_id), ()),
    }


def test_figures_of_one_kind(member, corpus):
    document = DocumentFactory(corpus=corpus)
    scan = FigureFactory(document=document, kind="radiology", kind_confidence=0.9)
    FigureFactory(document=document)

    answer = client_of(member).get("/api/v1/figures?kind=radiology").json()
    refused = client_of(member).get("/api/v1/figures?kind=cat")

    assert [(row["id"], row["kind"]) for row in answer["results"]] == [
        (str(scan.public_id), "radiology")
    ]
    assert refused.status_code == 422
    assert "general, radiology, pathology" in refused.json()["detail"]


def test_a_job_without_its_items_or_with_those_that_failed(corpus):
    curator = curator_of(corpus)
    job = ingest(corpus, {"id": "a", "title": "A", "text": "STAT3 drives SOCS3."}, {"id": "b"})
    url = f"/api/v1/jobs/{job.public_id}"
    client = client_of(curator)

    answers = {
        wanted: client.get(f"{url}?items={wanted}").json() for wanted in ("all", "failed", "none")
    }

    assert [item["state"] for item in answers["all"]["items"]] == ["done", "failed"]
    assert [item["state"] for item in answers["failed"]["items"]] == ["failed"]
    assert "items" not in answers["none"]
    assert {answer["done"] for answer in answers.values()} == {1}
    assert client.get(url).json()["items"] == answers["all"]["items"]
    assert client.get(f"{url}?items=some").status_code == 422


def test_many_jobs_cost_no_more_queries_than_one(corpus, django_assert_max_num_queries):
    client = client_of(curator_of(corpus))
    ingest(corpus, {"id": "a", "title": "A", "text": "STAT3 drives SOCS3."})
    with CaptureQueriesContext(connection) as one:
        client.get("/api/v1/jobs")
    for number in range(5):
        ingest(corpus, {"id": f"b{number}", "title": "B", "text": "SOCS3 inhibits JAK2."})

    with django_assert_max_num_queries(len(one)):
        rows = client.get("/api/v1/jobs").json()["results"]

    assert [row["done"] for row in rows] == [1] * 6
