"""A small vocabulary, written for these tests in the shape that readers give."""

from __future__ import annotations

import pytest

from corpus.lexicon.matcher import Lexicon
from corpus.types import Term

TERMS = (
    Term("hgnc:3236", "EGFR", "gene", ("epidermal growth factor receptor",), ("EGFR", "ERBB1")),
    Term("hgnc:7029", "MET", "gene", ("MET proto-oncogene",), ("MET", "HGFR")),
    Term("hgnc:3763", "FLT1", "gene", ("fms related receptor 1",), ("FLT1", "VEGFR1")),
    Term("hgnc:6307", "KDR", "gene", ("kinase insert domain receptor",), ("KDR", "VEGFR2")),
    Term("hgnc:3767", "FLT4", "gene", ("fms related receptor 4",), ("FLT4", "VEGFR-3")),
    Term("fplx:VEGFR", "VEGFR", "family", ("VEGFR", "VEGF receptors")),
    Term("hgnc:8760", "PDCD1", "gene", ("programmed cell death 1",), ("PDCD1", "PD1", "PD-1")),
    Term("hgnc:11138", "SNCA", "gene", ("synuclein alpha",), ("SNCA", "NACP", "PD1")),
    Term("hgnc:6018", "IL6", "gene", ("interleukin 6",), ("IL6", "IL-6", "HSF")),
    Term("hgnc:5991", "IL1A", "gene", ("interleukin 1 alpha",), ("IL1A", "IL-1A")),
    Term("hgnc:5992", "IL1B", "gene", ("interleukin 1 beta",), ("IL1B", "IL-1B")),
    Term("hgnc:11766", "TGFB1", "gene", ("transforming growth factor beta 1",), ("TGFB1",)),
    Term(
        "fplx:NFkappaB", "NFkappaB", "family", ("NFkappaB", "NF-kappaB", "nuclear factor kappa B")
    ),
    Term("hgnc:7794", "NFKB1", "gene", ("nuclear factor kappa B subunit 1",), ("NFKB1", "NF-kB1")),
    Term("hgnc:12731", "WAS", "gene", ("WASP actin nucleation promoting factor",), ("WAS", "THC")),
    Term("hgnc:1516", "CAT", "gene", ("catalase",), ("CAT",)),
    Term("hgnc:20387", "IMPACT", "gene", ("impact RWD domain protein",), ("IMPACT",)),
    Term("hgnc:1502", "CASP14", "gene", ("caspase 14",), ("CASP14", "MICE")),
    Term("hgnc:11515", "TBXT", "gene", ("T-box transcription factor T",), ("TBXT", "T")),
    Term("hgnc:12441", "TYMS", "gene", ("thymidylate synthetase",), ("TYMS", "TMS", "TS")),
    Term("hgnc:3942", "MTOR", "gene", ("mechanistic target of rapamycin",), ("MTOR", "FRAP")),
    Term("hgnc:6836", "MAP2K1", "gene", ("MAP kinase kinase 1",), ("MAP2K1", "B1")),
    Term("hgnc:7729", "SEPTIN2", "gene", ("septin 2",), ("SEPTIN2", "SEPT2")),
    Term("hgnc:15848", "SEPTIN6", "gene", ("septin 6",), ("SEPTIN6", "SEPT2")),
    Term("hgnc:99001", "AAA1", "gene", ("first of two",), ("AAA1", "SHAREDX")),
    Term("hgnc:99002", "AAA2", "gene", ("second of two",), ("AAA2", "SHAREDX")),
    Term("hgnc:99003", "GONE1", "gene", ("withdrawn gene",), ("GONE1",), withdrawn=True),
    Term("mesh:D011125", "Adenomatous Polyposis Coli", "disease", ("Polyposis, Familial",)),
    Term("mesh:D014923", "Wiskott-Aldrich Syndrome", "disease", ("Wiskott-Aldrich Syndrome",)),
    Term("mesh:D004487", "Edema", "disease", ("Edema", "Dropsy")),
    Term("mesh:D010051", "Ovarian Neoplasms", "disease", ("Ovarian Neoplasms",)),
    Term("mesh:D001943", "Breast Neoplasms", "disease", ("Breast Neoplasms",)),
    Term("doid:1612", "breast cancer", "disease", ("breast cancer",), xrefs=("mesh:D001943",)),
    Term("mesh:D000163", "Acquired Immunodeficiency Syndrome", "disease", ("AIDS",)),
    Term("mesh:D009085", "Mucopolysaccharidoses", "disease", ("Mucopolysaccharidosis",)),
    Term("mondo:0002531", "skin neoplasm", "disease", ("skin neoplasm", "skin")),
    Term("mesh:D004194", "Disease", "disease", ("Disease", "Diseases")),
    Term("chebi:6801", "metformin", "chemical", ("metformin",)),
    Term("chebi:16467", "L-arginine", "chemical", ("L-arginine",)),
    Term("chebi:48607", "lithium", "chemical", ("lithium",)),
)


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return Lexicon(TERMS)
