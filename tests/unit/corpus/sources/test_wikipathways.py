"""WikiPathways: drawings, gene sets and the tables beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.wikipathways.names import curie
from corpus.sources.wikipathways.normalizer import normalize
from corpus.sources.wikipathways.parser import parse
from corpus.types import NormalizedDocument, Relation

Edge = tuple[str, str, str, int]
HEAD = "Widget set%WikiPathways_20220613%WP9901%Homo sapiens\thttps://x/instance/WP9901_r5"


def read(data: bytes, name: str) -> list[NormalizedDocument]:
    return [normalize(item) for item in parse(data, name) if not isinstance(item, Broken)]


def edges(relations: tuple[Relation, ...]) -> set[Edge]:
    return {(r.subject, r.predicate, r.object, r.sign) for r in relations}


@pytest.fixture
def small(data: Path) -> NormalizedDocument:
    (document,) = read((data / "wikipathways" / "small.gpml").read_bytes(), "small.gpml")
    return document


def test_a_drawing_is_a_pathway_with_its_description(small: NormalizedDocument) -> None:
    assert (small.type, small.external_id, small.published) == ("pathway", "WP9901", "2024-03-05")
    assert [block.text for block in small.blocks[:2]] == [
        "Widgets signal see here.",
        "Second part.",
    ]
    assert small.tags == ("Homo sapiens", "signaling pathway")
    assert small.metadata["revised"] == "2024-03-05"
    assert small.metadata["curators"] == ["Ann", "Bob"]


def test_every_node_is_kept_in_the_fields(small: NormalizedDocument) -> None:
    nodes = [node for block in small.blocks for node in block.fields.get("nodes", [])]
    assert small.metadata["data_nodes"] == len(nodes) == 9
    assert {node["label"]: node.get("curie", "") for node in nodes} == {
        "LIG 1": "uniprot:P00001", "REC1": "ncbigene:101", "REC2": "ensembl:ENSG00000000001",
        "TF1": "hgnc.symbol:TF1", "glucose": "chebi:17234", "G6P": "hmdb:HMDB0001401",
        "HK1": "ec:2.7.1.1", "drug": "", "Other": "wikipathways:WP9902",
    }  # fmt: skip


def test_participants_are_told_by_kind(small: NormalizedDocument) -> None:
    texts = {block.section[0]: block.text for block in small.blocks}
    assert texts["Metabolites"] == (
        "Metabolites of Widget signalling: glucose [chebi:17234]; G6P [hmdb:HMDB0001401]."
    )
    assert texts["Complexes"] == "Complexes of Widget signalling: REC1/REC2."
    assert texts["Other participants"].endswith(": drug.")


def test_arrowheads_give_signs_and_groups_their_members(small: NormalizedDocument) -> None:
    found = edges(small.relations)
    assert ("uniprot:P00001", "regulates_activity", "ncbigene:101", 1) in found
    assert ("uniprot:P00001", "regulates_activity", "ensembl:ENSG00000000001", 1) in found
    assert ("ncbigene:101", "regulates_activity", "hgnc.symbol:TF1", -1) in found
    assert ("hgnc.symbol:TF1", "affects", "wikipathways:WP9902", 0) in found


def test_a_head_at_each_end_gives_both_directions(small: NormalizedDocument) -> None:
    found = edges(small.relations)
    assert ("hgnc.symbol:TF1", "binds", "ncbigene:101", 0) in found
    assert ("ncbigene:101", "binds", "hgnc.symbol:TF1", 0) in found


def test_an_arrow_onto_an_interaction_meets_what_that_makes(small: NormalizedDocument) -> None:
    found = edges(small.relations)
    assert ("chebi:17234", "converted_to", "hmdb:HMDB0001401", 0) in found
    assert ("ec:2.7.1.1", "catalyzes_formation_of", "hmdb:HMDB0001401", 0) in found
    assert ("drug", "regulates_amount", "hmdb:HMDB0001401", -1) in found
    inhibited = next(r for r in small.relations if r.subject == "drug" and r.sign < 0)
    assert inhibited.fields["to"] == "interaction i2"


def test_stimulating_an_inhibition_lowers_its_target(small: NormalizedDocument) -> None:
    (onto,) = [r for r in small.relations if r.record == "WP9901/i10"]
    assert (onto.subject, onto.object, onto.sign) == ("drug", "hgnc.symbol:TF1", -1)
    assert onto.fields["sign_on_interaction"] == 1


def test_lines_that_join_nothing_are_counted_in_the_note(small: NormalizedDocument) -> None:
    assert small.metadata["interactions"] == 12
    assert small.metadata["unresolved_interactions"] == 3
    assert small.note == (
        "Interactions left out since they do not join two participants in the drawing: 3 of 12."
    )


def test_papers_are_cited_by_the_pathway_and_its_interactions(small: NormalizedDocument) -> None:
    cited = [r.object for r in small.relations if r.predicate == "cites"]
    assert cited == ["pmid:12345"]
    assert all(r.pmids == ("12345",) for r in small.relations if r.record == "WP9901/i1")
    assert small.metadata["references"][1]["database"] == "ISBN"


def test_the_form_of_2021_reads_alike(data: Path) -> None:
    raw = (data / "wikipathways" / "small2021.gpml").read_bytes()
    (document,) = read(raw, "small2021.gpml")
    assert (document.external_id, document.title) == ("WP9903", "Widget signalling")
    assert document.blocks[0].text == "Widgets signal."
    assert edges(document.relations) == {
        ("wikipathways:WP9903", "contains", "uniprot:P00001", 0),
        ("wikipathways:WP9903", "contains", "ncbigene:101", 0),
        ("uniprot:P00001", "regulates_activity", "ncbigene:101", -1),
        ("wikipathways:WP9903", "annotated_with", "PW:0000003", 0),
        ("wikipathways:WP9903", "cites", "pmid:12345", 0),
    }
    assert "LIG1 (P)" in " ".join(block.text for block in document.blocks)


@pytest.mark.parametrize(
    ("database", "identifier", "expected"),
    [
        ("HGNC", "1234", "hgnc:1234"), ("HGNC", "HGNC:5", "hgnc:5"),
        ("ChEBI", "15377", "chebi:15377"),
        ("Complex Portal", "CPX-1", "complexportal:CPX-1"), ("Strange Base", "7", "strangebase:7"),
        ("", "7", ""), ("Ensembl", " ", ""), ("KEGG Compound", "C00031", "kegg.compound:C00031"),
    ],
)  # fmt: skip
def test_databases_become_prefixes(database: str, identifier: str, expected: str) -> None:
    assert curie(database, identifier) == expected


def test_a_set_is_a_pathway_that_leaves_the_drawing_alone() -> None:
    lines = [f"{HEAD}\t7\t8\t7", "no set\tx\t1", f"{HEAD.replace('9901', '9902')}"]
    first, second, third = parse("\n".join(lines).encode(), "sets.gmt")
    assert isinstance(second, Broken)
    assert isinstance(third, Broken)
    assert not isinstance(first, Broken)
    document = normalize(first)
    assert (document.type, document.external_id, document.published) == (
        "pathway", "gmt:WP9901", "2022-06-13",
    )  # fmt: skip
    assert edges(document.relations) == {
        ("wikipathways:WP9901", "contains", "ncbigene:7", 0),
        ("wikipathways:WP9901", "contains", "ncbigene:8", 0),
    }
    assert document.metadata["version"] == "WP9901_r5"


def test_data_nodes_with_their_ids_are_a_dataset() -> None:
    raw = (
        b"Label\tType\tIdentifier\tComment\tEnsembl\tHGNC\n"
        b'G6PD\tGeneProduct\tncbigene:2539\t""\tensembl:E1;ensembl:E2;ensembl:E3\thgnc.symbol:G6PD\n'
        b"Glycolysis\tPathway\twikipathways:WP534\t\t\t\n"
    )
    (document,) = read(raw, "WP134-datanodes.tsv")
    assert (document.type, document.external_id, document.records) == (
        "dataset", "datanodes:WP134", 2,
    )  # fmt: skip
    assert edges(document.relations) == {
        ("wikipathways:WP134", "contains", "ncbigene:2539", 0),
        ("wikipathways:WP134", "related_to_pathway", "wikipathways:WP534", 0),
    }
    assert document.relations[0].fields["Ensembl"] == "ensembl:E1;ensembl:E2;ensembl:E3"
    assert (
        "G6PD [ncbigene:2539, hgnc.symbol:G6PD, ensembl:E1, ensembl:E2]" in document.blocks[0].text
    )


def test_a_bibliography_cites_and_is_no_passage() -> None:
    raw = b'ID\tDatabase\tCitation\n123\tPubmed\t"A paper. <a href=""x"">PubMed</a>"\n'
    (document,) = read(raw, "WP1-bibliography.tsv")
    assert edges(document.relations) == {("wikipathways:WP1", "cites", "pmid:123", 0)}
    assert [(block.kind, block.text) for block in document.blocks] == [("reference", "A paper.")]


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"<!doctype html><html/>", b"<pathway name='path:hsa00010'/>", b"<Pathway/>",
        b'{"wpid": "WP1"}', b"[]", b"a\tb\n1\t2\n", b"ID\tDatabase\tCitation\n",
        b"set\turl\t1\t2\n",
    ],
)  # fmt: skip
def test_other_files_are_not_this_source(raw: bytes) -> None:
    with pytest.raises(NotThisSource):
        list(parse(raw, "other.tsv"))


def test_an_info_file_says_where_its_content_stands() -> None:
    with pytest.raises(NotThisSource, match=r"repeats what the drawing of the pathway \(\.gpml\)"):
        list(parse(b'{"wpid": "WP1", "title": "x"}', "WP1-info.json"))


@pytest.mark.parametrize(
    "raw",
    [
        b"<Pathway", b"{" * 100_000, b"\xff\xfe\x00", b"<a>" * 100_000,
        b"<Pathway xmlns='http://pathvisio.org/GPML/2013a'/>",
        b'<!DOCTYPE p [<!ENTITY a "aa">]>'
        b'<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="&a;"/>',
    ],
)  # fmt: skip
def test_broken_files_are_named(raw: bytes) -> None:
    with pytest.raises(ParseError):
        list(parse(raw, "bad.gpml"))


_ids = st.sampled_from(["a", "b", "c", "n1", "n2", "n3", "g1", "x", ""])
_heads = st.sampled_from(["Arrow", "TBar", "mim-conversion", "mim-inhibition", "Line", ""])
_line = st.tuples(_ids, _heads, _ids, _heads, st.sampled_from(["n1", "n2", "n3"]))


@given(st.lists(_line, max_size=8))
def test_lines_tied_in_any_way_end(lines: list[tuple[str, str, str, str, str]]) -> None:
    drawn = "".join(
        f'<Interaction GraphId="i{number}"><Graphics><Point GraphRef="{start}" ArrowHead="{one}"/>'
        f'<Point GraphRef="{end}" ArrowHead="{two}"/><Anchor GraphId="{anchor}"/></Graphics>'
        "</Interaction>"
        for number, (start, one, end, two, anchor) in enumerate(lines)
    )
    nodes = "".join(f'<DataNode GraphId="{i}" TextLabel="{i}" GroupRef="G"/>' for i in "abc")
    raw = (
        f'<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="t">{nodes}{drawn}'
        '<Group GroupId="G" GraphId="g1" GroupRef="G"/></Pathway>'
    )
    (document,) = read(raw.encode(), "t.gpml")
    assert document.metadata["interactions"] == len(lines)
    resolved = len(lines) - document.metadata["unresolved_interactions"]
    told = {r.record for r in document.relations if "arrow" in r.fields}
    assert len(told) == resolved


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(raw: bytes) -> None:
    for start in (b"", HEAD.encode(), b"Label\tType\tIdentifier\n", b"ID\tDatabase\n"):
        try:
            for record in parse(start + raw, "a.tsv"):
                if not isinstance(record, Broken):
                    normalize(record)
        except (ParseError, NotThisSource):
            pass


def _read_folder(folder: Path) -> tuple[list[NormalizedDocument], int]:
    documents, skipped = [], 0
    for path in sorted(folder.iterdir()):
        payload, name = open_payload(path.read_bytes(), path.name)
        try:
            documents += read(payload, name)
        except NotThisSource:
            skipped += 1
    return documents, skipped


@pytest.mark.shared_data
def test_all_real_drawings_go_in_whole(shared_data: Path) -> None:
    documents, skipped = _read_folder(shared_data / "wikipathways" / "gpml")
    assert (len(documents), skipped) == (43, 0)
    assert len({document.external_id for document in documents}) == 43
    assert sum(document.metadata["data_nodes"] for document in documents) == 2671
    assert sum(document.metadata["interactions"] for document in documents) == 1545
    kept = [n for d in documents for block in d.blocks for n in block.fields.get("nodes", [])]
    assert len(kept) == 2671
    cited = [d for d in documents if d.metadata.get("references")]
    assert len(cited) == 40
    assert not any("\n" in block.text for document in documents for block in document.blocks)


@pytest.mark.shared_data
def test_all_real_sets_go_in(shared_data: Path) -> None:
    path = shared_data / "wikipathways" / "wikipathways-20220610-gmt-Homo_sapiens.gmt.gz"
    payload, name = open_payload(path.read_bytes(), path.name)
    documents = read(payload, name)
    assert len({document.external_id for document in documents}) == len(documents) == 746
    assert sum(len(document.relations) for document in documents) == 30871


@pytest.mark.shared_data
def test_real_side_tables_are_read_and_info_files_passed_over(shared_data: Path) -> None:
    root = shared_data / "wikipathways"
    nodes, none_skipped = _read_folder(root / "datanodes")
    papers, empty = _read_folder(root / "bibliography")
    info, passed_over = _read_folder(root / "info")
    assert (len(nodes), none_skipped, sum(d.records for d in nodes)) == (43, 0, 1942)
    assert (len(papers), empty) == (40, 3)
    assert (len(info), passed_over) == (0, 43)
