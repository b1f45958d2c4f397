"""PubMed asked live, against a server with the rules of NCBI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from corpus.sources.fetching import Request
from corpus.sources.pubmed import client as pubmed
from corpus.sources.pubmed.entrez import count_records, read_links, read_search
from corpus.sources.pubmed.parser import parse
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import BadAnswer, SourceRefused, SourceUnavailable
from tests.support.replay import ReplayServer, Reply
from tests.support.upstreams import XML, Entrez, collect

DAY = date(2020, 1, 1)


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


def ask(server, request, **options):
    return collect(pubmed.fetch, server, pubmed.policy, request, **options)


def pmids(pages):
    return [int(one) for page in pages for one in re.findall(rb"<PMID>(\d+)</PMID>", page.data)]


def test_ids_are_fetched_in_batches_with_key_and_contact(server):
    server.script = Entrez({n: DAY for n in range(1, 451)})

    wanted = Request(ids=tuple(map(str, range(1, 451))))
    pages, notes = ask(server, wanted, api_key="k", email="team@lab.example")

    assert [len(pmids([page])) for page in pages] == [200, 200, 50]
    assert pmids(pages) == list(range(1, 451))
    assert notes == []
    assert {one.params["api_key"] for one in server.asked} == {"k"}
    assert {one.params["email"] for one in server.asked} == {"team@lab.example"}


def test_unknown_ids_are_told(server):
    server.script = Entrez({1: DAY, 2: DAY})

    pages, notes = ask(server, Request(ids=("1", "2", "99")))

    assert pmids(pages) == [1, 2]
    assert notes == ["PubMed has 2 of the 3 records asked for; the other ids are unknown."]


def test_what_is_no_pmid_is_refused_before_anything_is_asked(server):
    with pytest.raises(InvalidInput, match="abc is no PMID"):
        ask(server, Request(ids=("1", "abc")))

    assert server.asked == []


def test_a_search_brings_all_its_records_newest_first(server):
    server.script = Entrez({n: DAY for n in range(1, 501)})

    pages, notes = ask(server, Request(query="stat3"))

    assert pmids(pages) == list(range(500, 0, -1))
    assert server.script.searches[0]["term"] == "stat3"
    assert "mindate" not in server.script.searches[0]
    assert len(server.script.searches) == 1
    assert notes == []


def test_a_limit_takes_the_newest_and_no_more(server):
    server.script = Entrez({n: DAY for n in range(1, 20_001)})

    pages, notes = ask(server, Request(query="stat3", limit=250))

    assert pmids(pages) == list(range(20_000, 19_750, -1))
    assert len(server.script.searches) == 1
    assert notes == []


def test_since_is_the_day_a_record_was_added(server):
    server.script = Entrez({n: DAY + timedelta(days=n) for n in range(1, 11)})

    pages, _ = ask(server, Request(query="stat3", since="2020-01-08"))

    assert sorted(pmids(pages)) == [7, 8, 9, 10]


@pytest.mark.slow
def test_36935_records_all_come_by_spans_of_days(server):
    """A14: NCBI gives 9,999 of a search."""
    many = {n: DAY + timedelta(days=n % 1500) for n in range(1, 36_936)}
    server.script = Entrez(many)

    pages, notes = ask(server, Request(query="(age) AND alzheimer"))

    found = pmids(pages)
    assert len(found) == len(set(found)) == 36_935
    assert notes == []
    assert len(server.script.searches) < 60


def test_more_than_9999_on_one_day_is_told(server):
    """A14."""
    server.script = Entrez({n: DAY for n in range(1, 10_051)})

    pages, notes = ask(server, Request(query="stat3"))

    assert len(pmids(pages)) == 9_999
    assert notes == [
        "PubMed gives only 9,999 of 10,050 records added on 2020-01-01: narrow the query.",
        "PubMed gave 9,999 of the 10,050 records that it counts.",
    ]


def test_a_fetch_goes_on_behind_any_page(server):
    many = {n: DAY + timedelta(days=n % 300) for n in range(1, 12_001)}
    server.script = Entrez(many)
    pages, _ = ask(server, Request(query="stat3"))

    for stop in (0, 7, len(pages) // 2, len(pages) - 2, len(pages) - 1):
        rest, _ = ask(server, Request(query="stat3"), state=pages[stop].state)
        assert [page.name for page in rest] == [page.name for page in pages[stop + 1 :]]
        assert pmids(rest) == pmids(pages[stop + 1 :])


def test_a_limit_holds_over_a_break(server):
    server.script = Entrez({n: DAY for n in range(1, 2_001)})
    pages, _ = ask(server, Request(query="stat3", limit=450))

    rest, _ = ask(server, Request(query="stat3", limit=450), state=pages[0].state)

    assert len(pmids(pages[:1])) + len(pmids(rest)) == 450


def test_a_forgotten_history_is_searched_anew(server):
    server.script = Entrez({n: DAY for n in range(1, 501)}, forgets_after=200)

    pages, _ = ask(server, Request(query="stat3"))

    assert pmids(pages) == list(range(500, 0, -1))
    assert len(server.script.searches) == 2


@pytest.mark.parametrize("kind", ["cited-by", "references", "similar"])
def test_linked_records_are_fetched(server, kind):
    server.script = Entrez({n: DAY for n in range(1, 9)}, {pubmed.LINKS[kind]: [5, 1, 7, 5]})

    pages, _ = ask(server, Request(query=f"{kind}: 1, 2"))

    assert pmids(pages) == [5, 7]


def test_words_that_pubmed_drops_are_told(server):
    server.then(
        Reply(
            b"<eSearchResult><Count>0</Count><WebEnv>w</WebEnv><QueryKey>1</QueryKey>"
            b"<ErrorList><PhraseNotFound>abcXYZ</PhraseNotFound></ErrorList></eSearchResult>",
            media_type=XML,
        )
    )

    pages, notes = ask(server, Request(query="abcXYZ"))

    assert pages == []
    assert notes == ["PubMed does not know these words and searched without them: abcXYZ."]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<eSearchResult><ERROR>Search Backend failed: x</ERROR></eSearchResult>", "unavailable"),
        (b"<eSearchResult><ERROR>Empty term</ERROR></eSearchResult>", "refused"),
        (b"<eSearchResult><Total>3</Total></eSearchResult>", "bad"),
        (b"<eSearchResult><Count>many</Count></eSearchResult>", "bad"),
        (b"<other/>", "bad"),
        (b"{}", "bad"),
        (b"", "bad"),
        (b"<!DOCTYPE html><html></html>", "bad"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><eSearchResult>&b;</eSearchResult>', "bad"),
    ],
)
def test_a_search_answer_of_another_form_is_no_result(body, error):
    kinds = {"unavailable": SourceUnavailable, "refused": SourceRefused, "bad": BadAnswer}

    with pytest.raises(kinds[error]) as failed:
        read_search(body)

    assert failed.value.message.endswith((".", "Empty term"))


def test_an_answer_that_is_no_set_of_records_is_a_bad_answer(server):
    server.script = lambda asked: Reply(b"<Articles><Article/></Articles>", media_type=XML)

    with pytest.raises(BadAnswer, match="no set of records"):
        ask(server, Request(ids=("1",)))


@pytest.mark.shared_data
def test_saved_answers_of_the_utilities_are_read(shared_data: Path):
    folder = shared_data / "pubmed"
    search = read_search((folder / "biopython" / "esearch1.xml").read_bytes())
    history = read_search((folder / "biopython" / "esearch2.xml").read_bytes())
    nothing = read_search((folder / "biopython" / "esearch8.xml").read_bytes())
    related = (folder / "metapub" / "elink_related_pmids_result.xml").read_bytes()

    assert (search.count, len(search.ids)) == (63, 20)
    assert history.web_env
    assert history.query_key
    assert (nothing.count, nothing.unknown_phrases) == (0, ("abcXYZ",))
    assert read_links(related, "pubmed_pubmed")[:2] == ("14873513", "16450204")
    assert read_links((folder / "biopython" / "elink8.xml").read_bytes(), "pubmed_pubmed") == ()


@pytest.mark.shared_data
def test_saved_sets_are_counted_as_the_parser_reads_them(shared_data: Path):
    sets = sorted((shared_data / "pubmed" / "metapub").glob("[0-9]*.xml"))
    assert len(sets) > 30

    for path in sets:
        data = path.read_bytes()
        if count_records(data):
            assert count_records(data) == len(list(parse(data, path.name))), path.name


@pytest.mark.shared_data
def test_a_web_page_where_records_were_asked_for_is_a_bad_answer(shared_data: Path, server):
    page = (shared_data / "pubmed" / "biopython" / "pubmed3.html").read_bytes()
    server.then(Reply(page, media_type="text/html"))

    with pytest.raises(BadAnswer):
        ask(server, Request(ids=("1",)))
