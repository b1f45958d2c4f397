"""Target facts: a relation a row, with its source and year, told by gene."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.sources.base import ParseError
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file


def test_each_kind_of_fact_has_its_predicate(data: Path) -> None:
    document, broken = read_file("facts", data / "facts" / "targets.tsv")

    assert [(r.subject, r.predicate, r.object) for r in document.relations] == [
        ("hgnc:20001", "associated_with", "omim:603776"),
        ("hgnc:1884", "associated_with", "mondo:0009061"),
        ("hgnc.symbol:BRAF", "associated_with", "mondo:0005105"),
        ("hgnc.symbol:EGFR", "tractable_by", "small molecule"),
        ("hgnc.symbol:EGFR", "tractable_by", "antibody"),
        ("hgnc:20001", "tractable_by", "antibody"),
        ("hgnc.symbol:POLR2A", "essential_in", "HeLa"),
        ("hgnc.symbol:ALB", "expressed_in", "liver"),
        ("hgnc.symbol:GAPDH", "expressed_in", "human tissues"),
        ("hgnc.symbol:CETP", "trial_stopped", "coronary heart disease"),
        ("hgnc.symbol:BACE1", "trial_stopped", "mondo:0004975"),
    ]
    assert (document.type, document.records) == ("dataset", 11)
    assert document.metadata["facts"] == {
        "association": 3,
        "tractability": 3,
        "essentiality": 1,
        "expression": 2,
        "stopped_trial": 2,
    }
    assert [b.name for b in broken] == ["row 13"]
    assert "'rumour'" in broken[0].reason


def test_a_fact_keeps_its_source_year_and_papers(data: Path) -> None:
    document, _ = read_file("facts", data / "facts" / "targets.tsv")

    trial = document.relations[-1]
    assert (trial.record, trial.pmids) == ("NCT01739348", ("29719179",))
    assert trial.fields["reason"] == "no effect of verubecestat"
    assert (trial.fields["source"], trial.fields["year"]) == ("ClinicalTrials.gov", "2017")


def test_what_is_known_of_a_gene_is_one_record(data: Path) -> None:
    document, _ = read_file("facts", data / "facts" / "targets.tsv")

    assert document.blocks[0].text == (
        "PCSK9 is associated with: hypercholesterolemia, autosomal dominant, 3 (causal; OMIM; "
        "2003; PMID 12730697); is tractable by: antibody (approved drug; ChEMBL; 2015)."
    )
    assert document.blocks[0].fields == {"subject": "hgnc:20001", "label": "PCSK9", "rows": [2, 7]}


@pytest.mark.parametrize(
    ("header", "row", "predicate", "about"),
    [
        ("target,disease,score", "IL6,asthma,0.5", "associated_with", "asthma"),
        ("symbol,modality,value", "IL6,antibody,1", "tractable_by", "antibody"),
        ("gene,gene_effect,cell_line", "IL6,-0.1,A549", "essential_in", "A549"),
        ("gene,tissue,tpm", "IL6,lung,3", "expressed_in", "lung"),
        ("gene,breadth", "IL6,0.8", "expressed_in", "human tissues"),
        ("gene,nct_id,why_stopped", "IL6,NCT1,slow", "trial_stopped", "NCT1"),
    ],
)
def test_columns_tell_the_kind_of_fact(header: str, row: str, predicate: str, about: str) -> None:
    (document,), broken = read("facts", f"{header}\n{row}\n".encode(), "f.csv")

    (relation,) = document.relations
    assert (relation.subject, relation.predicate, relation.object, broken) == (
        "hgnc.symbol:IL6",
        predicate,
        about,
        [],
    )


def test_lines_of_json_are_read_too() -> None:
    rows = [
        {"target_id": "ENSG00000136244", "target": "IL6", "disease_id": "EFO_0000270",
         "disease": "asthma", "score": 0.61, "datasource": "literature", "year": 2019},
        {"target": "", "disease": "asthma"},
    ]  # fmt: skip
    (document,), broken = read("facts", "\n".join(map(json.dumps, rows)).encode(), "f.jsonl")

    (relation,) = document.relations
    assert (relation.subject, relation.object) == ("ensembl:ENSG00000136244", "efo:0000270")
    assert (relation.fields["score"], relation.fields["source"]) == ("0.61", "literature")
    assert "score 0.61; literature; 2019" in document.blocks[0].text
    assert [b.name for b in broken] == ["row 2"]


def test_an_unknown_layout_names_its_columns_and_those_needed() -> None:
    with pytest.raises(ParseError) as caught:
        read("facts", b"smiles,name\nC,methane\n", "f.csv")

    assert "'smiles', 'name'" in caught.value.message
    assert "gene" in caught.value.message


@pytest.mark.parametrize("seed", range(40))
def test_damage_ends_as_a_table_or_a_reason(data: Path, seed: int) -> None:
    whole = (data / "facts" / "targets.tsv").read_bytes()
    ends_well("facts", damaged(whole, f"targets {seed}"), "targets.tsv")
