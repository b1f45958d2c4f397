"""KEGG's maps and tables, and the saved files of every form."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.files import open_payload
from corpus.sources.kegg.equations import Part, sides
from corpus.sources.kegg.normalizer import normalize
from corpus.sources.kegg.parser import parse
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument
from tests.support.kegg import keys, read


@pytest.fixture
def kgml(data: Path) -> NormalizedDocument:
    (document,) = read((data / "kegg" / "map.xml").read_bytes(), "map.xml")
    return document


def test_a_map_gives_signed_relations_of_all_its_genes(kgml: NormalizedDocument) -> None:
    found = {(r.subject, r.predicate, r.object, r.sign) for r in kgml.relations}
    for gene in ("ncbigene:1001", "ncbigene:1002"):
        assert (gene, "regulates_activity", "ncbigene:1003", 1) in found
        assert ("ncbigene:1003", "regulates_expression", gene, -1) in found
    assert {s for s, p, o, g in found if (p, o, g) == (
        "regulates_activity", "kegg.compound:C00031", -1)} == {
        "ncbigene:1001", "ncbigene:1002", "ncbigene:1003",
    }  # fmt: skip
    assert ("ncbigene:1003", "related_to", "kegg.pathway:hsa00010", 0) in found
    assert ("ncbigene:1001", "regulates_activity", "kegg.compound:C00031", 0) in found


def test_a_map_is_stored_beside_the_flat_entry(kgml: NormalizedDocument) -> None:
    assert kgml.external_id == "kgml:hsa09990"
    assert kgml.metadata["curie"] == "kegg.pathway:hsa09990"
    assert (kgml.metadata["entries"], kgml.metadata["relations"]) == (6, 7)
    assert kgml.note == "Relations left out since the map lacks their entries: 1."


def test_reactions_of_a_map_have_sides_and_catalysts(kgml: NormalizedDocument) -> None:
    first = [r for r in kgml.relations if r.subject == "kegg.reaction:R09901"]
    second = [r for r in kgml.relations if r.subject == "kegg.reaction:R09902"]
    assert keys(tuple(first)) == {
        ("has_input", "kegg.compound:C00031", 0), ("has_output", "kegg.compound:C00103", 0),
        ("catalyzed_by", "ncbigene:1001", 0), ("catalyzed_by", "ncbigene:1002", 0),
    }  # fmt: skip
    assert len(second) == 2


def test_groups_that_name_each_other_many_times_over_end() -> None:
    """Ten levels of ten groups, each of which holds all ten of the next: 10^10 ways down."""
    parts = ["".join(f'<component id="{level + 1}-{i}"/>' for i in range(10)) for level in range(9)]
    entries = "".join(
        f'<entry id="{level}-{number}" name="undefined" type="group">{parts[level]}</entry>'
        for level in range(9)
        for number in range(10)
    )
    genes = "".join(f'<entry id="9-{i}" name="hsa:{i + 1}" type="gene"/>' for i in range(10))
    arrow = '<relation entry1="0-0" entry2="9-0" type="PPrel"/>'
    raw = f'<pathway name="path:hsa1" org="hsa">{entries}{genes}{arrow}</pathway>'
    (document,) = read(raw.encode(), "a.xml")
    told = [r for r in document.relations if r.predicate == "related_to"]
    assert {r.subject for r in told} == {f"ncbigene:{number}" for number in range(1, 11)}


def test_a_list_answer_is_one_dataset(data: Path) -> None:
    (listing,) = read((data / "kegg" / "list.txt").read_bytes(), "list.txt")
    assert (listing.type, listing.records, listing.external_id) == ("dataset", 2, "list:list.txt")
    assert [(r.subject, r.object) for r in listing.relations] == [
        ("kegg.pathway:hsa00010", "Glycolysis"), ("kegg.pathway:hsa00020", "Citrate cycle"),
    ]  # fmt: skip


def test_blank_lines_before_a_table_are_passed_over() -> None:
    (listing,) = read(b"\n" * 30_000 + b"C00001\tWater\n", "list.txt")
    assert listing.records == 1


def test_a_link_answer_ties_genes_to_pathways() -> None:
    (links,) = read(b"hsa:10327\tpath:hsa00010\nhsa:124\tpath:hsa00010\nnonsense\n", "link.tsv")
    assert (links.records, links.metadata["skipped_rows"]) == (2, 1)
    assert [(r.subject, r.predicate, r.object) for r in links.relations] == [
        ("ncbigene:10327", "part_of", "kegg.pathway:hsa00010"),
        ("ncbigene:124", "part_of", "kegg.pathway:hsa00010"),
    ]


def test_reaction_lines_are_one_dataset() -> None:
    raw = b"R00001:1.1.1.1: 2 A + B <=>  C\nR00002:: C <=> D\n"
    (reactions,) = read(raw, "map.rea")
    assert reactions.records == 2
    assert reactions.relations[0].object == "ec:1.1.1.1"
    assert reactions.relations[0].fields["inputs"][0] == {"name": "A", "count": "2"}


def test_wide_compound_sets_are_one_dataset() -> None:
    raw = b",Pathway_name,0,1,2\nhsa00010,Glycolysis,C00001,C00002,\nhsa00020,Citrate,,,\n"
    (sets,) = read(raw, "sets.csv")
    assert sets.records == 2
    assert keys(sets.relations) == {
        ("contains", "kegg.compound:C00001", 0), ("contains", "kegg.compound:C00002", 0),
    }  # fmt: skip


def test_an_equation_without_arrow_has_no_sides() -> None:
    assert sides("A + B = C") == ((), ())
    assert sides("2 C1 + C2 <=> (n+1) C3") == (
        (Part("C1", "2"), Part("C2")), (Part("C3", "(n+1)"),),
    )  # fmt: skip


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\n", b"<!DOCTYPE html><html></html>", b"<Pathway xmlns='x'/>", b"plain words\n",
        b"a\tb\n", b"gene,score\nTP53,1\n", b"# Title\n\nA [link](x).\n",
    ],
)  # fmt: skip
def test_other_files_are_not_this_source(raw: bytes) -> None:
    with pytest.raises(NotThisSource):
        list(parse(raw, "other.txt"))


@pytest.mark.parametrize(
    "raw",
    [
        b"<pathway", b"<pathway/>", b"\xff\xfe\x00", b"<a>" * 100_000,
        b'<!DOCTYPE p [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><pathway name="&b;"/>',
    ],
)  # fmt: skip
def test_broken_files_are_named(raw: bytes) -> None:
    with pytest.raises(ParseError):
        list(parse(raw, "bad.xml"))


def test_names_without_a_suffix_are_read_and_other_suffixes_are_not() -> None:
    kegg = SOURCES["kegg"]
    assert kegg.reads("hsa:10458")
    assert kegg.reads("path:hsa00010.TXT.gz")
    assert not kegg.reads("photo.png")
    assert not SOURCES["openalex"].reads("W1")


REAL = {
    "bio2bel/get_hsa00010.txt": (1, 1), "bio2bel/get_hsa_112268384.txt": (1, 1),
    "bio2bel/test_pathway.txt": (1, 1), "bio2bel/link_pathway_hsa.txt": (1, 30),
    "bio2bel/list_pathway_hsa.txt": (1, 9), "biopython/compound.sample": (8, 8),
    "biopython/compound.irregular": (2, 2), "biopython/enzyme.sample.gz": (8, 8),
    "biopython/enzyme.irregular": (2, 2), "biopython/enzyme.new": (1, 1),
    "biopython/enzyme.4letter": (1, 1), "biopython/gene.sample": (2, 2),
    "biopython/map00950.rea": (1, 56), "biopython/ko00010.xml": (1, 1),
    "biopython/ko00253.xml": (1, 1), "biopython/ko03070.xml": (1, 1),
    "biopython/ko01100.xml.gz": (1, 1), "kgml/hsa00010.xml": (1, 1), "kgml/hsa04330.xml": (1, 1),
    "kgml/hsa04150_pmod_test.xml": (1, 1), "kgml/03320_cpd_test.xml": (1, 1),
    "KEGG_human_pathways_compounds_R98.csv": (1, 344),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize("name", sorted(REAL))
def test_every_saved_file_goes_in_whole(shared_data: Path, name: str) -> None:
    payload, plain = open_payload((shared_data / "kegg" / name).read_bytes(), name)
    records = list(parse(payload, plain))
    documents = [normalize(record) for record in records if not isinstance(record, Broken)]
    assert len(documents) == len(records)
    assert (len(documents), sum(d.records for d in documents)) == REAL[name]
    assert not any(document.note for document in documents)
    assert all(document.blocks for document in documents)
    assert sum(not document.relations for document in documents) == (
        1 if "enzyme.sample" in name else 0  # an enzyme transferred to another number
    )


@pytest.mark.shared_data
def test_arrows_of_a_real_map_are_counted(shared_data: Path) -> None:
    raw = (shared_data / "kegg" / "kgml" / "hsa04330.xml").read_bytes()
    (notch,) = read(raw, "hsa04330.xml")
    assert (notch.metadata["entries"], notch.metadata["relations"]) == (30, 16)
    arrows = [r for r in notch.relations if r.predicate.startswith("regulates")]
    assert len({r.record for r in arrows}) == 15
    assert {r.sign for r in arrows} == {1, -1}
