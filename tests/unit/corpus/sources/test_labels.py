"""Drug labels: every passage knows its section; tables, lists and cross-references survive."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.labels.flattened import flattened_parts, mend
from corpus.sources.labels.sections import field_name, section_name
from corpus.types import Block, NormalizedDocument
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file

DOSAGE = "Dosage and Administration"
FILES = ("label.xml", "classes.xml", "openfda.json", "flattened.jsonl")


def told(document: NormalizedDocument) -> list[tuple[str, tuple[str, ...], str]]:
    return [(block.kind, block.section, block.text) for block in document.blocks]


def test_a_label_is_told_section_by_section(data: Path) -> None:
    document, _ = read_file("labels", data / "labels" / "label.xml")

    assert (document.type, document.source) == ("label", "labels")
    assert document.external_id == "aaaaaaaa-0000-0000-0000-000000000001"
    assert document.title == "EXAMPLEX Forte (examplastatin), Example Pharma"
    assert document.published == "2024-03-05"
    adults = (DOSAGE, "2.1 Adults")
    assert told(document)[1:] == [
        ("heading", ("Boxed Warning",), "WARNING: MADE-UP HARM"),
        ("paragraph", ("Boxed Warning",), "Loose words stand here."),
        ("paragraph", ("Boxed Warning",), "Stop when ill."),
        ("heading", (DOSAGE,), "2 DOSAGE AND ADMINISTRATION"),
        ("paragraph", (DOSAGE,), "Take 10^2 mg (2.1)."),
        ("list", (DOSAGE, "Highlights"), "Once a day."),
        ("heading", adults, "2.1 Adults"),
        ("paragraph", adults, "Adults take:"),
        ("list", adults, "one tablet"),
        ("list", adults, "with water"),
        ("list", adults, "not two"),
        (
            "table",
            adults,
            "Table 1. Doses\nAge: 18; 18, 10 or 20 — Dose / mg: 10 or 20; "
            "18, 10 or 20 — Dose / times: 1",
        ),
        ("footnote", adults, "In years."),
        ("caption", adults, "Structure of examplastatin"),
        ("paragraph", (DOSAGE,), "A section without a title."),
    ]


def test_products_name_codes_and_ingredients(data: Path) -> None:
    document, _ = read_file("labels", data / "labels" / "label.xml")

    assert document.blocks[0] == Block(
        "EXAMPLEX Forte (examplastatin), tablet. Active ingredients: EXAMPLASTATIN 10 mg. "
        "Inactive ingredients: LACTOSE. NDC 0000-1111.",
        ("Product",),
        "record",
        fields={"ndc": "0000-1111", "unii": ["ABC123XYZ9"]},
    )
    assert [(r.predicate, r.object) for r in document.relations] == [
        ("has_active_ingredient", "unii:ABC123XYZ9")
    ]
    assert document.metadata["ndc"] == ["0000-1111"]
    assert document.metadata["version"] == "3"
    assert document.figures[0].source_ref == "structure.jpg"


def test_a_table_keeps_its_grid(data: Path) -> None:
    document, _ = read_file("labels", data / "labels" / "label.xml")

    (table,) = document.tables
    assert table.rows == (("Age", "Dose", ""), ("", "mg", "times"), ("18", "10 or 20", "1"))
    assert (table.header_rows, table.spans) == (2, ((0, 0, 2, 1), (0, 1, 1, 2)))


def test_an_indexing_file_gives_classes(data: Path) -> None:
    document, _ = read_file("labels", data / "labels" / "classes.xml")

    assert [(r.subject, r.predicate, r.object, r.object_label) for r in document.relations] == [
        ("unii:DEF456", "has_pharmacologic_class", "ndfrt:N0000000001", "Example Antagonist [EPC]"),
        (
            "unii:DEF456",
            "has_pharmacologic_class",
            "ndfrt:N0000000002",
            "Example Antagonists [MoA]",
        ),
    ]
    assert "Example Antagonist [EPC]" in document.blocks[0].text


def test_openfda_records_are_labels_with_or_without_openfda_fields(data: Path) -> None:
    documents, broken = read("labels", (data / "labels" / "openfda.json").read_bytes(), "o.json")

    first, second = documents
    assert (first.title, first.published) == ("Soothe Balm ZINC OXIDE", "2015-01-09")
    assert told(first) == [
        ("heading", ("Purpose",), "Purpose"),
        ("paragraph", ("Purpose",), "Purpose Skin protectant"),
        ("heading", ("Warnings",), "Warnings"),
        (
            "paragraph",
            ("Warnings",),
            "Warnings For external use only [see Warnings and Precautions (5.1)].",
        ),
    ]
    assert second.title == "Examplex (EXAMPLASTATIN), Example Pharma"
    assert second.metadata["rxcui"] == ["108204"]
    assert [b.name for b in broken] == ["record 3"]


def test_flattened_labels_get_their_parts_back(data: Path) -> None:
    documents, broken = read("labels", (data / "labels" / FILES[3]).read_bytes(), FILES[3])

    (document,) = documents
    trials = ("Adverse Reactions", "Clinical Trials Experience")
    assert document.external_id == "drug:Examplib"
    assert told(document) == [
        ("heading", ("Adverse Reactions",), "6 ADVERSE REACTIONS"),
        ("paragraph", ("Adverse Reactions",), "These are told elsewhere:"),
        ("list", ("Adverse Reactions",), "Rash [see Warnings and Precautions (5.1)]."),
        ("list", ("Adverse Reactions",), "Cough [see Boxed Warning]"),
        (
            "paragraph",
            ("Adverse Reactions",),
            "Most common (>=10%) are rash and cough, see or www.fda.gov. (6.1)",
        ),
        ("heading", trials, "6.1 Clinical Trials Experience"),
        ("paragraph", trials, "In one trial rates differed."),
        ("paragraph", trials, "1 Includes mild rash"),
        ("paragraph", trials, "Drugn=10 | Placebon=11\nRash | 9 | 1\nCough | 3 | 0"),
        ("heading", ("Boxed Warning",), "Boxed Warning"),
        ("paragraph", ("Boxed Warning",), "WARNING"),
        ("paragraph", ("Boxed Warning",), "Stop when ill."),
    ]
    assert [b.name for b in broken] == ["record 2"]


def test_a_long_flattened_table_is_told_in_pieces_under_its_head() -> None:
    rows = "\n".join(
        f"   Event {number}      {number}%      {number + 1}%" for number in range(200)
    )
    parts = list(flattened_parts(f"   Reaction      Drug      Placebo\n{rows}", "Warnings"))

    assert len(parts) > 1
    assert all(part.text.startswith("Reaction | Drug | Placebo\nEvent ") for part in parts)
    assert all(len(part.text) <= 1_600 for part in parts)
    assert sum(part.text.count("Event ") for part in parts) == 200


def test_all_forms_name_a_section_alike() -> None:
    assert section_name("34084-4") == field_name("adverse_reactions") == "Adverse Reactions"
    assert section_name("34066-1") == field_name("boxed_warnings") == "Boxed Warning"
    assert section_name("42229-5") == section_name("nonsense") == ""


@given(st.text(max_size=80))
def test_mending_twice_changes_nothing_more(text: str) -> None:
    assert mend(mend(text)) == mend(text)


def test_a_cross_reference_gets_its_space() -> None:
    assert mend("Rash [seeWarnings (5.1)].") == "Rash [see Warnings (5.1)]."
    assert mend("to foresee events, seeing more") == "to foresee events, seeing more"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"loinc,name\n34086-9,Abuse\n", "no label"),
        (b'{"$schema": "http://json-schema.org/draft-03/schema"}', "JSON schema"),
        (b'[{"a": 1}]', "neither a set_id nor a drug"),
        (b"<html><body>Too many requests</body></html>", "web page"),
        (b"<drugbank><drug/></drugbank>", "no label in SPL form"),
        (b"", "empty"),
    ],
)
def test_what_is_no_label_is_skipped(text: bytes, reason: str) -> None:
    with pytest.raises(NotThisSource) as caught:
        read("labels", text, "x")
    assert reason in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        b'<document xmlns="urn:hl7-org:v3"><title>no id</title></document>',
        b'<document xmlns="urn:hl7-org:v3"><setId root="a"/>',
        b'<!DOCTYPE d [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><document>&c;</document>',
        b"<a>" * 5_000,
        b'{"set_id": ' * 3_000,
    ],
)
def test_a_broken_label_says_why(text: bytes) -> None:
    with pytest.raises((ParseError, NotThisSource)) as caught:
        read("labels", text, "x.xml")
    assert caught.value.message.startswith("x.xml ")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(25))
def test_damage_ends_as_labels_or_a_reason(data: Path, name: str, seed: int) -> None:
    whole = (data / "labels" / name).read_bytes()
    ends_well("labels", damaged(whole, f"{name} {seed}"), name)


@pytest.mark.shared_data
def test_every_saved_label_is_read(shared_data: Path) -> None:
    labels = {
        path.name: read_file("labels", path)[0]
        for path in sorted((shared_data / "labels" / "spl").iterdir())
    }

    assert len(labels) == 7
    assert len({label.external_id for label in labels.values()}) == 7
    original, repacked = labels["lipitor-orig.xml.gz"], labels["lipitor-repack.xml.gz"]
    assert original.title != repacked.title
    for label in (original, repacked, labels["humira.xml.gz"]):
        assert {"Adverse Reactions", "Indications and Usage"} <= set(label.metadata["sections"])
        assert sum(not block.section for block in label.blocks) <= 2  # the imprint
        assert len(label.tables) >= 10
    assert "Haloperidol" in labels["no-title.xml"].title
    classes, _ = read_file("labels", shared_data / "labels" / "pharm_class_4ad64379.xml")
    assert len(classes.relations) == 2


@pytest.mark.shared_data
def test_the_saved_openfda_labels_are_read(shared_data: Path) -> None:
    path = shared_data / "labels" / "openfda_json" / "openfda_labels_4.json"
    documents, broken = read("labels", path.read_bytes(), path.name)

    assert (len(documents), broken) == (4, [])
    assert all(d.external_id and d.title and d.blocks for d in documents)


@pytest.mark.shared_data
def test_the_saved_flattened_labels_are_read(shared_data: Path) -> None:
    packed = (shared_data / "labels" / "fda_ars_labels.jsonl.gz").read_bytes()
    documents, broken = read("labels", gzip.decompress(packed), "fda_ars_labels.jsonl")

    assert (len(documents), broken) == (101, [])
    assert sum(len(d.metadata["sections"]) for d in documents) == 239
    assert not any("[seeW" in block.text for d in documents for block in d.blocks)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["loinc.csv", "sections.csv", "druglabel_schema.json"])
def test_tables_beside_the_labels_are_skipped(shared_data: Path, name: str) -> None:
    with pytest.raises(NotThisSource):
        read_file("labels", shared_data / "labels" / name)


def test_a_table_of_endless_columns_is_cut() -> None:
    cells = '<td colspan="200">x</td>' * 2_000
    text = (
        '<document xmlns="urn:hl7-org:v3"><setId root="a"/><component><structuredBody><component>'
        f"<section><text><table><tbody><tr>{cells}</tr></tbody></table></text></section>"
        "</component></structuredBody></component></document>"
    )
    (document,), _ = read("labels", text.encode(), "x.xml")

    assert len(document.tables[0].rows[0]) == 600
