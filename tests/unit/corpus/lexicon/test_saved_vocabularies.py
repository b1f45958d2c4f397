"""The examples of the specification against the saved vocabularies."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.lexicon.matcher import Lexicon
from corpus.services.vocabularies import read_vocabularies

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]


@pytest.fixture(scope="module")
def everything(shared_data: Path) -> Lexicon:
    return Lexicon(read_vocabularies([str(shared_data / "vocab")]))


@pytest.mark.parametrize(
    ("text", "curies"),
    [
        ("EGFR beside VEGFR in metastatic lesions", ["hgnc:3236", "fplx:VEGFR"]),
        ("PD-1 blockade", ["hgnc:8760"]),
        ("IL-6, IL6, interleukin 6 and interleukin-6", ["hgnc:6018"] * 4),
        (
            "NF-κB, NF-kB, NFκB, NFkB, NF-kappaB, nuclear factor kappa B",
            ["fplx:NFkappaB"] * 6,
        ),
        ("the patient WAS seen; CAT scan; high IMPACT; we met", []),
        ("CAT activity; the WAS gene; a MET inhibitor", ["hgnc:1516", "hgnc:12731", "hgnc:7029"]),
        ("in mice fed a high-fat diet", ["taxon:10090"]),
        ("TBXT", ["hgnc:11515"]),
        ("α-synuclein", ["hgnc:11138"]),
        ("alpha-synuclein", ["hgnc:11138"]),
        ("SEPT2, 2-Sep, G6PC", ["hgnc:7729", "hgnc:4056"]),
        ("p38 kinase", ["fplx:p38"]),
        ("gefitinib with sorafenib", ["chebi:49668", "chebi:50924"]),
        (
            "xyzumab, abctinib, xyzrafenib and foobarparib",
            ["drug:xyzumab", "drug:abctinib", "drug:xyzrafenib", "drug:foobarparib"],
        ),
        ("epidermal growth factor receptor", ["hgnc:3236"]),
    ],
)
def test_the_examples_hold_among_all_terms(everything, text, curies):
    assert [match.curie for match in everything.match(text)] == curies


def test_a_range_gives_the_family_and_the_three_genes(everything):
    curies = {match.curie for match in everything.match("VEGFR1-3")}
    assert curies == {"fplx:VEGFR", "hgnc:3763", "hgnc:6307", "hgnc:3767"}
