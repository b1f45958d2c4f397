"""Vocabularies become terms with all their names; what is withdrawn says by what."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.curies import curie, from_pair
from corpus.sources.vocabularies.mesh import kind_of, natural_order
from corpus.types import Term
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file

FILES = (
    "hgnc.tsv",
    "mesh.tsv",
    "small.obo",
    "chebi.json",
    "MRCONSO.RRF",
    "famplex_relations.csv",
    "famplex_grounding.csv",
)


def terms(data: Path, name: str) -> dict[str, Term]:
    document, _ = read_file("vocabularies", data / "vocabularies" / name)
    return {term.curie: term for term in document.terms}


def test_a_vocabulary_is_names_and_no_passages(data: Path) -> None:
    document, broken = read_file("vocabularies", data / "vocabularies" / "hgnc.tsv")

    assert (document.type, document.records, document.blocks) == ("vocabulary", 3, ())
    assert "no passages" in document.note
    assert [b.name for b in broken] == ["row 5"]


def test_a_gene_has_symbols_names_and_ids_elsewhere(data: Path) -> None:
    stat3 = terms(data, "hgnc.tsv")["hgnc:11364"]

    assert stat3.names == (
        "STAT3",
        "signal transducer and activator of transcription 3",
        "APRF",
        "ADMIO",
    )
    assert stat3.symbols == ("STAT3", "APRF", "ADMIO")
    assert stat3.xrefs == (
        "ncbigene:6774",
        "uniprot:P40763",
        "ensembl:ENSG00000168610",
        "mgi:103038",
    )
    assert (stat3.kind, stat3.taxon, stat3.withdrawn) == ("gene", "9606", False)


def test_a_withdrawn_symbol_names_its_successor_once(data: Path) -> None:
    gone = terms(data, "hgnc.tsv")["hgnc:21618"]

    assert (gone.withdrawn, gone.replaced_by) == (True, ("hgnc:33814",))
    assert gone.names == ("AKD2", "dJ70A9.1", "C6orf199")


def test_a_gene_may_have_several_proteins(data: Path) -> None:
    assert terms(data, "hgnc.tsv")["hgnc:9"].xrefs[1:] == ("uniprot:P00001", "uniprot:P00002")


def test_inverted_names_are_also_said_naturally(data: Path) -> None:
    found = terms(data, "mesh.tsv")

    assert "Slaughter Houses" in found["mesh:D000005"].names
    assert found["mesh:D000005"].label == "Houses, Slaughter"
    assert [term.kind for term in found.values()] == ["other", "disease", "protein"]


@pytest.mark.parametrize(
    ("trees", "kind"),
    [
        ("C23.550.210.050", "process"),  # aneuploidy
        ("C04.697.098.500|C23.550.727.098.500", "process"),
        ("C23.550.291.125|C04.588", "disease"),
        ("D27.505.954", "other"),  # what a chemical does
        ("D12.776.543|D23.529.374", "protein"),
        ("D03.383", "chemical"),
    ],
)
def test_places_in_the_trees_tell_what_a_descriptor_is(trees: str, kind: str) -> None:
    assert kind_of(trees.split("|")) == kind


@pytest.mark.parametrize(
    ("name", "natural"),
    [
        ("Abdomen, Acute", "Acute Abdomen"),
        ("Lymphoma, B-Cell, Marginal Zone", "Marginal Zone B-Cell Lymphoma"),
        ("Arm, Leg, and Hand", ""),
        ("1,2-Dipalmitoylphosphatidylcholine", ""),
        ("Neoplasms", ""),
        ("A, B, C, D", ""),
    ],
)
def test_only_inverted_names_are_turned(name: str, natural: str) -> None:
    assert natural_order(name) == natural


def test_obo_keeps_exact_names_parents_and_what_replaces(data: Path) -> None:
    document, broken = read_file("vocabularies", data / "vocabularies" / "small.obo")

    assert document.terms[1] == Term(
        "doid:14566",
        "disease of cellular proliferation",
        "disease",
        names=("disease of cellular proliferation", 'proliferation "disease"'),
        xrefs=("mesh:D000000", "umls:C0000001", "doid:99"),
        parents=("doid:4",),
    )
    assert (document.terms[2].withdrawn, document.terms[2].replaced_by) == (True, ("doid:4",))
    assert [b.name for b in broken] == ["term in line 27"]


def test_json_terms_get_their_prefix_and_roles_are_no_chemicals(data: Path) -> None:
    found = terms(data, "chebi.json")

    assert {own: term.kind for own, term in found.items()} == {
        "chebi:1": "chemical",
        "chebi:2": "chemical",
        "chebi:3": "other",
        "mondo:0000005": "disease",
    }
    assert (found["chebi:1"].roles, found["chebi:1"].parents) == (("chebi:3",), ("chebi:2",))
    assert found["mondo:0000005"].parents == ("mondo:0000001",)
    assert found["mondo:0000005"].xrefs == ("mesh:D1", "snomedct:7")


def test_a_ring_of_parents_ends() -> None:
    ring = (
        b'[{"id": "CHEBI:1", "name": "a", "namespace": "chebi", "relations": {"is_a": "CHEBI:2"}},'
        b'{"id": "CHEBI:2", "name": "b", "namespace": "chebi", "relations": {"is_a": "CHEBI:1"}}]'
    )
    (document,), _ = read("vocabularies", ring, "r.json")

    assert [term.kind for term in document.terms] == ["chemical", "chemical"]


def test_umls_rows_are_grouped_by_concept(data: Path) -> None:
    document, broken = read_file("vocabularies", data / "vocabularies" / "MRCONSO.RRF")

    diabetes, disease = document.terms
    assert (diabetes.curie, diabetes.label) == ("umls:C0011849", "Diabetes Mellitus")
    assert diabetes.names == ("Diabetes Mellitus", "Sugar Diabetes")
    assert diabetes.xrefs == ("mesh:D003920",)
    assert (disease.kind, disease.xrefs) == ("disease", ("doid:4",))
    assert (document.records, document.metadata["other_language"]) == (5, 1)
    assert document.metadata["suppressed"] == 1
    assert [b.name for b in broken] == ["row 6"]


def test_famplex_tells_families_and_names(data: Path) -> None:
    families, _ = read_file("vocabularies", data / "vocabularies" / "famplex_relations.csv")
    assert [(r.subject, r.predicate, r.object) for r in families.relations] == [
        ("hgnc.symbol:JAK1", "is_a", "fplx:JAK"),
        ("fplx:JAK", "is_a", "fplx:Kinase"),
        ("hgnc.symbol:IKBKG", "part_of", "fplx:IKK_complex"),
    ]
    found = terms(data, "famplex_grounding.csv")
    assert found["fplx:JAK"].names == ("JAK kinase, any", "Jaks")
    assert found["pubchem.compound:5280896"].xrefs == ("chebi:2365",)


def test_a_plain_table_of_ids_and_names_is_a_vocabulary() -> None:
    rows = b"id,label,synonyms,kind\nCL:0000084,T cell,T lymphocyte|T-cell,anatomy\n,x,,\n"
    (document,), broken = read("vocabularies", rows, "cells.csv")

    assert document.terms == (
        Term("cl:0000084", "T cell", "anatomy", names=("T cell", "T lymphocyte", "T-cell")),
    )
    assert [b.name for b in broken] == ["row 3"]


@pytest.mark.parametrize(
    ("namespace", "local", "expected"),
    [
        ("SNOMEDCT_US_2023_03_01", "64572001", "snomedct:64572001"),
        ("UMLS_CUI", "C0012634", "umls:C0012634"),
        ("CHEBI", "CHEBI:2365", "chebi:2365"),
        ("MESH", "D004194", "mesh:D004194"),
        ("mondo", "0000001", "mondo:0000001"),
        ("", "5", ""),
        ("GO", "", ""),
    ],
)
def test_ids_have_one_spelling(namespace: str, local: str, expected: str) -> None:
    assert curie(namespace, local) == expected


@given(
    st.from_regex(r"[A-Z]{2,8}", fullmatch=True), st.from_regex(r"[A-Z0-9]{1,8}", fullmatch=True)
)
def test_a_pair_reads_as_its_parts(namespace: str, local: str) -> None:
    assert from_pair(f"{namespace}:{local}") == curie(namespace, local)
    assert curie(namespace, f"{namespace}:{local}") == curie(namespace, local)


@pytest.mark.parametrize("text", [b"smiles,mass\nC,16\n", b"format-version: 1.2\n", b"[1, 2]"])
def test_an_unknown_file_says_why(text: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        read("vocabularies", text, "x.txt")
    assert caught.value.message.startswith("x.txt ")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(20))
def test_damage_ends_as_terms_or_a_reason(data: Path, name: str, seed: int) -> None:
    whole = (data / "vocabularies" / name).read_bytes()
    ends_well("vocabularies", damaged(whole, f"{name} {seed}"), name)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "records", "found"),
    [
        ("hgnc_entries_subset.tsv.gz", 20_794, 20_742),  # 52 rows come twice
        ("mesh_descriptors_subset.tsv.gz", 9_453, 9_453),
        ("doid_subset.json.gz", 5_000, 5_000),
        ("mondo_subset.json.gz", 2_500, 2_500),
        ("chebi_subset.json.gz", 7_146, 7_146),
        ("drugbank_open_names_subset.tsv.gz", 3_999, 3_999),
        ("uniprot_human_entry_gene_ensembl_subset.tsv.gz", 8_000, 8_000),
        ("MRCONSO_SYNTHETIC.RRF.gz", 2_403, 529),
        ("famplex/famplex.obo.gz", 784, 784),
        ("famplex/entities.csv", 783, 783),
        ("famplex/grounding_map.csv", 3_302, None),
        ("famplex/equivalences.csv", 2_540, None),
        ("famplex/relations.csv", 5_284, 0),
        ("famplex/descriptions.csv", 431, 0),
    ],
)
def test_every_saved_entry_is_read(
    shared_data: Path, name: str, records: int, found: int | None
) -> None:
    document, broken = read_file("vocabularies", shared_data / "vocab" / name)

    assert (document.records, broken) == (records, [])
    assert found is None or len(document.terms) == found
    curies = [term.curie for term in document.terms]
    assert len(set(curies)) == len(curies)
    assert all(term.names and term.names[0] == term.label for term in document.terms)
    assert len(document.relations) == (5_284 if name.endswith("relations.csv") else 0)


@pytest.mark.shared_data
def test_withdrawn_genes_of_the_saved_table_name_successors(shared_data: Path) -> None:
    path = shared_data / "vocab" / "hgnc_entries_subset.tsv.gz"
    document, _ = read_file("vocabularies", path)

    gone = [term for term in document.terms if term.withdrawn]
    assert len(gone) == 609 + 221 - 52  # of those, 52 rows come twice
    assert sum(bool(term.replaced_by) for term in gone) == 573
    several = [t for t in document.terms if sum(x.startswith("uniprot:") for x in t.xrefs) > 1]
    assert len(several) == 40


@pytest.mark.shared_data
def test_a_table_of_prefixes_is_skipped(shared_data: Path) -> None:
    with pytest.raises(NotThisSource, match="not entities"):
        read_file("vocabularies", shared_data / "vocab" / "famplex" / "gene_prefixes.csv")
