"""Perturbation tables: every row's value lands in a signature, and the sums can be checked."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import ParseError
from corpus.types import NormalizedDocument
from tests.unit.corpus.sources.tables_help import damaged, ends_well, read, read_file

FILES = (
    "rra.gene_summary.txt",
    "koSTAT3_A549_diffexDT.tsv",
    "signature.centroid.tsv",
    "dysreg-overexpression.tsv",
    "gene_sets.json",
)


def adds_up(document: NormalizedDocument) -> bool:
    """Whether the values are rows times values a row, but for the gaps."""
    told = document.metadata
    values = sum(len(signature.genes) for signature in document.signatures)
    return bool(
        told["values"] == values
        and (
            not told["values_per_row"]
            or values == told["rows"] * told["values_per_row"] - told["gaps"]
        )
    )


def test_a_screen_is_one_signature_of_its_genes(data: Path) -> None:
    document, broken = read_file("perturbations", data / "perturbations" / FILES[0])

    (screen,) = document.signatures
    assert (screen.name, screen.kind, screen.taxon) == ("rra.gene_summary", "screen", "10090")
    assert (screen.genes, screen.values) == (("Cd274", "Jak1", "Stat1"), (-2.5, 1.75, -0.2))
    assert screen.p_values == (0.001, 0.0005, 0.4)
    assert (document.records, broken, adds_up(document)) == (3, [], True)
    assert document.blocks[0].text == (
        "Screen rra.gene_summary: log2 fold change of 3 values. Most enriched: Jak1 (1.75). "
        "Most depleted: Cd274 (-2.5), Stat1 (-0.2)."
    )


def test_a_knock_out_names_its_target_and_cell_line(data: Path) -> None:
    document, broken = read_file("perturbations", data / "perturbations" / FILES[1])

    (effect,) = document.signatures
    assert (effect.perturbation, effect.kind, effect.context) == ("STAT3", "knockout", "A549")
    assert effect.genes == ("SOCS3", "JUNB", "SOCS3", "ensembl:ENSG00000000001", "CXorf49B")
    assert math.isnan(effect.p_values[-1])
    assert (document.records, broken, adds_up(document)) == (5, [], True)
    assert document.blocks[0].fields["down"] == ["SOCS3", "JUNB"]


def test_numbered_guides_share_their_target() -> None:
    rows = b"geneSymbol\tsiTAZ1_logFC\tsiTAZ1_pValue\tsiTAZ2_logFC\nSTC1\t5\t1e-9\t\n"
    (document,), _ = read("perturbations", rows, "x.tsv")

    assert [(s.name, s.perturbation, s.kind) for s in document.signatures] == [
        ("siTAZ1", "TAZ", "knockdown")
    ]
    assert document.metadata["gaps"] == 1
    assert adds_up(document)


def test_a_matrix_gives_a_signature_a_column(data: Path) -> None:
    document, _ = read_file("perturbations", data / "perturbations" / FILES[2])

    assert [s.name for s in document.signatures] == ["Activin A", "IFNG", "IL6", "TNFA", "TGFB1"]
    assert document.signatures[1].genes == ("STAT1", "SOCS3")
    assert document.signatures[1].kind == "treatment"
    assert (document.records, document.metadata["gaps"], adds_up(document)) == (3, 1, True)


def test_consensus_responses_are_grouped_by_perturbagen(data: Path) -> None:
    document, _ = read_file("perturbations", data / "perturbations" / FILES[3])

    assert [(s.perturbation, s.kind, s.genes) for s in document.signatures] == [
        ("ncbigene:7157", "overexpression", ("CDKN1A", "CDC20")),
        ("ncbigene:3569", "overexpression", ("SOCS3", "TP53")),
    ]
    assert [s.perturbation_label for s in document.signatures] == ["TP53", "ncbigene:3569"]
    assert document.signatures[0].p_values == pytest.approx((1e-3, 1e-2))
    assert (document.records, adds_up(document)) == (4, True)


def test_the_list_tells_the_direction_of_a_gene_set(data: Path) -> None:
    document, broken = read_file("perturbations", data / "perturbations" / FILES[4])

    first, second = document.signatures
    assert (first.genes, first.values) == (("SHC3", "KRAS", "MYC"), (0.25, -0.5, -0.125))
    assert (first.kind, first.context, first.taxon) == ("overexpression", "heart, GSE1", "9606")
    assert (second.kind, second.perturbation, second.values) == ("treatment", "imatinib", (1.0,))
    assert [b.name for b in broken] == ["record 2"]


def test_any_table_of_genes_and_changes_is_read() -> None:
    rows = (
        b"Gene Symbol,log2FC,P.Value,Perturbation,Cell Line\n"
        b"SOCS3,2.5,0.01,IL6,HepG2\nJUNB,-1,0.2,IL6,HepG2\nSOCS3,0.5,,TNF,HepG2\nX,n/a,1,TNF,A\n"
    )
    (document,), broken = read("perturbations", rows, "mine.csv")

    assert [(s.name, s.perturbation, s.context, s.values) for s in document.signatures] == [
        ("IL6 in HepG2", "IL6", "HepG2", (2.5, -1.0)),
        ("TNF in HepG2", "TNF", "HepG2", (0.5,)),
    ]
    assert [b.name for b in broken] == ["row 5"]
    assert adds_up(document)


def test_an_unknown_layout_names_its_columns_and_those_needed() -> None:
    with pytest.raises(ParseError) as caught:
        read("perturbations", b"smiles,name\nC,methane\n", "m.csv")

    assert "'smiles', 'name'" in caught.value.message
    assert "log fold change" in caught.value.message


values = st.floats(-50, 50, allow_nan=False).map(lambda value: round(value, 4))


@given(st.lists(st.tuples(values, st.none() | values), min_size=1, max_size=30))
def test_values_come_back_in_the_order_of_the_rows(
    rows: list[tuple[float, float | None]],
) -> None:
    lines = [f"G{n}\t{a}\t{'' if b is None else b}" for n, (a, b) in enumerate(rows)]
    text = "\n".join(["symbol\tkoA1_logFC\tkoB2_logFC", *lines])
    (document,), broken = read("perturbations", text.encode(), "t.tsv")

    assert broken == []
    assert document.signatures[0].values == tuple(a for a, _ in rows)
    others = tuple(b for _, b in rows if b is not None)
    assert [signature.values for signature in document.signatures[1:]] == [others] * bool(others)
    assert adds_up(document)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", range(20))
def test_damage_ends_as_a_table_or_a_reason(data: Path, name: str, seed: int) -> None:
    whole = (data / "perturbations" / name).read_bytes()
    ends_well("perturbations", damaged(whole, f"{name} {seed}"), name)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "rows", "signatures", "values"),
    [
        ("tf_knockout/koATF3_HCT116_diffexDT.tsv.gz", 5_000, 1, 5_000),
        ("tf_knockout/siTAZdiffex_HFL1_diffexDT.tsv.gz", 5_000, 2, 10_000),
        ("tf_knockout/cas9OCT4_hsZygote_diffexDT.tsv.gz", 5_000, 1, 5_000),
        ("crispr_mageck/rra.gene_summary.txt.gz", 19_326, 1, 19_326),
        ("crispr_mageck/rra.sgrna_summary.txt", 794, 1, 794),
        ("crispr_mageck/mle.gene_summary.first5000.txt.gz", 5_000, 3, 15_000),
        ("cytosig/signature.centroid.subset.tsv.gz", 2_404, 43, 43 * 2_404),
        ("lincs_l1000/dysreg-overexpression.tsv.gz", 40_642, 2_088, 40_642),
        ("creeds_single_gene_sample.json", 1, 1, 2),
    ],
)
def test_every_saved_row_is_in_a_signature(
    shared_data: Path, name: str, rows: int, signatures: int, values: int
) -> None:
    document, broken = read_file("perturbations", shared_data / "perturbations" / name)

    assert (document.records, len(document.signatures), broken) == (rows, signatures, [])
    assert document.metadata["values"] + document.metadata["gaps"] == values
    assert adds_up(document)
    assert len({signature.name for signature in document.signatures}) == signatures


@pytest.mark.shared_data
def test_the_saved_screens_and_knock_outs_say_what_was_done(shared_data: Path) -> None:
    folder = shared_data / "perturbations"
    screen, _ = read_file("perturbations", folder / "crispr_mageck" / "rra.gene_summary.txt.gz")
    assert screen.signatures[0].taxon == "10090"
    assert screen.signatures[0].genes[:2] == ("Cd274", "Psmb8")
    named = {
        signature.name: (signature.perturbation, signature.kind, signature.context)
        for path in sorted((folder / "tf_knockout").glob("*.gz"))
        for signature in read_file("perturbations", path)[0].signatures
    }
    assert named == {
        "koATF3": ("ATF3", "knockout", "HCT116"),
        "siTAZ1": ("TAZ", "knockdown", "HFL1"),
        "siTAZ2": ("TAZ", "knockdown", "HFL1"),
        "koOCT4": ("OCT4", "knockout", "hsZygote"),
    }


@pytest.mark.shared_data
def test_the_tables_beside_the_saved_responses_are_read(shared_data: Path) -> None:
    folder = shared_data / "perturbations" / "lincs_l1000"
    down, _ = read_file("perturbations", folder / "dysreg-knockdown-summary.tsv")
    up, _ = read_file("perturbations", folder / "dysreg-overexpression-summary.tsv")
    genes, _ = read_file("perturbations", folder / "genes.tsv.gz")

    assert (down.records, up.records) == (4_312, 2_088)
    assert sum(len(block.fields["rows"]) for block in down.blocks) == 4_312
    assert (genes.records, len(genes.terms), genes.type) == (7_467, 7_467, "vocabulary")
    assert genes.terms[0].curie == "ncbigene:100"


@pytest.mark.parametrize(
    "header",
    [
        b'"baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"',
        b'"","baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"',
    ],
)
def test_a_table_of_statistics_is_one_contrast_and_no_matrix(header: bytes) -> None:
    rows = header + b'\n"SOCS3",100.5,2.5,0.1,9,1e-9,1e-7\n"JUNB",50,-1.5,0.2,-7,1e-5,1e-3\n'
    (document,), _ = read("perturbations", rows, "il6_hepg2.csv")

    (effect,) = document.signatures
    assert (effect.name, effect.genes, effect.values) == (
        "il6_hepg2",
        ("SOCS3", "JUNB"),
        (2.5, -1.5),
    )
    assert effect.p_values == (1e-9, 1e-5)
