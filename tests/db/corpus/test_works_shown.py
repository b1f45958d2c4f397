"""Other records of a paper on pages and API, of what the reader may read."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.services import tokens
from corpus.models import Document
from tests.factories import CorpusFactory, TeamFactory, UserFactory
from tests.support.papers import TITLE, paper, put

pytestmark = pytest.mark.django_db

DOI = "10.5555/abc.1"
PREPRINT = "10.1101/2019.01.02.000001"


@pytest.fixture
def reader() -> Any:
    return UserFactory()


@pytest.fixture
def public() -> Any:
    return CorpusFactory(visibility="site")


@pytest.fixture
def own(reader: Any) -> Any:
    return CorpusFactory(team=TeamFactory(members=[reader]))


def of_api(document: Document, reader: Any) -> dict[str, Any]:
    client = APIClient()
    _, secret = tokens.create(reader, ("read",))
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return dict(client.get(f"/api/v1/documents/{document.public_id}").json())


def of_page(document: Document, reader: Any) -> str:
    client = Client()
    client.force_login(reader)
    page = client.get(f"/documents/{document.public_id}/?view=about").content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)


@pytest.mark.slow
def test_records_in_readable_corpora_are_named_and_others_are_not(reader, public, own):
    a, b = put(public, paper("a", pmid="11", doi=DOI), paper("b", doi=DOI))
    (mine,) = put(own, paper("mine", doi=DOI))
    (hidden,) = put(CorpusFactory(), paper("hidden", pmid="11"))

    for document in (a, mine):
        others = {str(d.public_id) for d in (a, b, mine) if d != document}
        shown = of_api(document, reader)
        assert set(shown["same_work"]) == others
        assert str(hidden.public_id) not in of_page(document, reader)
        assert all(f"/documents/{other}/" in of_page(document, reader) for other in others)
    assert of_api(a, reader)["work"] == of_api(b, reader)["work"] != of_api(mine, reader)["work"]
    assert "Also here as" in of_page(a, reader)


def test_without_a_record_of_the_site_a_shared_id_tells(reader, own):
    other = CorpusFactory(team=TeamFactory(members=[reader]))
    (a,) = put(own, paper("a", doi=DOI))
    b, c = put(other, paper("b", doi=DOI, pmid="11"), paper("c", pmid="12", doi="10.5555/c"))

    assert of_api(a, reader)["same_work"] == [str(b.public_id)]
    assert of_api(c, reader)["same_work"] == []


def test_versions_and_notices_are_named(reader, public):
    pre, pub, notice = put(
        public,
        paper("pre", doi=PREPRINT, title=TITLE, published="2018"),
        paper("pub", doi=DOI, pmid="11", title=TITLE),
        paper("notice", pmid="99", said=(("retracts", "pmid:11"),)),
    )

    assert of_api(pub, reader)["linked"] == [
        {"kind": "preprint_of", "role": "Preprint", "document": str(pre.public_id)},
        {"kind": "retracts", "role": "Retracted by", "document": str(notice.public_id)},
    ]
    assert [row["role"] for row in of_api(pre, reader)["linked"]] == ["Published version"]
    assert [row["role"] for row in of_api(notice, reader)["linked"]] == ["Retracts"]
    page = of_page(pub, reader)
    assert "Preprint</dt>" in page
    assert "Retracted by</dt>" in page
    assert 'class="retract"' in page


def test_concern_and_correction_stand_on_the_page(reader, public):
    (document,) = put(
        public, paper("a", doi=DOI, said=(("concern_by", "pmid:9"), ("corrected_by", "pmid:8")))
    )

    page = of_page(document, reader)

    assert "expression of concern was published" in page
    assert "A correction of this paper" in page
    shown = of_api(document, reader)
    assert (shown["retracted"], shown["concern"], shown["corrected"]) == (False, True, True)


@pytest.mark.slow
def test_what_hidden_records_say_of_readable_papers_is_shown_to_nobody_else(reader, public):
    a, b = put(public, paper("a", pmid="11"), paper("b", pmid="12"))
    before = [(of_api(d, reader), of_page(d, reader)) for d in (a, b)]

    put(
        CorpusFactory(),
        paper("notice", pmid="99", said=(("retracts", "pmid:11"), ("corrects", "pmid:12"))),
        # a hidden record that says two readable papers belong together
        paper("mine", pmid="11", said=(("updates", "pmid:12"),)),
    )

    assert [(of_api(d, reader), of_page(d, reader)) for d in (a, b)] == before


def test_a_team_sees_what_its_own_notice_says_of_a_paper_of_the_site(reader, public, own):
    (a,) = put(public, paper("a", pmid="11"))
    _, notice = put(
        own, paper("mine", pmid="11"), paper("notice", pmid="99", said=(("retracts", "pmid:11"),))
    )

    linked = of_api(a, reader)["linked"]

    assert linked == [
        {"kind": "retracts", "role": "Retracted by", "document": str(notice.public_id)}
    ]
    assert not of_api(a, reader)["retracted"]
    assert of_api(Document.objects.get(external_id="mine"), reader)["retracted"]
