"""Reactome's Content Service asked live."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.sources.fetching import Request
from corpus.sources.reactome import client as reactome
from corpus.sources.reactome.parser import parse
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import BadAnswer, SourceRefused
from tests.support.replay import ReplayServer, Reply, said
from tests.support.upstreams import Reactome, collect

TOP, SUB, STEP = "R-HSA-1", "R-HSA-2", "R-HSA-3"


def event(st_id, **more):
    return {"dbId": int(st_id[6:]), "stId": st_id, "schemaClass": "Reaction", **more}


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


@pytest.fixture
def small() -> Reactome:
    inside = {TOP: [event(SUB, hasEvent=[event(STEP)]), 3], SUB: [event(STEP)]}
    kinds = {TOP: "TopLevelPathway", SUB: "Pathway", STEP: "Reaction", "R-HSA-9": "Complex"}
    return Reactome(inside, kinds, dates={STEP: "2026-06-01"}, top=(TOP,))


def ask(server, request, **options):
    return collect(reactome.fetch, server, reactome.policy, request, **options)


def st_ids(pages):
    return [found.st_id for page in pages for found in parse(page.data, page.name)]


def test_a_pathway_comes_with_all_events_inside_each_once(server, small):
    server.script = small

    pages, notes = ask(server, Request(ids=(TOP,)))

    assert st_ids(pages) == [TOP, SUB, STEP]
    assert [page.name for page in pages] == ["reactome-R-HSA-1-00003.jsonl"]
    assert notes == []
    assert len(server.asked) == 4


def test_a_reaction_comes_alone(server, small):
    server.script = small

    pages, _ = ask(server, Request(ids=(STEP,)))

    assert st_ids(pages) == [STEP]
    assert len(server.asked) == 1


def test_a_species_brings_its_top_level_pathways(server, small):
    server.script = small

    pages, _ = ask(server, Request(query="Homo sapiens"))

    assert server.paths[0] == "/data/pathways/top/Homo%20sapiens"
    assert st_ids(pages) == [TOP, SUB, STEP]


def test_many_events_come_twenty_a_page_and_go_on_behind_any(server):
    ids = [f"R-HSA-{n}" for n in range(100, 150)]
    kinds = {TOP: "Pathway"} | dict.fromkeys(ids, "Reaction")
    server.script = Reactome({TOP: [event(one) for one in ids]}, kinds)

    pages, _ = ask(server, Request(ids=(TOP,)))

    assert [len(st_ids([page])) for page in pages] == [20, 20, 11]
    for stop in range(3):
        rest, _ = ask(server, Request(ids=(TOP,)), state=pages[stop].state)
        assert rest == pages[stop + 1 :]


def test_a_limit_counts_events(server, small):
    server.script = small

    pages, _ = ask(server, Request(ids=(SUB, TOP), limit=3))

    assert st_ids(pages) == [SUB, STEP, TOP]


def test_events_that_did_not_change_since_are_left_out(server, small):
    server.script = small

    pages, _ = ask(server, Request(query="9606", since="2026-01-01"))

    assert st_ids(pages) == [STEP]


def test_an_unknown_id_and_an_entity_are_told_and_passed_over(server, small):
    server.script = small

    pages, notes = ask(server, Request(ids=("R-HSA-77", "R-HSA-9", STEP)))

    assert st_ids(pages) == [STEP]
    assert notes == [
        "Reactome has no R-HSA-77; it is left out.",
        "R-HSA-9 is no pathway or reaction of Reactome; it is left out.",
    ]


@pytest.mark.parametrize(
    "request_", [Request(ids=("../../etc",)), Request(ids=("R-HSA-1?x=1",)), Request(query="a/b")]
)
def test_what_would_lead_elsewhere_is_refused_before_anything_is_asked(server, request_):
    with pytest.raises(InvalidInput):
        ask(server, request_)

    assert server.asked == []


@pytest.mark.parametrize("answer", [[], {"dbId": 1}, "Pathway", 7, None])
def test_an_event_of_another_form_is_a_bad_answer(server, answer):
    server.then(said(answer))

    with pytest.raises(BadAnswer, match="Reactome's answer cannot be read"):
        ask(server, Request(ids=(TOP,)))


@pytest.mark.parametrize("answer", [{}, [None], [{"name": "x"}], ["R-HSA-1"], [[1]]])
def test_a_list_of_another_form_is_a_bad_answer(server, small, answer):
    server.then(said(small._event(TOP)), said(answer))

    with pytest.raises(BadAnswer):
        ask(server, Request(ids=(TOP,)))


def test_no_json_is_a_bad_answer(server):
    server.then(Reply(b"{", media_type="application/json"))

    with pytest.raises(BadAnswer, match="it is no JSON"):
        ask(server, Request(ids=(TOP,)))


def test_a_refusal_other_than_unknown_ends_the_fetch(server):
    server.then(Reply(status=403))

    with pytest.raises(SourceRefused):
        ask(server, Request(ids=(TOP,)))


@pytest.mark.shared_data
def test_saved_answers_come_through_to_the_parser(server, shared_data: Path):
    folder = shared_data / "reactome" / "content_service"
    whole = json.loads((folder / "query_R-HSA-109606.json").read_bytes())
    contained = whole["hasEvent"]
    missing = (folder / "detail_R-RNO-164160_locationsInPWB_404.json").read_bytes()

    def script(asked):
        if asked.path.endswith("R-HSA-109606"):
            return said(whole)
        if asked.path.endswith("containedEvents"):
            return said(contained)
        return Reply(missing, status=404)

    server.script = script
    pages, notes = ask(server, Request(ids=("R-HSA-109606",)))

    (found,) = parse(pages[0].data, pages[0].name)
    assert found.st_id == "R-HSA-109606"
    assert len(found.contained) == 6
    assert len(notes) == 6


@pytest.mark.shared_data
def test_the_saved_list_of_top_level_pathways_is_walked(server, shared_data: Path):
    folder = shared_data / "reactome" / "content_service"
    server.then(Reply((folder / "pathways_top_9606.json").read_bytes()))
    server.script = lambda asked: said({"code": 404}, status=404)

    pages, notes = ask(server, Request(query="9606"))

    assert pages == []
    assert len(notes) == 29
    assert notes[0] == "Reactome has no R-HSA-9612973; it is left out."
