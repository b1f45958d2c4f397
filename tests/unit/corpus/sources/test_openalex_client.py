"""OpenAlex asked live, against a server with a cursor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.sources.fetching import Request
from corpus.sources.openalex import client as openalex
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import BadAnswer, SourceExhausted, SourceRefused
from tests.support.replay import ReplayServer, Reply, said
from tests.support.upstreams import OpenAlex, collect


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


def ask(server, request, **options):
    return collect(openalex.fetch, server, openalex.policy, request, **options)


def works(pages):
    return [work["id"] for page in pages for work in json.loads(page.data)["results"]]


def test_10000_works_are_50_requests_and_no_51st(server):
    """A12."""
    server.script = OpenAlex(count=10_000)

    pages, notes = ask(server, Request(query="stat3"))

    assert len(server.asked) == len(pages) == 50
    assert len(set(works(pages))) == 10_000
    assert notes == []
    assert pages[-1].state["cursor"] == ""


def test_the_bytes_of_a_page_are_those_of_the_source(server):
    body = b'{"meta": {"count": 1, "next_cursor": null},\n "results": [{"id": "W1"}]}'
    server.then(Reply(body))

    pages, _ = ask(server, Request(query="stat3"))

    assert [page.data for page in pages] == [body]


def test_access_goes_into_every_request(server):
    server.script = OpenAlex(count=250)

    ask(server, Request(query="stat3"), api_key="k", mailto="team@lab.example")

    assert len(server.asked) == 2
    for asked in server.asked:
        assert (asked.params["api_key"], asked.params["mailto"]) == ("k", "team@lab.example")


def test_words_are_searched_and_a_filter_is_passed_on_with_the_date(server):
    server.script = OpenAlex(count=1)

    ask(server, Request(query="il-6 signalling"))
    ask(server, Request(query="filter:concepts.id:C71924100", since="2026-01-01"))
    ask(server, Request(query="il-6", since="2026-01-01"))

    words, filtered, both = (asked.params for asked in server.asked)
    assert (words["search"], "filter" in words) == ("il-6 signalling", False)
    assert filtered["filter"] == "concepts.id:C71924100,from_publication_date:2026-01-01"
    assert "search" not in filtered
    assert (both["search"], both["filter"]) == ("il-6", "from_publication_date:2026-01-01")
    assert words["cursor"] == "*"


@pytest.mark.parametrize(("limit", "sizes"), [(30, [30]), (200, [200]), (250, [200, 50])])
def test_a_limit_is_kept_exactly(server, limit, sizes):
    server.script = OpenAlex(count=1000)

    pages, notes = ask(server, Request(query="stat3", limit=limit))

    assert [len(works([page])) for page in pages] == sizes
    assert notes == []


def test_where_200_a_page_are_refused_100_are_taken_and_the_size_is_kept(server):
    server.script = OpenAlex(count=250, most_per_page=100)

    pages, notes = ask(server, Request(query="stat3"))
    rest, _ = ask(server, Request(query="stat3"), state=pages[0].state)

    assert [len(works([page])) for page in pages] == [100, 100, 50]
    assert rest == pages[1:]
    assert len(server.asked) == 1 + 3 + 2
    assert notes == []


def test_a_filter_that_cannot_be_read_is_refused(server):
    server.script = lambda asked: said({"error": "Invalid query parameters"}, status=400)

    with pytest.raises(SourceRefused, match="check the query"):
        ask(server, Request(query="filter:x:y"))

    assert len(server.asked) == 2


def test_without_a_key_the_end_is_said_with_what_to_do(server):
    server.script = OpenAlex(count=1000, wants_key=True)

    with pytest.raises(SourceRefused, match="set OPENALEX_API_KEY"):
        ask(server, Request(query="stat3"))


def test_a_cursor_that_ends_early_is_told(server):
    """pyalex PR#44: a run that stops after one page looks like a whole one."""
    server.script = OpenAlex(count=1000, stops_after=200)

    pages, notes = ask(server, Request(query="stat3"))

    assert len(works(pages)) == 200
    assert notes == ["OpenAlex gave 200 of 1,000 works and then no more."]


def test_a_sample_is_refused(server):
    with pytest.raises(InvalidInput, match="sample"):
        ask(server, Request(query="sample:50"))


def test_a_cursor_that_does_not_move_is_a_bad_answer(server):
    server.script = OpenAlex(count=1000, is_stuck=True)

    with pytest.raises(BadAnswer, match="cursor"):
        ask(server, Request(query="stat3"))

    assert len(server.asked) == 1


def test_a_fetch_goes_on_behind_any_page(server):
    server.script = OpenAlex(count=1000)
    pages, _ = ask(server, Request(query="stat3", limit=900))

    for stop in range(5):
        rest, _ = ask(server, Request(query="stat3", limit=900), state=pages[stop].state)
        assert rest == pages[stop + 1 :]


def test_nothing_found_is_no_page(server):
    server.script = OpenAlex(count=0)

    assert ask(server, Request(query="stat3")) == ([], [])


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"results": []},
        {"meta": {}, "results": []},
        {"meta": {"count": 1}, "results": {}},
        {"meta": {"count": "1"}, "results": []},
        {"error": "Not found", "message": "x"},
    ],
)
def test_a_page_of_another_form_is_a_bad_answer(server, answer):
    server.then(said(answer))

    with pytest.raises(BadAnswer, match="OpenAlex's answer cannot be read"):
        ask(server, Request(query="stat3"))


def test_ids_of_all_kinds_are_asked_for_fifty_at_a_time(server):
    dois = [f"10.1000/a{n}" for n in range(60)]
    server.script = OpenAlex(0, {doi: f"W{n}" for n, doi in enumerate(dois)} | {"W7": "W7"})

    pages, notes = ask(server, Request(ids=(*dois, "https://openalex.org/W7", "w8", "24808625")))

    filters = [asked.params["filter"].split("|") for asked in server.asked]
    assert [len(one) for one in filters] == [2, 50, 10, 1]
    assert filters[0] == ["openalex:W7", "W8"]
    assert filters[3] == ["pmid:24808625"]
    assert len(works(pages)) == 61
    assert notes == [
        "OpenAlex has 1 of the 2 records asked for; the other ids are unknown.",
        "OpenAlex has 0 of the 1 records asked for; the other ids are unknown.",
    ]


def test_a_doi_with_a_mark_of_the_filter_language_goes_alone(server):
    server.script = OpenAlex(0)

    pages, _ = ask(server, Request(ids=("10.1000/a,b|c",)))

    assert server.paths == ["/works/doi:10.1000%2Fa%2Cb%7Cc"]
    assert json.loads(pages[0].data)["id"] == "https://openalex.org/W1"


def test_what_is_no_id_is_refused(server):
    with pytest.raises(InvalidInput, match="is no OpenAlex id, DOI or PMID"):
        ask(server, Request(ids=("stat3",)))


def test_a_429_is_waited_out_and_used_up_credits_stop_the_fetch(server):
    """A13."""
    some = {
        "Retry-After": "0.2",
        "X-RateLimit-Remaining": "90",
        "X-RateLimit-Credits-Required": "10",
    }
    none = some | {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"}
    server.then(said({}, status=429, headers=some), said({}, status=429, headers=none))

    with pytest.raises(SourceExhausted, match="The quota at OpenAlex is used up; it renews at"):
        ask(server, Request(query="stat3"))

    first, second = server.asked
    assert second.at - first.at >= 0.2


@pytest.mark.shared_data
def test_a_saved_page_is_handed_on_whole(server, shared_data: Path):
    body = (shared_data / "openalex" / "hashiya" / "works_page_cursor.json").read_bytes()
    server.then(Reply(body), said({"meta": {"count": 48_210, "next_cursor": None}, "results": []}))

    pages, notes = ask(server, Request(query="stat3"))

    assert [page.data for page in pages] == [body]
    assert server.asked[1].params["cursor"] == json.loads(body)["meta"]["next_cursor"]
    assert notes == ["OpenAlex gave 2 of 48,210 works and then no more."]
