"""WikiPathways asked live."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.sources.fetching import Request
from corpus.sources.wikipathways import client as wikipathways
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import BadAnswer
from tests.support.replay import Asked, ReplayServer, Reply, said
from tests.support.upstreams import collect

LISTED = {
    "organisms": [
        {
            "name": "Homo sapiens",
            "pathways": [
                {"id": "WP1", "revision": "2024-05-01"},
                {"id": "WP2", "revision": "2026-02-01"},
                {"id": "WP3", "revision": "r12"},
            ],
        },
        {"name": "Mus musculus", "pathways": [{"id": "WP4", "revision": "2026-02-01"}]},
    ]
}
GPML = b'<?xml version="1.0"?><Pathway xmlns="http://pathvisio.org/GPML/2013a"/>'


def script(asked: Asked) -> Reply:
    if asked.path == "/json/listPathways.json":
        return said(LISTED)
    if asked.path.endswith("/WP9.gpml"):
        return Reply(b"<html/>", status=404, media_type="text/html")
    return Reply(GPML, media_type="application/octet-stream")


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(script) as running:
        yield running


def ask(server, request, **options):
    return collect(wikipathways.fetch, server, wikipathways.policy, request, **options)


def names(pages):
    return [page.name for page in pages]


def test_pathways_come_by_their_ids_and_a_missing_one_is_told(server):
    pages, notes = ask(server, Request(ids=("WP2", "WP9", "WP1")))

    assert names(pages) == ["WP2.gpml", "WP1.gpml"]
    assert server.paths[0] == "/wikipathways-assets/pathways/WP2/WP2.gpml"
    assert notes == ["WikiPathways has no WP9; it is left out."]


def test_a_species_brings_all_its_pathways(server):
    pages, _ = ask(server, Request(query="homo sapiens"))

    assert names(pages) == ["WP1.gpml", "WP2.gpml", "WP3.gpml"]


def test_since_leaves_out_what_was_revised_before_and_keeps_what_tells_no_date(server):
    pages, _ = ask(server, Request(query="Homo sapiens", since="2026-01-01"))

    assert names(pages) == ["WP2.gpml", "WP3.gpml"]


def test_a_fetch_goes_on_behind_any_page_and_a_limit_holds(server):
    pages, _ = ask(server, Request(query="Homo sapiens", limit=2))

    assert names(pages) == ["WP1.gpml", "WP2.gpml"]
    rest, _ = ask(server, Request(query="Homo sapiens", limit=2), state=pages[0].state)
    assert rest == pages[1:]


def test_an_unknown_species_is_told_with_those_there_are(server):
    with pytest.raises(InvalidInput, match="it has: Homo sapiens, Mus musculus"):
        ask(server, Request(query="Danio rerio"))


def test_what_is_no_id_is_refused_before_anything_is_asked(server):
    with pytest.raises(InvalidInput):
        ask(server, Request(ids=("WP1/../../x",)))

    assert server.asked == []


@pytest.mark.parametrize("answer", [[], {}, {"organisms": {}}, {"organisms": 7}])
def test_a_list_of_another_form_is_a_bad_answer(server, answer):
    server.then(said(answer))

    with pytest.raises(BadAnswer):
        ask(server, Request(query="Homo sapiens"))


@pytest.mark.parametrize("row", [{}, {"id": "R-HSA-1"}, {"id": 7}, "WP1"])
def test_a_row_without_id_is_a_bad_answer(server, row):
    server.then(said({"organisms": [{"name": "Homo sapiens", "pathways": [row]}]}))

    with pytest.raises(BadAnswer, match="has no id"):
        ask(server, Request(query="Homo sapiens"))


def test_a_file_that_is_no_gpml_is_a_bad_answer(server):
    server.then(Reply(b"version https://git-lfs", media_type="application/octet-stream"))

    with pytest.raises(BadAnswer, match="WP1 is no GPML"):
        ask(server, Request(ids=("WP1",)))


@pytest.mark.shared_data
def test_saved_pathways_are_handed_on_whole_also_packed(server, shared_data: Path):
    paths = sorted((shared_data / "wikipathways" / "gpml").glob("WP*.gpml*"))
    assert len(paths) == 43
    bodies = {path.name.split(".")[0]: path.read_bytes() for path in paths}

    def serve(asked: Asked) -> Reply:
        body = bodies[asked.path.rsplit("/", 1)[-1].removesuffix(".gpml")]
        is_packed = body.startswith(b"\x1f\x8b")
        headers = {"Content-Encoding": "gzip"} if is_packed else {}
        return Reply(body, media_type="text/xml", headers=headers)

    server.script = serve
    pages, notes = ask(server, Request(ids=tuple(bodies)))

    whole = [gzip.decompress(one) if one[:2] == b"\x1f\x8b" else one for one in bodies.values()]
    assert [page.data for page in pages] == whole
    assert notes == []
