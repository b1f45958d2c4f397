"""The templates that turn facts into text."""

from __future__ import annotations

from typing import Any

from flux_site.demo import render

GENES = {
    "AAA": {"symbol": "AAA", "name": "alpha gene", "hgnc": "HGNC:1", "uniprot": ["P1"]},
    "BBB": {"symbol": "BBB", "name": "beta gene", "hgnc": "HGNC:2", "uniprot": []},
}


def relation(regulator: str, target: str, sign: int, *pmids: str) -> dict[str, Any]:
    return {
        "source": "trrust",
        "regulator": regulator,
        "target": target,
        "sign": sign,
        "mechanism": "transcription",
        "pmids": list(pmids),
    }


def pathway(**changes: Any) -> dict[str, Any]:
    row = {
        "id": "WP1",
        "name": "A way",
        "source": "wikipathways",
        "genes": ["AAA", "BBB"],
        "gene_count": 2,
    }
    return row | changes


def test_a_pathway_names_its_place_its_parts_and_its_members():
    row = pathway(
        id="R-HSA-2",
        source="reactome",
        parents=[["R-HSA-1", "Upper way"]],
        top=[["R-HSA-0", "Top"]],
        children=[["R-HSA-3", "Lower way"]],
        child_count=1,
        chemicals=[["CHEBI:1", "water"]],
        chemical_count=3,
    )

    line = render.pathway_line(row)

    assert line["text"] == (
        "A way is a human pathway in Reactome (R-HSA-2). "
        "A way is part of Upper way (R-HSA-1), in the branch Top. "
        "A way is divided into 1 sub-pathway: Lower way (R-HSA-3). "
        "The 2 gene products that take part in A way are AAA and BBB. "
        "Small molecules in A way: 3, among them water (CHEBI:1)."
    )
    assert line["type"] == "pathway"


def test_a_shortened_list_says_so_and_keeps_the_count():
    text = render.pathway_line(pathway(gene_count=99))["text"]

    assert "99 gene products take part in A way; the 2 that occur in the fewest" in text


def test_the_signs_of_a_regulator_are_kept_apart():
    rows = [
        relation("AAA", "BBB", 1, "1"),
        relation("AAA", "CCC", -1, "2"),
        relation("AAA", "DDD", 1, "3"),
        relation("AAA", "DDD", -1, "4"),
    ]

    [line] = render.interaction_lines(rows, GENES)

    assert line["id"] == "trrust:AAA"
    assert line["text"] == (
        "AAA (alpha gene) is a regulator of transcription in TRRUST. "
        "AAA activates transcription of BBB (PMID 1). "
        "AAA represses transcription of CCC (PMID 2). "
        "Both activation and repression by AAA are recorded for "
        "DDD (activation: PMID 3; repression: PMID 4)."
    )


def test_a_target_of_several_regulators_has_a_record_too():
    rows = [
        relation(name, "BBB", sign, "7")
        for name, sign in (("E", 1), ("F", 1), ("G", -1), ("H", -1))
    ]

    target = list(render.interaction_lines(rows, GENES))[-1]

    assert target["id"] == "trrust-target:BBB"
    assert "Transcription of BBB is activated by E (PMID 7) and F (PMID 7)." in target["text"]
    assert "Transcription of BBB is repressed by G (PMID 7) and H (PMID 7)." in target["text"]


def test_long_lists_are_cut_into_sentences_and_papers_are_counted():
    rows = [relation("AAA", f"T{n:02}", 1, *map(str, range(1, 8))) for n in range(10)]

    [line] = render.interaction_lines(rows, GENES)

    assert line["text"].count("AAA activates transcription of") == 2
    assert "T00 (PMID 1, 2, 3, 4, 5 and 2 more)" in line["text"]


def test_an_effect_on_itself_reads_as_one():
    row = relation("AAA", "AAA", -1, "5") | {
        "source": "signor",
        "mechanism": "ubiquitination",
        "record": "SIGNOR-1",
    }

    [line] = render.interaction_lines([row], GENES)

    assert line["title"] == "Effect of AAA on itself"
    assert line["text"].startswith("AAA (alpha gene) down-regulates itself by ubiquitination (")


def test_a_curated_record_ends_with_its_relations_and_identifiers():
    record = {
        "id": "curated:x",
        "title": "X",
        "topics": ["tnf"],
        "sections": [{"heading": "One", "text": "Text."}],
        "genes": ["AAA", "BBB"],
        "chemicals": [["CHEBI:1", "water"]],
        "pathways": [["WP1", "A way"]],
        "relations": [relation("AAA", "BBB", -1, "9")],
    }

    line = render.curated_line(record, GENES)

    assert [part["heading"] for part in line["sections"]] == [
        "One",
        "Recorded relations",
        "Identifiers",
    ]
    assert line["sections"][1]["text"] == "TRRUST records that AAA represses BBB (PMID 9)."
    assert line["sections"][2]["text"] == (
        "AAA is alpha gene (HGNC:1, UniProt P1). BBB is beta gene (HGNC:2). "
        "The drug or compound water is CHEBI:1. The pathway A way is WP1 in WikiPathways."
    )
    assert record["sections"] == [{"heading": "One", "text": "Text."}]
