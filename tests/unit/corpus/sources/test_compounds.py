"""Compounds keep their names, structures and ids; roles and targets become relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.sources.base import NotThisSource, ParseError
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file

FILES = ("drugs.tsv", "lincs.json", "roles.tsv", "drugbank.xml")


def test_a_compound_is_a_term_and_a_record(data: Path) -> None:
    document, broken = read_file("compounds", data / "compounds" / "drugs.tsv")

    assert (document.type, document.records) == ("dataset", 3)
    assert [(t.curie, t.label, t.kind) for t in document.terms] == [
        ("chembl.compound:CHEMBL25", "ASPIRIN", "drug"),
        ("chembl.compound:CHEMBL1201", "SODIUM EXAMPLATE", "chemical"),
        ("NAMELESS ID", "NAMELESS ID", "drug"),
    ]
    assert [block.text for block in document.blocks[:2]] == [
        "ASPIRIN (CHEMBL25) is a small molecule first approved in 1950; "
        "SMILES CC(=O)Oc1ccccc1C(=O)O.",
        "SODIUM EXAMPLATE (CHEMBL1201) is a small molecule; SMILES [Na+].CC(=O)[O-] "
        "(a salt or mixture of 2 parts).",
    ]
    assert document.blocks[0].fields == {
        "id": "chembl.compound:CHEMBL25",
        "name": "ASPIRIN",
        "smiles": "CC(=O)Oc1ccccc1C(=O)O",
        "type": "Small molecule",
        "year": "1950",
        "row": 2,
    }
    assert [b.name for b in broken] == ["row 5"]


def test_bare_ids_of_lincs_get_their_prefix(data: Path) -> None:
    document, broken = read_file("compounds", data / "compounds" / "lincs.json")

    (term,) = document.terms
    assert term.names == ("Seliciclib", "Roscovitine", "CYC202")
    assert term.xrefs == (
        "lincs.smallmolecule:LSM-1001",
        "pubchem.compound:160355",
        "chembl.compound:CHEMBL14762",
        "inchikey:BTIHMVBBUGXLCJ-OAHLLOKOSA-N",
    )
    assert [b.name for b in broken] == ["record 2"]


def test_roles_are_relations_told_by_compound(data: Path) -> None:
    document, _ = read_file("compounds", data / "compounds" / "roles.tsv")

    assert [(r.subject, r.predicate, r.object) for r in document.relations] == [
        ("chembl.compound:CHEMBL25", "has_role", "chebi:35475"),
        ("chembl.compound:CHEMBL25", "has_role", "chebi:35480"),
        ("chembl.compound:CHEMBL112", "has_role", "chebi:35480"),
    ]
    assert document.records == 3
    assert document.blocks[0].text == (
        "ASPIRIN has the roles: non-steroidal anti-inflammatory drug, analgesic."
    )
    assert document.blocks[0].fields["rows"] == [2, 3]


def test_drugbank_gives_targets_with_their_action(data: Path) -> None:
    document, broken = read_file("compounds", data / "compounds" / "drugbank.xml")

    (relation,) = document.relations
    assert (relation.subject, relation.predicate, relation.object, relation.sign) == (
        "drugbank:DB90001",
        "regulates_activity",
        "uniprot:P00734",
        -1,
    )
    assert relation.pmids == ("10505536",)
    assert [t.xrefs for t in document.terms] == [("chembl.compound:CHEMBL9",)]
    assert [block.text for block in document.blocks] == [
        "Examplerudin (DB90001) is a biotech drug. A made-up thrombin inhibitor.",
        "Examplerudin inhibits: F2 (PMID 10505536).",
    ]
    assert [b.name for b in broken] == ["drug 2"]


def test_drug_gene_tables_are_left_to_the_interactions() -> None:
    rows = b"gene_claim_name\tinteraction_type\tdrug_claim_name\nCDK7\tinhibitor\tX\n"
    with pytest.raises(NotThisSource, match="read it as interactions"):
        read("compounds", rows, "dgi.tsv")


@pytest.mark.parametrize(
    "text", [b"a,b\n1,2\n", b'{"x": {"Name": "y"}}', b"<drugbank/>", b'{"a":' * 9_000]
)
def test_an_unknown_file_says_why(text: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        read("compounds", text, "x.csv")
    assert caught.value.message.startswith("x.csv ")


def test_a_giant_structure_is_its_own_failure() -> None:
    rows = f"name,smiles\nA,CC\nB,{'C' * 20_000}\n".encode()
    (document,), broken = read("compounds", rows, "c.csv")

    assert [t.label for t in document.terms] == ["A"]
    assert [b.name for b in broken] == ["row 3"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(20))
def test_damage_ends_as_a_table_or_a_reason(data: Path, name: str, seed: int) -> None:
    whole = (data / "compounds" / name).read_bytes()
    ends_well("compounds", damaged(whole, f"{name} {seed}"), name)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "records", "terms", "relations"),
    [
        ("chembl_approved_drugs.tsv.gz", 2_628, 2_628, 0),
        ("lincs_small_molecules.json.gz", 625, 625, 0),
        ("chembl_to_chebi_roles_DERIVED.tsv.gz", 4_564, 0, 4_564),
        ("drugbank_sample.xml", 1, 1, 1),
    ],
)
def test_every_saved_row_is_read(
    shared_data: Path, name: str, records: int, terms: int, relations: int
) -> None:
    document, broken = read_file("compounds", shared_data / "compounds" / name)

    assert (document.records, broken) == (records, [])
    assert (len(document.terms), len(document.relations)) == (terms, relations)
    if relations == 4_564:
        assert len({r.subject for r in document.relations}) == 1_483
        assert sum(len(block.fields["rows"]) for block in document.blocks) == relations


@pytest.mark.shared_data
def test_salts_of_the_saved_drugs_are_told(shared_data: Path) -> None:
    path = shared_data / "compounds" / "chembl_approved_drugs.tsv.gz"
    document, _ = read_file("compounds", path)

    salts = [block for block in document.blocks if "a salt or mixture of" in block.text]
    assert len(salts) == sum("." in block.fields["smiles"] for block in document.blocks) == 968
