"""An interaction table keeps every row, in order, with its direction, ids and papers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import ParseError
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file

FILES = ("trrust.tsv", "omnipath.tsv", "signor.csv", "generic.csv")


def test_a_row_is_a_relation_in_the_order_of_the_rows(data: Path) -> None:
    document, broken = read_file("interactions", data / "interactions" / "trrust.tsv")

    assert (document.type, document.source, document.external_id) == (
        "dataset",
        "interactions",
        "trrust.tsv",
    )
    assert (document.records, broken) == (5, [])
    assert [(r.subject_label, r.object_label, r.sign) for r in document.relations] == [
        ("STAT3", "BCL2L1", 1),
        ("STAT3", "TP53", -1),
        ("STAT3", "IL10", 0),
        ("TP53", "CDKN1A", 1),
        ("AR", "SEPT7", -1),
    ]
    first = document.relations[0]
    assert (first.subject, first.predicate, first.object) == (
        "hgnc.symbol:STAT3",
        "regulates_expression",
        "hgnc.symbol:BCL2L1",
    )
    assert (first.pmids, first.record) == (("10567255", "11350968"), "row 1")
    assert first.fields["Mode"] == "Activation"


def test_a_symbol_that_became_a_date_is_a_symbol_and_says_so(data: Path) -> None:
    document, _ = read_file("interactions", data / "interactions" / "trrust.tsv")

    last = document.relations[-1]
    assert (last.object, last.fields["Target"]) == ("hgnc.symbol:SEPT7", "7-Sep")


def test_what_belongs_to_one_regulator_is_one_record(data: Path) -> None:
    document, _ = read_file("interactions", data / "interactions" / "trrust.tsv")

    block = document.blocks[0]
    assert block.text == (
        "STAT3 activates expression of: BCL2L1 (PMID 10567255, 11350968); represses expression "
        "of: TP53 (PMID 16107692); regulates expression of (direction unknown): IL10 "
        "(PMID 12345678)."
    )
    assert block.kind == "record"
    assert block.fields == {"subject": "hgnc.symbol:STAT3", "label": "STAT3", "rows": [1, 2, 3]}


def test_complexes_keep_their_members(data: Path) -> None:
    document, _ = read_file("interactions", data / "interactions" / "omnipath.tsv")

    complex_ = document.relations[0]
    assert (complex_.subject, complex_.subject_kind, complex_.sign) == (
        "complex:CHUK_IKBKB_IKBKG",
        "complex",
        -1,
    )
    assert complex_.fields["subject_members"] == [
        "hgnc.symbol:CHUK",
        "hgnc.symbol:IKBKB",
        "hgnc.symbol:IKBKG",
    ]


def test_signor_keeps_ids_effects_and_sentences(data: Path) -> None:
    document, broken = read_file("interactions", data / "interactions" / "signor.csv")

    told = [(r.subject, r.predicate, r.object, r.sign, r.record) for r in document.relations]
    assert told == [
        ("uniprot:O60674", "regulates_activity", "uniprot:P40763", 1, "SIGNOR-1"),
        ("uniprot:P04637", "regulates_activity", "signor:SIGNOR-PH2", 1, "SIGNOR-2"),
        ("pubchem.compound:5291", "regulates_activity", "uniprot:P00519", -1, "SIGNOR-3"),
        ("uniprot:P01106", "regulates_expression", "uniprot:P24385", -1, "SIGNOR-4"),
    ]
    assert broken == []
    assert [r.object_kind for r in document.relations][:2] == ["protein", "phenotype"]
    assert document.relations[1].pmids == ()
    assert document.relations[3].fields["TAX_ID"] == "10090"
    assert "one tyrosine; the dimer" in document.relations[0].fields["sentence"]
    assert "one tyrosine; the dimer" in document.blocks[0].text


def test_columns_under_common_names_are_read_and_a_bad_row_is_named(data: Path) -> None:
    document, broken = read_file("interactions", data / "interactions" / "generic.csv")

    assert [(r.subject_label, r.object_label, r.sign, r.pmids) for r in document.relations] == [
        ("IL6", "STAT3", 1, ("111", "222")),
        ("SOCS3", "JAK2", -1, ()),
        ("TNF", "NFKB1", 1, ("4",)),
    ]
    assert document.relations[0].fields["Note"] == "first line second line"
    assert [b.name for b in broken] == ["row 5"]
    assert "'sideways' as its direction" in broken[0].reason


def test_an_unknown_layout_names_its_columns_and_those_needed() -> None:
    with pytest.raises(ParseError) as caught:
        read("interactions", b"smiles,name\nC,methane\n", "m.csv")

    assert "'smiles', 'name'" in caught.value.message
    assert all(word in caught.value.message for word in ("source", "target", "sign"))


def test_omnipath_pairs_carry_accessions() -> None:
    rows = b"""source,target,source_genesymbol,target_genesymbol,resource
O14511,COMPLEX:P04626_P21860,NRG2,ERBB2_ERBB3,consensus
"""
    (document,), _ = read("interactions", rows, "pairs.csv")

    (pair,) = document.relations
    assert (pair.subject, pair.predicate, pair.object) == (
        "uniprot:O14511",
        "binds",
        "complex:P04626_P21860",
    )
    assert pair.fields == {
        "resource": "consensus",
        "object_members": ["uniprot:P04626", "uniprot:P21860"],
    }


def test_a_site_is_apart_from_its_protein() -> None:
    rows = b"target,source,weight,likelihood\nITGB2_S745,PRKCH,1,1\nnosite,PRKCH,1,1\n"
    (document,), broken = read("interactions", rows, "ptm.csv")

    (site,) = document.relations
    assert (site.predicate, site.object, site.object_label) == (
        "regulates_phosphorylation",
        "hgnc.symbol:ITGB2",
        "ITGB2_S745",
    )
    assert site.fields["site"] == "S745"
    assert [b.name for b in broken] == ["row 3"]


def test_drugs_and_genes_have_their_own_ids() -> None:
    rows = (
        b"gene_claim_name\tgene_concept_id\tgene_name\tinteraction_type\tdrug_claim_name\t"
        b"drug_concept_id\tdrug_name\n"
        b"CDK7\thgnc:1778\tCDK7\tinhibitor\tX-1\tiuphar.ligand:5670\tX-1\n"
        b"CYP3A\tncbigene:1574\tCYP3A\tNULL\tclozapine\trxcui:2626\tCLOZAPINE\n"
    )
    (document,), _ = read("interactions", rows, "dgi.tsv")

    assert [(r.subject, r.predicate, r.object, r.sign) for r in document.relations] == [
        ("iuphar.ligand:5670", "regulates_activity", "hgnc:1778", -1),
        ("rxcui:2626", "interacts_with", "ncbigene:1574", 0),
    ]


def test_mouse_symbols_are_no_human_genes() -> None:
    (document,), _ = read("interactions", b"source,target,weight\nStat3,Socs3,1\n", "m.csv")

    assert document.relations[0].subject == "mgi.symbol:Stat3"


symbols = st.from_regex(r"[A-Z][A-Z0-9]{1,6}", fullmatch=True)


@given(st.lists(st.tuples(symbols, symbols, st.sampled_from([-1, 0, 1])), min_size=1, max_size=60))
def test_blocks_tell_every_row_once_and_stay_short(rows: list[tuple[str, str, int]]) -> None:
    text = "\n".join(["source,target,weight", *(f"{a},{b},{s}" for a, b, s in rows)])
    (document,), broken = read("interactions", text.encode(), "t.csv")

    assert broken == []
    assert [(r.subject_label, r.object_label, r.sign) for r in document.relations] == rows
    told = [row for block in document.blocks for row in block.fields["rows"]]
    assert sorted(told) == list(range(2, len(rows) + 2))
    assert all(len(block.text) <= 1_500 for block in document.blocks)


def test_a_long_regulon_is_told_in_pieces() -> None:
    rows = "".join(f"MYC,GENE{number},1\n" for number in range(1_000))
    (document,), _ = read("interactions", f"source,target,weight\n{rows}".encode(), "t.csv")

    assert len(document.blocks) > 5
    assert all(b.text.startswith("MYC activates expression of: ") for b in document.blocks)
    assert max(len(block.text) for block in document.blocks) <= 1_500


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(25))
def test_damage_ends_as_a_table_or_a_reason(data: Path, name: str, seed: int) -> None:
    whole = (data / "interactions" / name).read_bytes()
    ends_well("interactions", damaged(whole, f"{name} {seed}"), name)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "rows", "up", "down"),
    [
        ("trrust_rawdata.human.tsv.gz", 9_396, 3_149, 1_922),
        ("collectri.csv.gz", 43_178, 37_360, 5_818),
        ("omnipath_signed_ptm.csv.gz", 30_816, 30_816, 0),
        ("omnipath_signed_directed.tsv.gz", 19_807, 14_350, 5_457),
        ("liana_omnipath_ligand_receptor_subset.csv.gz", 9_832, 0, 0),
        ("dorothea_curated_with_pubmed.tsv.gz", 5_695, 1_471, 381),
        ("dorothea_hs_confidence_AB.tsv.gz", 15_252, None, None),
        ("signor/signor_test_data.csv", 20, None, None),
        ("signor/signor_test_complexes.csv", 9, 0, 0),
    ],
)
def test_every_saved_row_is_a_relation(
    shared_data: Path, name: str, rows: int, up: int | None, down: int | None
) -> None:
    document, broken = read_file("interactions", shared_data / "interactions" / name)

    assert (document.records, len(document.relations), broken) == (rows, rows, [])
    signs = [relation.sign for relation in document.relations]
    if up is not None:
        assert (signs.count(1), signs.count(-1)) == (up, down)
    assert all(
        len(r.record) and (r.pmids == () or r.pmids[0].isdigit()) for r in document.relations
    )
    assert max(len(block.text) for block in document.blocks) <= 1_500


@pytest.mark.shared_data
def test_odd_papers_of_dorothea_are_read(shared_data: Path) -> None:
    path = shared_data / "interactions" / "dorothea_curated_with_pubmed.tsv.gz"
    document, _ = read_file("interactions", path)

    (odd,) = [r for r in document.relations if (r.subject_label, r.object_label, r.sign) ==
              ("TCF7L2", "BAMBI", 1) and "12782598" in r.pmids]  # fmt: skip
    assert odd.pmids == ("14660579", "12782598")
    imex = [r for r in document.relations if "imex:" in r.fields.get("pubmed_id", "")]
    assert imex
    assert all(pmid.isdigit() for r in imex for pmid in r.pmids)


@pytest.mark.shared_data
def test_a_table_of_drugs_and_genes_belongs_here(shared_data: Path) -> None:
    document, broken = read_file(
        "interactions", shared_data / "compounds" / "dgi_sample_interactions.tsv"
    )

    assert (document.records, broken) == (2, [])


def test_the_web_services_table_is_read_with_and_without_symbols() -> None:
    rows = (
        b"source\ttarget\tis_directed\tis_stimulation\tis_inhibition\treferences\n"
        b"P04637\tP38936\t1\t1\t0\tSIGNOR:8242752;TRRUST:10567255\n"
        b"P04637\tQ00987\tTrue\tTrue\tTrue\t\n"
    )
    (document,), _ = read("interactions", rows, "omnipath.tsv")

    assert [(r.object, r.sign, r.pmids) for r in document.relations] == [
        ("uniprot:P38936", 1, ("8242752", "10567255")),
        ("uniprot:Q00987", 0, ()),
    ]


def test_names_that_are_no_symbols_stay_names() -> None:
    rows = b"source,target,sign\ntumour necrosis factor,MARCHF1,1\nchebi:15377,1-Mar,-1\n"
    (document,), broken = read("interactions", rows, "t.csv")

    assert [(r.subject, r.subject_kind) for r in document.relations] == [
        ("tumour necrosis factor", "")
    ]
    assert [b.name for b in broken] == ["row 3"]
    assert "is a date (1-Mar)" in broken[0].reason
