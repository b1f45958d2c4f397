"""Papers that reference lists name are fetched by their ids, once, and what is unknown is said."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.core.management import call_command

from corpus.models import Corpus, Document, IngestJob
from corpus.services import control, fetching, jobs, live, progress, wanted
from corpus.sources.fetching import Request
from flux_site.kernel.errors import Conflict, InvalidInput
from tests.factories import CorpusFactory
from tests.support.ingesting import curator_of, ingest_files
from tests.support.replay import ReplayServer
from tests.support.upstreams import Entrez

pytestmark = [pytest.mark.django_db, pytest.mark.enable_socket]

LIST = b"""@article{a, title = {A kinase brake in memory T cells of the liver}, pmid = {1},
  year = {2018}, author = {Mensah, Ada}}
@article{b, title = {Another kinase brake in memory T cells}, pmid = {2}, year = {2019},
  abstract = {We lost the kinase.}}
@article{c, title = {Cold cells of the liver and their kinase}, doi = {10.5555/c}, year = {2020}}
@article{d, title = {A paper that PubMed has never heard of}, pmid = {99}, year = {2021}}
@article{e, title = {A paper without any id at all, sadly}, year = {2021}}
"""


@pytest.fixture
def ncbi(settings):
    """A loopback server in place of PubMed's."""
    with ReplayServer(Entrez(dict.fromkeys(range(1, 8), date(2020, 1, 1)))) as server:
        settings.HTTP_ALLOW_LOOPBACK = True
        settings.SOURCE_URLS = dict.fromkeys(fetching.LIVE, server.url)
        settings.REDIS_URL = ""
        fetching._quota.cache_clear()
        yield server


@pytest.fixture
def corpus() -> Corpus:
    found = CorpusFactory()
    ingest_files(found, "references", [("zotero.bib", LIST)])
    return found


def fetched(corpus: Corpus) -> IngestJob:
    request = wanted.request(corpus, "pubmed")
    return jobs.work_off(live.accept(corpus, "pubmed", request, by=curator_of(corpus)))


def test_papers_without_text_are_wanted_by_pmid_and_else_by_doi(corpus):
    assert wanted.named(corpus) == {"pubmed": ["1", "99"], "openalex": ["10.5555/c"]}
    assert wanted.named(CorpusFactory()) == {}


@pytest.mark.slow
def test_a_named_paper_is_fetched_and_is_one_work_with_its_entry(corpus, ncbi):
    fetched(corpus)

    paper = Document.objects.get(source="pubmed")
    assert paper.identifiers["pmid"] == "1"
    assert paper.work == Document.objects.get(external_id="pmid:1").work
    assert wanted.named(corpus)["pubmed"] == ["99"]


@pytest.mark.slow
def test_an_id_that_the_source_does_not_know_is_an_item_with_a_reason(corpus, ncbi):
    job = fetched(corpus)

    result = progress.summary(job)

    assert (result["state"], result["done"], result["failed"]) == ("done", 1, 1)
    (missing,) = [item for item in result["items"] if item["state"] == "failed"]
    assert (missing["name"], missing["code"]) == ("99", wanted.NOT_FOUND)
    assert missing["reason"] == "PubMed has no record with the id 99: check it."
    with pytest.raises(Conflict):
        control.act(job, "retry", by=job.user)


@pytest.mark.slow
def test_ids_of_which_none_is_known_are_items_too_and_can_be_asked_for_again(corpus, ncbi):
    asked = Request(ids=("98", "99"))
    job = live.accept(corpus, "pubmed", asked, by=curator_of(corpus))
    jobs.work_off(job)
    assert job.state == "failed"
    assert set(job.items.values_list("name", flat=True)) == {"98", "99"}

    ncbi.script = Entrez({98: date(2020, 1, 1)})
    control.act(job, "retry", by=job.user)
    jobs.work_off(job)

    assert dict(job.items.values_list("name", "state")) == {
        "Made record 98": "done",
        "99": "failed",
    }


def test_what_is_here_or_on_its_way_is_not_asked_for_again(corpus, ncbi):
    live.accept(corpus, "pubmed", wanted.request(corpus, "pubmed"), by=curator_of(corpus))
    assert "pubmed" not in wanted.named(corpus)
    with pytest.raises(InvalidInput):
        wanted.request(corpus, "pubmed")


def test_another_corpus_that_has_the_paper_does_not_keep_it_from_being_fetched(corpus, ncbi):
    elsewhere = CorpusFactory(team=corpus.team)
    live.accept(elsewhere, "pubmed", Request(ids=("1",)), by=curator_of(elsewhere))
    jobs.work_off(IngestJob.objects.latest("pk"))

    assert wanted.named(corpus)["pubmed"] == ["1", "99"]


def test_the_command_asks_for_them(corpus, ncbi, capsys):
    email = curator_of(corpus).email
    given = ("--corpus", corpus.slug, "--named", "--no-wait", "--as", email, "--json")
    call_command("ingest", "pubmed", *given)

    job = IngestJob.objects.get(public_id=json.loads(capsys.readouterr().out)["job"])

    assert job.fetch.request["ids"] == ["1", "99"]


def test_the_api_asks_for_them(corpus, ncbi, client):
    client.force_login(curator_of(corpus))
    given = {"corpus": corpus.slug, "source": "openalex", "named": True}

    answer = client.post("/api/v1/ingest/fetch", given, content_type="application/json")

    assert answer.status_code == 202
    assert IngestJob.objects.latest("pk").fetch.request["ids"] == ["10.5555/c"]


@pytest.mark.slow
def test_the_page_offers_them_until_they_are_here(corpus, ncbi, client):
    client.force_login(curator_of(corpus))
    url = f"/library/{corpus.slug}/"
    assert "Fetch 2 papers from PubMed" in client.get(url).content.decode()

    client.post(f"{url}fetch/", {"source": "pubmed", "named": "1"})
    page = client.get(url).content.decode()

    assert "from PubMed</button>" not in page
    assert "Fetch 1 paper from OpenAlex" in page
