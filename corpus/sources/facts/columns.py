"""The columns of tables of target facts, and which kind of fact a row states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.sources.tabular import find_column

GENE: Final = (
    "gene", "target", "symbol", "gene_symbol", "target_symbol", "approved_symbol", "gene_name",
    "hgnc_symbol",
)  # fmt: skip
GENE_ID: Final = ("gene_id", "target_id", "hgnc_id", "ensembl_id", "ensembl_gene_id", "entrez_id")
DISEASE: Final = ("disease", "disease_name", "disease_label", "indication", "condition")
DISEASE_ID: Final = ("disease_id", "mondo_id", "doid", "efo_id", "mesh_id")
FACT: Final = ("fact", "fact_type", "fact_kind", "kind", "category")
SCORE: Final = (
    "score", "association_score", "overall_score", "value", "gene_effect", "chronos", "dependency",
    "fraction", "breadth", "tau", "tpm", "n_tissues", "tissues",
)  # fmt: skip
SOURCE: Final = ("source", "datasource", "data_source", "datasource_id", "database", "reference")
YEAR: Final = ("year", "date", "stop_date", "published")
PAPERS: Final = ("pmid", "pmids", "pubmed", "pubmed_id", "literature")
TRIAL: Final = ("nct_id", "nct", "trial_id", "trial", "clinical_trial")
REASON: Final = ("reason", "why_stopped", "stop_reason", "stop_reason_category", "stopped_because")
MODALITY: Final = ("modality", "tractability", "tractable_by", "bucket")
SYSTEM: Final = ("cell_line", "cell_lines", "lineage", "system", "model", "organism")
TISSUE: Final = ("tissue", "tissue_name", "organ", "anatomy")
_ESSENTIAL: Final = ("essential", "is_essential", "essentiality", "gene_effect", "chronos",
                     "dependency", "common_essential")  # fmt: skip
_EXPRESSION: Final = ("breadth", "tau", "tpm", "n_tissues", "tissues", "specificity")

_NAMES: Final = {
    "gene": GENE,
    "gene_id": GENE_ID,
    "disease": DISEASE,
    "disease_id": DISEASE_ID,
    "fact": FACT,
    "score": SCORE,
    "source": SOURCE,
    "year": YEAR,
    "papers": PAPERS,
    "trial": TRIAL,
    "reason": REASON,
    "modality": MODALITY,
    "system": SYSTEM,
    "tissue": TISSUE,
}

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "association": ("association", "gene disease association", "disease association", "genetic"),
    "tractability": ("tractability", "tractable", "druggability"),
    "essentiality": ("essentiality", "essential", "dependency"),
    "expression": ("expression", "expression breadth", "breadth", "tissue expression"),
    "stopped_trial": ("stopped trial", "stopped trials", "trial stopped", "terminated trial"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each meaning stands in a header, '' where it does not; `kind` is the file's only kind
    of fact unless each row states its own in `fact`.
    """

    gene: str
    gene_id: str
    disease: str
    disease_id: str
    fact: str
    score: str
    source: str
    year: str
    papers: str
    trial: str
    reason: str
    modality: str
    system: str
    tissue: str
    kind: str


def columns_of(header: Sequence[str]) -> Columns | None:
    """Find the columns; None without a gene, or when nothing tells the kind of fact."""
    found = {meaning: find_column(header, names) for meaning, names in _NAMES.items()}
    columns = Columns(**found, kind=_kind(header, found))
    named = columns.gene or columns.gene_id
    return columns if named and (columns.fact or columns.kind) else None


def _kind(header: Sequence[str], found: Mapping[str, str]) -> str:
    if found["trial"] or found["reason"]:
        return "stopped_trial"
    if found["modality"]:
        return "tractability"
    if find_column(header, _ESSENTIAL):
        return "essentiality"
    if found["tissue"] or find_column(header, _EXPRESSION):
        return "expression"
    return "association" if found["disease"] or found["disease_id"] else ""


def kind_named(text: str) -> str:
    """The kind of fact that a cell names, '' for another word."""
    plain = " ".join(text.lower().replace("_", " ").replace("–", " ").replace("-", " ").split())
    return next((kind for kind, words in KINDS.items() if plain in words), "")
