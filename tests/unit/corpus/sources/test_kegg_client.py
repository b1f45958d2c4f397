"""KEGG asked live: only under a licence, ten entries a call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.sources.fetching import Request
from corpus.sources.kegg import client as kegg
from flux_site.kernel.errors import InvalidInput, NotAllowed
from flux_site.kernel.http import BadAnswer, SourceRefused
from tests.support.replay import Asked, ReplayServer, Reply
from tests.support.upstreams import collect

IDS = [f"hsa{n:05d}" for n in range(25)]


def entry(given: str) -> bytes:
    return (
        f"ENTRY       {given}                    Pathway\nNAME        Some pathway\n///\n".encode()
    )


def plain(body: bytes, **options) -> Reply:
    return Reply(body, media_type="text/plain; charset=utf-8", **options)


def script(asked: Asked) -> Reply:
    if asked.path.startswith("/get/"):
        given = asked.path.removeprefix("/get/")
        if given.endswith("/kgml"):
            return Reply(b'<?xml version="1.0"?><pathway name="path:hsa1"/>', media_type="text/xml")
        known = [one for one in given.split("+") if one in IDS]
        return plain(b"".join(map(entry, known)), status=200 if known else 404)
    if asked.path.startswith("/list/"):
        return plain("".join(f"path:{one}\tA pathway\n" for one in IDS).encode())
    return plain(b"path:hsa00001\thsa:3716\n")


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(script) as running:
        yield running


def ask(server, request, *, licensed=True, **options):
    return collect(kegg.fetch, server, kegg.policy, request, licensed=licensed, **options)


def test_without_a_licence_nothing_is_asked(server):
    with pytest.raises(NotAllowed, match="an admin then sets KEGG_LICENSED") as refused:
        ask(server, Request(query="pathway/hsa"), licensed=False)

    assert "--from" in refused.value.message
    assert server.asked == []


def test_a_database_brings_its_list_and_its_entries_by_ten(server):
    pages, notes = ask(server, Request(query="pathway/hsa"))

    assert [page.name for page in pages] == [
        "kegg-list-pathway-hsa.tsv",
        *("kegg-00001.txt", "kegg-00002.txt", "kegg-00003.txt"),
    ]
    assert [page.data.count(b"ENTRY") for page in pages] == [0, 10, 10, 5]
    assert server.paths[1] == "/get/" + "+".join(IDS[:10])
    assert notes == []


def test_a_fetch_goes_on_behind_any_page(server):
    pages, _ = ask(server, Request(query="pathway/hsa"))

    for stop in range(4):
        rest, _ = ask(server, Request(query="pathway/hsa"), state=pages[stop].state)
        assert rest == pages[stop + 1 :]


@pytest.mark.parametrize("query", ["link/pathway/hsa", "list/pathway/hsa"])
def test_one_table_comes_by_itself_and_once(server, query):
    pages, _ = ask(server, Request(query=query))
    rest, _ = ask(server, Request(query=query), state=pages[0].state)

    assert server.paths == [f"/{query}"]
    assert [page.name for page in pages] == [f"kegg-{query.replace('/', '-')}.tsv"]
    assert rest == []


def test_ids_are_entries_or_maps(server):
    pages, notes = ask(server, Request(ids=("hsa00001", "hsa00002/kgml", "C99999")))

    assert [page.name for page in pages] == ["kegg-00001.txt", "hsa00002.xml"]
    assert notes == ["KEGG has 1 of the 2 records asked for; the other ids are unknown."]


def test_unknown_entries_are_told(server):
    pages, notes = ask(server, Request(ids=("C99999",)))

    assert pages == []
    assert notes == ["KEGG has 0 of the 1 records asked for; the other ids are unknown."]


def test_a_limit_counts_entries(server):
    pages, _ = ask(server, Request(query="pathway/hsa", limit=12))

    assert sum(page.data.count(b"ENTRY") for page in pages) == 12


def test_a_date_changes_nothing_and_that_is_told(server):
    _, notes = ask(server, Request(query="link/pathway/hsa", since="2026-01-01"))

    assert notes == ["KEGG does not tell when an entry changed: all entries are fetched."]


@pytest.mark.parametrize(
    "request_",
    [
        *(Request(query=one) for one in ("../x", "get/hsa:1/ntseq", "Pathway", "a b", "x/y/z")),
        *(Request(ids=(one,)) for one in ("a/b", "hsa1/image", "a?b", "a+b")),
    ],
)
def test_what_would_lead_elsewhere_is_refused_before_anything_is_asked(server, request_):
    with pytest.raises(InvalidInput):
        ask(server, request_)

    assert server.asked == []


def test_an_entry_of_another_form_is_a_bad_answer(server):
    server.then(plain(b"Error: maintenance\n"))

    with pytest.raises(BadAnswer, match="ENTRY"):
        ask(server, Request(ids=("hsa00001",)))


def test_a_list_of_another_form_is_a_bad_answer(server):
    server.then(plain(b"some words without a tab\n"))

    with pytest.raises(BadAnswer, match="first column"):
        ask(server, Request(query="pathway/hsa"))


def test_an_empty_table_is_no_page(server):
    server.then(plain(b"\n"))

    assert ask(server, Request(query="link/pathway/xyz")) == ([], [])


def test_a_ban_ends_the_fetch(server):
    server.then(plain(b"", status=403))

    with pytest.raises(SourceRefused):
        ask(server, Request(ids=("hsa00001",)))


@pytest.mark.shared_data
def test_saved_answers_are_handed_on_whole(server, shared_data: Path):
    folder = shared_data / "kegg" / "bio2bel"
    listed = (folder / "list_pathway_hsa.txt").read_bytes()
    body = (folder / "get_hsa00010.txt").read_bytes()
    server.then(plain(listed), plain(body))

    pages, notes = ask(server, Request(query="pathway/hsa"))

    assert [page.data for page in pages] == [listed, body]
    assert server.paths[1].startswith("/get/hsa00010+")
    assert notes == ["KEGG has 1 of the 9 records asked for; the other ids are unknown."]
