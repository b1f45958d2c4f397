"""Flat entries of KEGG, field by field."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.cleaning import clean_text
from corpus.sources.kegg.entries import Field, FlatEntry
from corpus.sources.kegg.names import classify
from corpus.sources.kegg.normalizer import normalize
from corpus.sources.kegg.parser import parse
from corpus.types import NormalizedDocument
from tests.support.kegg import keys, read, write_entry


def flat(*lines: str) -> NormalizedDocument:
    (document,) = read("\n".join([*lines, "///", ""]).encode())
    return document


@pytest.fixture
def entries(data: Path) -> dict[str, NormalizedDocument]:
    documents = read((data / "kegg" / "entries.txt").read_bytes())
    return {document.external_id: document for document in documents}


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
    """A17."""
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
    """A15."""
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
    good, bad = (
        b"ENTRY       C00002  Compound\n///\n",
        b"ENTRY       C00001\nNAME        \xff\n///\n",
    )
    first, second = parse(bad + good, "a.txt")
    assert isinstance(first, Broken)
    assert isinstance(second, FlatEntry)


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


def test_an_orthology_group_has_members() -> None:
    group = flat("ENTRY       K00844            KO", "GENES       HSA: 3101(HK3)")
    assert keys(group.relations) == {("has_member", "ncbigene:3101", 0)}


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


@pytest.mark.slow
@given(st.lists(_entries, min_size=1, max_size=3))
def test_what_is_written_is_read_again(entries: list[FlatEntry]) -> None:
    text = "".join(map(write_entry, entries))
    assert list(parse(text.encode(), "a.txt")) == entries


_odd = st.tuples(
    st.sampled_from([*(" " * n for n in range(1, 30)), "\t", "\t\t", " \t "]),
    st.from_regex(r"[a-z0-9(;,:-][a-z0-9 (;,:-]{0,30}[a-z0-9)]", fullmatch=True),
)


@given(st.sampled_from(["NAME", "COMMENT", "GENE", "SPARKLE"]), st.lists(_odd, max_size=8))
def test_a_continuation_is_one_wherever_it_begins(name: str, more: list[tuple[str, str]]) -> None:
    """Only its text counts: whether it stands left or right of its column, after blanks or tabs."""
    lines = ["ENTRY       C00001  Compound", f"{name:<12}first", *(a + b for a, b in more), "///"]
    (entry,) = parse("\n".join(lines).encode(), "a.txt")

    assert isinstance(entry, FlatEntry)
    assert entry.lines(name) == ("first", *(text for _, text in more))
    assert [field.name for field in entry.fields] == ["ENTRY", name]
    assert entry.odd_lines == sum(len(blanks) < 12 for blanks, _ in more)
    assert normalize(entry).external_id == "C00001"


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


@pytest.mark.shared_data
def test_a_real_pathway_has_all_its_genes_and_compounds(shared_data: Path) -> None:
    raw = (shared_data / "kegg" / "bio2bel" / "get_hsa00010.txt").read_bytes()
    (pathway,) = read(raw)
    kinds = [r.object_kind for r in pathway.relations if r.predicate == "contains"]
    assert (kinds.count("gene"), kinds.count("compound")) == (68, 31)
    assert pathway.title == "Glycolysis / Gluconeogenesis - Homo sapiens (human)"
