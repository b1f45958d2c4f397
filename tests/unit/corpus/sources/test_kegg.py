"""KEGG in all its forms: flat entries, maps, tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import clean_text
from corpus.sources.files import open_payload
from corpus.sources.kegg.entries import Field, FlatEntry
from corpus.sources.kegg.equations import Part, sides
from corpus.sources.kegg.names import classify
from corpus.sources.kegg.normalizer import normalize
from corpus.sources.kegg.parser import parse
from corpus.sources.registry import SOURCES
from corpus.types import NormalizedDocument, Relation
from tests.support.kegg import write_entry

Key = tuple[str, str, int]


def read(data: bytes, name: str = "answer.txt") -> list[NormalizedDocument]:
    return [normalize(item) for item in parse(data, name) if not isinstance(item, Broken)]


def flat(*lines: str) -> NormalizedDocument:
    (document,) = read("\n".join([*lines, "///", ""]).encode())
    return document


def keys(relations: tuple[Relation, ...]) -> set[Key]:
    return {(relation.predicate, relation.object, relation.sign) for relation in relations}


@pytest.fixture
def entries(data: Path) -> dict[str, NormalizedDocument]:
    documents = read((data / "kegg" / "entries.txt").read_bytes())
    return {document.external_id: document for document in documents}


@pytest.fixture
def kgml(data: Path) -> NormalizedDocument:
    (document,) = read((data / "kegg" / "map.xml").read_bytes(), "map.xml")
    return document


def test_entries_of_a_file_are_read_one_by_one(data: Path) -> None:
    records = list(parse((data / "kegg" / "entries.txt").read_bytes(), "entries.txt"))
    broken = [record for record in records if isinstance(record, Broken)]
    assert [record.id for record in records if isinstance(record, FlatEntry)] == [
        "hsa09990", "H00165", "D09901", "R09901",
    ]  # fmt: skip
    assert [record.name for record in broken] == ["entry 3"]
    assert "no ENTRY line" in broken[0].reason


def test_a_pathway_names_its_members_and_its_papers(
    entries: dict[str, NormalizedDocument],
) -> None:
    pathway = entries["hsa09990"]
    assert (pathway.type, pathway.records) == ("pathway", 1)
    assert "academic use" in pathway.licence
    assert keys(pathway.relations) == {
        ("contains", "ncbigene:1001", 0), ("contains", "ncbigene:1002", 0),
        ("contains", "kegg.compound:C00002", 0), ("contains", "kegg.compound:C00031", 0),
        ("contains", "kegg.module:hsa_M09991", 0), ("contains", "kegg.network:nt09901", 0),
        ("contains", "kegg.network:N09901", 0), ("contains", "kegg.network:N09902", 0),
        ("related_to_disease", "kegg.disease:H09901", 0), ("has_xref", "go:0006457", 0),
        ("cites", "pmid:11111111", 0),
    }  # fmt: skip
    first = next(r for r in pathway.relations if r.object == "ncbigene:1001")
    assert (first.object_label, first.fields["ko"], first.fields["ec"]) == (
        "WID1", "K09901", "5.3.4.1",
    )  # fmt: skip


def test_lines_of_a_text_are_joined(entries: dict[str, NormalizedDocument]) -> None:
    description = entries["hsa09990"].blocks[0]
    assert description.text == (
        "Widgets are folded in two steps. The second step needs energy [PATH:hsa00010]."
    )
    assert description.section == ("Description",)


def test_a_field_never_seen_is_kept_raw_with_one_warning(
    entries: dict[str, NormalizedDocument],
) -> None:
    pathway = entries["hsa09990"]
    assert pathway.note == "Fields Flux does not know are kept as they are: SPARKLE."
    assert {
        "name": "SPARKLE",
        "lines": ["a field of tomorrow", "in two lines"],
        "nested": [{"name": "NESTED", "lines": ["with a key"]}],
    } in pathway.metadata["raw"]


def test_symbol_and_structure_are_kept_and_harm_nothing() -> None:
    gene = flat(
        "ENTRY       7157              CDS       T01001",
        "SYMBOL      TP53, BCC7",
        "NAME        (RefSeq) tumor protein p53",
        "ORTHOLOGY   K04451  tumor protein p53",
        "ORGANISM    hsa  Homo sapiens (human)",
        "STRUCTURE   PDB: 1A1U 1AIE",
    )
    assert gene.external_id == "hsa:7157"
    assert keys(gene.relations) == {("has_ortholog", "kegg.orthology:K04451", 0)}
    assert {"name": "STRUCTURE", "lines": ["PDB: 1A1U 1AIE"]} in gene.metadata["raw"]
    assert gene.relations[0].subject == "ncbigene:7157"


def test_genes_of_a_disease_keep_subtype_gene_and_orthology(
    entries: dict[str, NormalizedDocument],
) -> None:
    genes = [r for r in entries["H00165"].relations if r.predicate == "related_to_gene"]
    assert [(r.object_label, r.object, r.fields["subtype"], r.fields["ko"]) for r in genes] == [
        ("FAH", "ncbigene:2184", "Type I", "K01555"),
        ("TAT", "ncbigene:6898", "Type II", "K00815"),
        ("HPD", "ncbigene:3242", "Type III", "K00457"),
    ]
    assert ("treated_with", "kegg.drug:D05177", 0) in keys(entries["H00165"].relations)


def test_a_field_with_an_empty_value_is_no_failure(
    entries: dict[str, NormalizedDocument],
) -> None:
    drug = entries["D09901"]
    assert drug.title == "Widgetinib (INN)"
    assert "Also called: Foldex (TN)." in drug.blocks[0].text
    assert "Formula" not in drug.blocks[0].text


def test_a_drug_targets_the_gene_in_brackets(entries: dict[str, NormalizedDocument]) -> None:
    assert keys(entries["D09901"].relations) == {
        ("targets", "ncbigene:1001", 0), ("acts_in", "kegg.pathway:hsa09990", 0),
        ("metabolized_by", "ncbigene:1576", 0),
    }  # fmt: skip


def test_a_reaction_has_two_sides_and_enzymes(entries: dict[str, NormalizedDocument]) -> None:
    reaction = entries["R09901"]
    assert reaction.type == "reaction"
    assert keys(reaction.relations) == {
        ("has_input", "kegg.compound:C00002", 0), ("has_input", "kegg.compound:C09901", 0),
        ("has_output", "kegg.compound:C00008", 0), ("has_output", "kegg.compound:C09902", 0),
        ("catalyzed_by", "ec:2.7.1.999", 0), ("catalyzed_by", "ec:5.3.4.1", 0),
    }  # fmt: skip
    counts = {r.object: r.fields["count"] for r in reaction.relations if "count" in r.fields}
    assert counts["kegg.compound:C09901"] == "2"
    assert counts["kegg.compound:C09902"] == "n+1"
    assert "cut off" in reaction.note


def test_enzyme_genes_of_animals_become_relations_and_all_stay_in_the_metadata() -> None:
    enzyme = flat(
        "ENTRY       EC 1.14.18.1                Enzyme",
        "NAME        tyrosinase",
        "SUBSTRATE   L-tyrosine [CPD:C00082];",
        "            O2",
        "GENES       HSA: 7299(TYR)",
        "            ECO: b0001(thrL) b0002",
    )
    assert enzyme.external_id == "ec:1.14.18.1"
    assert keys(enzyme.relations) == {
        ("has_input", "kegg.compound:C00082", 0), ("has_input", "O2", 0),
        ("encoded_by", "ncbigene:7299", 0),
    }  # fmt: skip
    assert "3 genes of 2 organisms" in enzyme.blocks[-1].text
    assert enzyme.metadata["raw"][-1]["lines"] == ["HSA: 7299(TYR)", "ECO: b0001(thrL) b0002"]


def test_lines_out_of_their_columns_are_continuations_and_counted() -> None:
    compound = flat(
        "ENTRY       C00001                      Compound",
        "NAME        Water;",
        "   hydrogen oxide",
        "COMMENT     One",
        "and two",
    )
    assert "Also called: hydrogen oxide." in compound.blocks[1].text
    assert compound.blocks[0].text == "One and two"
    assert "Lines out of their columns, read as continuations: 2." in compound.note


def test_a_hyphen_at_the_end_of_a_line_is_part_of_the_name() -> None:
    enzyme = flat(
        "ENTRY       EC 9.9.9.9                  Enzyme",
        "SYSNAME     widget:oxygen 3-",
        "            oxidoreductase",
    )
    assert "Systematic name: widget:oxygen 3-oxidoreductase." in enzyme.blocks[0].text


def test_a_bad_byte_costs_one_entry_only() -> None:
    raw = (
        b"ENTRY       C00001  Compound\nNAME        \xff\n///\nENTRY       C00002  Compound\n///\n"
    )
    first, second = parse(raw, "a.txt")
    assert isinstance(first, Broken)
    assert isinstance(second, FlatEntry)


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


def test_a_list_answer_is_one_dataset(data: Path) -> None:
    (listing,) = read((data / "kegg" / "list.txt").read_bytes(), "list.txt")
    assert (listing.type, listing.records, listing.external_id) == ("dataset", 2, "list:list.txt")
    assert [(r.subject, r.object) for r in listing.relations] == [
        ("kegg.pathway:hsa00010", "Glycolysis"), ("kegg.pathway:hsa00020", "Citrate cycle"),
    ]  # fmt: skip


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


@pytest.mark.parametrize(
    ("text", "curie", "kind"),
    [
        ("path:hsa00010", "kegg.pathway:hsa00010", "pathway"),
        ("map00010", "kegg.pathway:map00010", "pathway"),
        ("hsa:3101", "ncbigene:3101", "gene"),
        ("eco:b1174", "kegg.genes:eco:b1174", "gene"),
        ("ko:K00844", "kegg.orthology:K00844", "ortholog"),
        ("EC 1.1.1.-", "ec:1.1.1.-", "enzyme"),
        ("nt06017", "kegg.network:nt06017", "network"),
        ("hsa_M00001", "kegg.module:hsa_M00001", "module"),
        ("some words", "some words", ""),
    ],
)
def test_ids_of_every_form_are_told_apart(text: str, curie: str, kind: str) -> None:
    assert classify(text) == (curie, kind)


def test_names_without_a_suffix_are_read_and_other_suffixes_are_not() -> None:
    kegg = SOURCES["kegg"]
    assert kegg.reads("hsa:10458")
    assert kegg.reads("path:hsa00010.TXT.gz")
    assert not kegg.reads("photo.png")
    assert not SOURCES["openalex"].reads("W1")


def test_blank_lines_before_a_table_are_passed_over() -> None:
    (listing,) = read(b"\n" * 30_000 + b"C00001\tWater\n", "list.txt")
    assert listing.records == 1


def test_an_orthology_group_has_members() -> None:
    group = flat("ENTRY       K00844            KO", "GENES       HSA: 3101(HK3)")
    assert keys(group.relations) == {("has_member", "ncbigene:3101", 0)}


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


_plain = st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cn"))
_first = st.text(_plain, max_size=40).map(lambda t: clean_text(t).replace("\n", " ").rstrip())
_next = _first.filter(str.strip)
_key = st.from_regex(r"[A-Z][A-Z0-9_]{0,8}", fullmatch=True)


def _fields(nested: st.SearchStrategy[tuple[Field, ...]]) -> st.SearchStrategy[Field]:
    lines = st.builds(lambda one, more: (one, *more), _first, st.lists(_next, max_size=4))
    known = st.sampled_from(
        ["NAME", "GENE", "GENES", "COMPOUND", "REFERENCE", "EQUATION", "DBLINKS", "TARGET", "CLASS"]
    )
    return st.builds(Field, known | _key, lines, nested)


_nested = st.lists(_fields(st.just(())), max_size=3).map(tuple)
_kinds = st.sampled_from(["C00001  Compound", "hsa00010  Pathway", "H1  Disease", "7  CDS  T01001"])
_entries = st.builds(
    lambda kind, fields: FlatEntry((Field("ENTRY", (kind,)), *fields)),
    _kinds,
    st.lists(_fields(_nested), max_size=6),
)


@given(st.lists(_entries, min_size=1, max_size=3))
def test_what_is_written_is_read_again(entries: list[FlatEntry]) -> None:
    text = "".join(map(write_entry, entries))
    assert list(parse(text.encode(), "a.txt")) == entries


@given(_entries)
def test_every_entry_normalises_and_keeps_what_it_does_not_know(entry: FlatEntry) -> None:
    document = normalize(entry)
    assert document.external_id
    assert all(block.text for block in document.blocks)
    assert all(relation.object for relation in document.relations)
    raw = [item["name"] for item in document.metadata.get("raw", [])]
    assert set(document.metadata.get("unknown_fields", [])) <= set(raw)


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_reader(raw: bytes) -> None:
    try:
        for record in parse(b"ENTRY       C00001\n" + raw, "a.txt"):
            if not isinstance(record, Broken):
                normalize(record)
        list(parse(raw, "a.txt"))
    except (ParseError, NotThisSource):
        pass


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
def test_a_real_pathway_has_all_its_genes_and_compounds(shared_data: Path) -> None:
    raw = (shared_data / "kegg" / "bio2bel" / "get_hsa00010.txt").read_bytes()
    (pathway,) = read(raw)
    kinds = [r.object_kind for r in pathway.relations if r.predicate == "contains"]
    assert (kinds.count("gene"), kinds.count("compound")) == (68, 31)
    assert pathway.title == "Glycolysis / Gluconeogenesis - Homo sapiens (human)"


@pytest.mark.shared_data
def test_arrows_of_a_real_map_are_counted(shared_data: Path) -> None:
    raw = (shared_data / "kegg" / "kgml" / "hsa04330.xml").read_bytes()
    (notch,) = read(raw, "hsa04330.xml")
    assert (notch.metadata["entries"], notch.metadata["relations"]) == (30, 16)
    arrows = [r for r in notch.relations if r.predicate.startswith("regulates")]
    assert len({r.record for r in arrows}) == 15
    assert {r.sign for r in arrows} == {1, -1}
