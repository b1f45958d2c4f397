"""A line is a document; a bad line is named and spares the others."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.jsonl.normalizer import normalize
from corpus.sources.jsonl.parser import JsonlRecord, parse
from corpus.types import Block


def line(**values: object) -> bytes:
    return json.dumps(values).encode()


def only(data: bytes) -> JsonlRecord:
    (record,) = parse(data, "a.jsonl")
    assert isinstance(record, JsonlRecord)
    return record


def test_good_lines_are_read_and_bad_ones_named(data: Path) -> None:
    records = list(parse((data / "jsonl" / "notes.jsonl").read_bytes(), "notes.jsonl"))

    assert [r.id for r in records if isinstance(r, JsonlRecord)] == ["n1", "2", "n7"]
    broken = [r for r in records if isinstance(r, Broken)]
    assert [r.name for r in broken] == ["line 4", "line 5", "line 6"]
    assert "not JSON" in broken[0].reason
    assert "not a JSON object" in broken[1].reason
    assert "no id" in broken[2].reason


def test_a_line_becomes_a_document(data: Path) -> None:
    first = next(iter(parse((data / "jsonl" / "notes.jsonl").read_bytes(), "notes.jsonl")))
    assert isinstance(first, JsonlRecord)
    document = normalize(first)

    assert document.blocks == (
        Block("IL-6 activates STAT3.", ("Results",)),
        Block("STAT3 moves to the nucleus.", ("Results",)),
    )
    assert (document.type, document.external_id, document.year) == ("note", "n1", 2021)
    assert document.tags == ("cytokine", "kinase")
    assert (document.identifiers.doi, document.identifiers.pmid) == ("10.5555/abc.1", "123")


def test_sections_carry_their_heading() -> None:
    document = normalize(
        only(line(id="a", title="t", sections=[{"heading": "Aim", "text": "One.\n\nTwo."}]))
    )
    assert [(block.text, block.section, block.kind) for block in document.blocks] == [
        ("Aim", ("Aim",), "heading"),
        ("One.", ("Aim",), "paragraph"),
        ("Two.", ("Aim",), "paragraph"),
    ]


def test_a_title_alone_can_be_found_and_is_noted() -> None:
    document = normalize(only(line(id="a", title="Only a title", type="protocol")))
    assert [block.text for block in document.blocks] == ["Only a title"]
    assert "no text" in document.note
    assert document.type == "record"
    assert document.metadata["type"] == "protocol"


def test_a_text_without_title_is_named_by_its_beginning() -> None:
    document = normalize(only(line(id="a", text="word " * 60)))
    assert document.title.startswith("word word")
    assert len(document.title) < 130


def test_nul_and_surrogates_do_not_come_in() -> None:
    document = normalize(
        only(
            b'{"id":"a\\u0000","title":"t\\ud800","text":"x\\u0000y","z":{"k\\u0000":["\\u0000",NaN]}}'
        )
    )
    assert document.external_id == "a"
    assert document.title == "t"
    assert document.blocks[0].text == "xy"
    assert document.metadata["extra"] == {"z": {"k": ["", None]}}


def test_a_file_of_another_kind_is_refused_as_a_whole() -> None:
    with pytest.raises(ParseError, match="not JSONL"):
        list(parse(b"not json\n" * 30, "a.jsonl"))


def test_a_short_bad_file_names_each_line() -> None:
    records = list(parse(b"\xff\xfe\n[1]\n" + b"[" * 100_000, "a.jsonl"))
    assert [type(record) for record in records] == [Broken, Broken, Broken]


def test_an_empty_file_is_not_this_source() -> None:
    with pytest.raises(NotThisSource):
        list(parse(b"\n \n", "a.jsonl"))


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_parser(data: bytes) -> None:
    try:
        for record in parse(data, "a.jsonl"):
            assert isinstance(record, (JsonlRecord, Broken))
    except (ParseError, NotThisSource):
        pass


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "count"),
    [("scifact", 5183), ("covidqa", 2197), ("liveqa_medquad", 446), ("pubmedqa", 1000)],
)
def test_every_real_passage_is_read(shared_data: Path, name: str, count: int) -> None:
    packed = (shared_data / "retrieval" / f"{name}.corpus.jsonl.gz").read_bytes()
    records = list(parse(gzip.decompress(packed), name))
    assert len(records) == count
    ids = {normalize(record).external_id for record in records if isinstance(record, JsonlRecord)}
    assert len(ids) == count
