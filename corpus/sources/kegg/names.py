"""KEGG's identifiers as CURIEs."""

from __future__ import annotations

import re
from typing import Final

# Genes of these organisms carry the numbers of NCBI Gene.
NCBI_GENES: Final = frozenset(
    {
        "hsa", "ptr", "mcc", "mmu", "rno", "cfa", "bta", "ssc", "ecb", "oas", "gga", "xtr", "xla",
        "dre", "dme", "cel",
    }
)  # fmt: skip
TAXA: Final = {
    "hsa": "9606", "ptr": "9598", "mcc": "9544", "mmu": "10090", "rno": "10116", "cfa": "9615",
    "bta": "9913", "ssc": "9823", "gga": "9031", "xtr": "8364", "xla": "8355", "dre": "7955",
    "dme": "7227", "cel": "6239", "sce": "559292", "eco": "511145",
}  # fmt: skip
_SHAPES: Final = (
    (re.compile(r"[a-z]{2,8}\d{5}"), "kegg.pathway", "pathway"),
    (re.compile(r"(?:[a-z]{3,4}_)?M\d{5}"), "kegg.module", "module"),
    (re.compile(r"C\d{5}"), "kegg.compound", "compound"),
    (re.compile(r"D\d{5}"), "kegg.drug", "drug"),
    (re.compile(r"G\d{5}"), "kegg.glycan", "compound"),
    (re.compile(r"R\d{5}"), "kegg.reaction", "reaction"),
    (re.compile(r"K\d{5}"), "kegg.orthology", "ortholog"),
    (re.compile(r"H\d{5}"), "kegg.disease", "disease"),
    (re.compile(r"(?:N\d{5}|nt\d{5})"), "kegg.network", "network"),
    (re.compile(r"RC\d{5}"), "kegg.rclass", "reaction class"),
    (re.compile(r"(?:DG\d{5})"), "kegg.dgroup", "drug"),
    (re.compile(r"T\d{5}"), "kegg.genome", "genome"),
    (re.compile(r"\d{1,2}\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)"), "ec", "enzyme"),
)
# Databases of an id with a prefix; what is none of them is an organism, so the id is a gene.
_DATABASES: Final = frozenset(
    {
        "path", "map", "md", "cpd", "dr", "gl", "rn", "ko", "ds", "ne", "rc", "dg", "gn", "ec",
        "br", "hsa_var", "vg", "vp", "ag",
    }
)  # fmt: skip


def classify(identifier: str) -> tuple[str, str]:
    """(CURIE, kind) of an id in any of its forms: path:hsa00010, cpd:C00022, hsa:3101, K00844, EC
    1.1.1.1. What fits no form is itself, of no kind.
    """
    text = identifier.strip()
    prefix, colon, local = text.partition(":")
    if colon and local and prefix.lower() not in _DATABASES:
        return gene(prefix, local), "gene"
    bare = local if colon else text
    bare = bare.removeprefix("EC ").strip()
    network = bare.startswith("nt")
    for shape, namespace, kind in _SHAPES:
        if network and namespace == "kegg.pathway":
            continue
        if shape.fullmatch(bare):
            return f"{namespace}:{bare}", kind
    return text, ""


def curie(identifier: str) -> str:
    """The CURIE alone."""
    return classify(identifier)[0]


def gene(organism: str, local: str) -> str:
    """The CURIE of a gene, by NCBI Gene where KEGG uses its numbers."""
    code = organism.lower()
    if code in NCBI_GENES and local.isdigit():
        return f"ncbigene:{local}"
    return f"kegg.genes:{code}:{local}"
