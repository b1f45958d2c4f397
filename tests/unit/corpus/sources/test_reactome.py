"""Pathways and reactions of Reactome, in every form in which they are saved."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.reactome.normalizer import normalize
from corpus.sources.reactome.parser import ReactomeEvent, parse
from corpus.types import NormalizedDocument


def read(path: Path) -> NormalizedDocument:
    (event,) = parse(path.read_bytes(), path.name)
    assert isinstance(event, ReactomeEvent)
    return normalize(event)


def test_a_reaction_is_told_from_its_fields(data: Path) -> None:
    reaction = read(data / "reactome" / "reaction.json")
    record = reaction.blocks[-1]
    assert reaction.type == "reaction"
    assert record.kind == "record"
    assert record.text == (
        "ABC1 phosphorylates DEF2 is a reaction of Homo sapiens in the nucleoplasm "
        "(Reactome R-HSA-1). Inputs: DEF2 [nucleoplasm]; 3 ATP [nucleoplasm]. "
        "Outputs: p-DEF2 [nucleoplasm]. Catalysts: ABC1 [nucleoplasm]. "
        "Regulators: GHI [nucleoplasm] (inhibits)."
    )
    assert record.fields["inputs"][1] == {"name": "ATP [nucleoplasm]", "id": "R-ALL-3", "count": 3}


def test_summary_html_becomes_paragraphs(data: Path) -> None:
    texts = [b.text for b in read(data / "reactome" / "reaction.json").blocks[:-1]]
    assert texts == [
        "ABC1 acts on DEF2.",
        "It needs Mg2+ at 10^-3 M (p <0.05).",
        "See more & less.",
    ]


def test_relations_carry_sign_and_papers(data: Path) -> None:
    relations = read(data / "reactome" / "reaction.json").relations
    found = {(r.predicate, r.object, r.sign) for r in relations}
    assert ("negatively_regulated_by", "reactome:R-HSA-10", -1) in found
    assert ("catalyzed_by", "reactome:R-HSA-8", 0) in found
    assert ("cites", "pmid:101", 0) in found
    assert all(r.pmids == ("101",) for r in relations if r.predicate == "has_input")


def test_references_of_the_enhanced_form_are_resolved(data: Path) -> None:
    pathway = read(data / "reactome" / "enhanced.json")
    assert pathway.title == "A small pathway"
    assert pathway.blocks[-1].text == (
        "A small pathway is a pathway of Homo sapiens in the cytosol (Reactome R-HSA-20). "
        "It contains: First step. It is part of: The parent. Diseases: a disease (DOID:12). "
        "GO terms: a process (GO:0001)."
    )
    assert {(r.predicate, r.object) for r in pathway.relations} == {
        ("contains", "reactome:R-HSA-21"),
        ("part_of", "reactome:R-HSA-22"),
        ("occurs_in_disease", "DOID:12"),
        ("annotated_with", "GO:0001"),
    }


def test_saved_records_with_and_without_text() -> None:
    lines = [
        {"stId": "R-HSA-5", "displayName": "With text", "summation_ids": [1], "go": ["GO:1"],
         "summation": [{"dbId": 1, "text": "It<br>works."}]},
        {"stId": "R-MMU-6", "displayName": "Without", "summation_ids": [], "summation": []},
        {"displayName": "No id", "summation_ids": []},
    ]  # fmt: skip
    raw = "\n".join([*map(json.dumps, lines), "{bad"]).encode()
    first, second, nameless, bad = parse(raw, "saved.jsonl")
    assert isinstance(first, ReactomeEvent)
    assert isinstance(second, ReactomeEvent)
    assert [b.text for b in normalize(first).blocks] == ["It", "works."]
    without = normalize(second)
    assert without.blocks[0].text == "Without is a pathway of Mus musculus (Reactome R-MMU-6)."
    assert "no summary" in without.note
    assert isinstance(nameless, Broken)
    assert isinstance(bad, Broken)
    assert bad.name == "line 4"


@pytest.mark.parametrize(
    "answer",
    [
        {"code": 404, "reason": "NOT_FOUND", "messages": ["none"]},
        {"dbId": 1, "stId": "R-HSA-1", "displayName": "X", "schemaClass": "Complex"},
        [{"peDbId": 1, "displayName": "X", "schemaClass": "Complex", "refEntities": []}],
        [[{"dbId": 1, "stId": "R-HSA-1", "displayName": "X", "schemaClass": "Pathway"}]],
        [{"dbId": 1, "stId": "R-HSA-1", "displayName": "X", "schemaClass": "TopLevelPathway"}],
        [], {}, 7, None,
    ],
)  # fmt: skip
def test_other_answers_are_not_this_source(answer: object) -> None:
    with pytest.raises(NotThisSource):
        list(parse(json.dumps(answer).encode(), "answer.json"))


@pytest.mark.parametrize("raw", [b"<html>", b'{"stId": ', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_named(raw: bytes) -> None:
    with pytest.raises(ParseError):
        list(parse(raw, "answer.json"))


def test_fields_of_another_shape_are_taken_as_absent() -> None:
    odd = {
        "stId": "R-HSA-1", "displayName": "X", "schemaClass": "Reaction", "input": "ATP",
        "summation": {"text": [5]}, "species": 7, "literatureReference": [None, [], 12],
        "regulatedBy": [True], "hasEvent": {"element": 4},
    }  # fmt: skip
    (event,) = parse(json.dumps(odd).encode(), "answer.json")
    assert isinstance(event, ReactomeEvent)
    assert normalize(event).blocks[0].text.startswith("X is a reaction")


@pytest.mark.shared_data
def test_every_real_pathway_record_is_read(shared_data: Path) -> None:
    packed = (shared_data / "reactome" / "pathway_summations_human_v76.jsonl.gz").read_bytes()
    events = list(parse(gzip.decompress(packed), "pathway_summations_human_v76.jsonl"))
    documents = [normalize(event) for event in events if isinstance(event, ReactomeEvent)]
    assert len(documents) == len(events) == 2516
    assert sum(not document.note for document in documents) == 2214
    assert all(document.blocks and all(b.text for b in document.blocks) for document in documents)
    texts = " ".join(block.text for document in documents for block in document.blocks)
    assert not any(sign in texts for sign in ("<p>", "<br", "</i>", "<sup", "<font", "<li"))


@pytest.mark.shared_data
def test_real_answers_are_told_apart(shared_data: Path) -> None:
    """Of 15 saved answers five are an event in full; the other ten are something else."""
    read_ids, skipped = set(), 0
    for path in sorted((shared_data / "reactome" / "content_service").glob("*.json")):
        try:
            (event,) = parse(path.read_bytes(), path.name)
        except NotThisSource:
            skipped += 1
            continue
        assert isinstance(event, ReactomeEvent)
        read_ids.add(normalize(event).external_id)
    assert read_ids == {
        "R-HSA-1430728", "R-HSA-6805479", "R-HSA-109606", "R-HSA-111452", "R-HSA-2206280",
    }  # fmt: skip
    assert skipped == 10


def test_a_class_that_is_no_text_is_no_event():
    for odd in ([], {}, 3, None):
        with pytest.raises(NotThisSource):
            list(parse(json.dumps({"schemaClass": odd, "stId": "R-HSA-1"}).encode(), "a.json"))
