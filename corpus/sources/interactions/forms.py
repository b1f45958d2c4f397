"""The column layouts of interaction tables that are known, and how a row of each is read.

A form is told by the columns it needs. The order matters: a layout with more columns comes before
a plainer one that it contains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from corpus.sources.genenames import name_fault, pmids, sign_of
from corpus.sources.interactions import signor
from corpus.sources.interactions.shape import (
    BadRow,
    Interaction,
    Molecule,
    gene,
    gene_or_complex,
    protein_or_complex,
)

Cells = Mapping[str, str]
_EXPRESSION = "regulates_expression"
_ACTIVITY = "regulates_activity"


@dataclass(frozen=True, slots=True)
class Form:
    """A layout: `needs` are its columns, `ends` those of the two symbols (a table without ids of a
    species is placed by their case), `used` those that an Interaction holds itself.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    ends: tuple[str, str]
    used: frozenset[str]
    read: Callable[[int, Cells, str], Interaction]


def sign(cells: Cells, column: str) -> int:
    """The sign in a column. Raises BadRow for a word that is no direction."""
    found = sign_of(cells[column])
    if found is None:
        raise BadRow(f"has '{cells[column][:40]}' as its direction ({column})")
    return found


def checked(cells: Cells, column: str) -> str:
    """A name in a column. Raises BadRow for an empty or giant one."""
    if fault := name_fault(cells[column]):
        raise BadRow(f"cannot be used: its {column} {fault}")
    return cells[column]


def _trrust(row: int, cells: Cells, taxon: str) -> Interaction:
    return Interaction(
        row,
        gene(checked(cells, "TF"), taxon),
        _EXPRESSION,
        gene(checked(cells, "Target"), taxon),
        sign(cells, "Mode"),
        pmids=pmids(cells["PMID"]),
    )


def _collectri(row: int, cells: Cells, taxon: str) -> Interaction:
    source, target = checked(cells, "source"), checked(cells, "target")
    return Interaction(
        row, gene(source, taxon), _EXPRESSION, gene(target, taxon), sign(cells, "weight")
    )


def _dorothea(row: int, cells: Cells, taxon: str) -> Interaction:
    return Interaction(
        row,
        gene(checked(cells, "tf"), taxon),
        _EXPRESSION,
        gene(checked(cells, "target"), taxon),
        sign(cells, "mor"),
        pmids=pmids(cells.get("pubmed_id", "")),
    )


def _omnipath_directed(row: int, cells: Cells, taxon: str) -> Interaction:
    return Interaction(
        row,
        gene_or_complex(checked(cells, "source"), taxon),
        _ACTIVITY,
        gene_or_complex(checked(cells, "target"), taxon),
        sign(cells, "interaction"),
    )


def _omnipath_ptm(row: int, cells: Cells, taxon: str) -> Interaction:
    """A kinase raises (a phosphatase lowers) the phosphorylation of a site, "ITGB2_S745"; that
    says nothing of the protein's activity.
    """
    target = checked(cells, "target")
    protein, _, site = target.rpartition("_")
    if not protein:
        raise BadRow(f"names no site in its target '{target}'")
    return Interaction(
        row,
        gene(checked(cells, "source"), taxon),
        "regulates_phosphorylation",
        Molecule(gene(protein, taxon).curie, target, "gene"),
        sign(cells, "weight"),
        other={"site": site},
    )


def _omnipath_ligand_receptor(row: int, cells: Cells, taxon: str) -> Interaction:
    return Interaction(
        row,
        protein_or_complex(checked(cells, "source"), cells["source_genesymbol"]),
        "binds",
        protein_or_complex(checked(cells, "target"), cells["target_genesymbol"]),
    )


def _omnipath_web(row: int, cells: Cells, taxon: str) -> Interaction:
    up, down = (
        cells[name].lower() in ("1", "true") for name in ("is_stimulation", "is_inhibition")
    )
    references = cells.get("references", "").replace(":", " ")
    return Interaction(
        row,
        protein_or_complex(checked(cells, "source"), cells.get("source_genesymbol", "")),
        _ACTIVITY,
        protein_or_complex(checked(cells, "target"), cells.get("target_genesymbol", "")),
        up - down,
        pmids=pmids(references),
    )


_DRUG_UP = ("agonist", "activator", "positive modulator", "stimulator", "inducer")
_DRUG_DOWN = ("inhibitor", "antagonist", "blocker", "negative modulator", "suppressor", "inverse")


def _dgi(row: int, cells: Cells, taxon: str) -> Interaction:
    kind = cells["interaction_type"].lower()
    down = any(word in kind for word in _DRUG_DOWN)
    up = not down and any(word in kind for word in _DRUG_UP)
    drug = cells.get("drug_name") or cells["drug_claim_name"]
    symbol = cells.get("gene_name") or cells["gene_claim_name"]
    for name, value in (("drug", drug), ("gene", symbol)):
        if fault := name_fault(value):
            raise BadRow(f"cannot be used: its {name} {fault}")
    target = cells.get("gene_concept_id") or gene(symbol).curie
    return Interaction(
        row,
        Molecule(cells.get("drug_concept_id") or drug, drug, "drug"),
        _ACTIVITY if up or down else "interacts_with",
        Molecule(target, symbol, "gene"),
        up - down,
    )


FORMS = (
    Form(
        "dorothea_evidence",
        "DoRothEA regulons",
        ("tf", "target", "mor", "confidence"),
        ("tf", "target"),
        frozenset({"tf", "target"}),
        _dorothea,
    ),
    Form(
        "dorothea_curated",
        "DoRothEA curated regulons",
        ("tf", "target", "mor"),
        ("tf", "target"),
        frozenset({"tf", "target"}),
        _dorothea,
    ),
    Form(
        "omnipath_web",
        "OmniPath interactions",
        ("source", "target", "is_stimulation", "is_inhibition"),
        ("source_genesymbol", "target_genesymbol"),
        frozenset({"source", "target"}),
        _omnipath_web,
    ),
    Form(
        "omnipath_ligand_receptor",
        "OmniPath ligand–receptor pairs",
        ("source", "target", "source_genesymbol", "target_genesymbol"),
        ("source_genesymbol", "target_genesymbol"),
        frozenset({"source", "target", "source_genesymbol", "target_genesymbol"}),
        _omnipath_ligand_receptor,
    ),
    Form(
        "omnipath_ptm",
        "OmniPath phosphorylation sites",
        ("target", "source", "weight", "likelihood"),
        ("source", "source"),
        frozenset({"source"}),
        _omnipath_ptm,
    ),
    Form(
        "omnipath_directed",
        "OmniPath signed interactions",
        ("source", "interaction", "target"),
        ("source", "target"),
        frozenset({"source", "target"}),
        _omnipath_directed,
    ),
    Form(
        "collectri",
        "CollecTRI regulons",
        ("source", "target", "weight"),
        ("source", "target"),
        frozenset({"source", "target"}),
        _collectri,
    ),
    Form(
        "signor",
        "SIGNOR interactions",
        ("ENTITYA", "IDA", "DATABASEA", "ENTITYB", "IDB", "DATABASEB", "EFFECT"),
        ("ENTITYA", "ENTITYB"),
        signor.USED,
        signor.read,
    ),
    Form(
        "dgi",
        "Drug–gene interactions",
        ("gene_claim_name", "interaction_type", "drug_claim_name"),
        ("gene_claim_name", "gene_claim_name"),
        frozenset({"gene_concept_id", "drug_concept_id"}),
        _dgi,
    ),
)
TRRUST = Form(
    "trrust",
    "TRRUST transcriptional regulation",
    ("TF", "Target", "Mode", "PMID"),
    ("TF", "Target"),
    frozenset({"TF", "Target"}),
    _trrust,
)
_TRRUST_EFFECTS = frozenset({"activation", "repression", "unknown"})


def trrust_header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """TRRUST's columns when a first row is its data: TF, target, effect, PubMed ids."""
    data = len(cells) == 4 and cells[2].strip().lower() in _TRRUST_EFFECTS
    return TRRUST.needs if data else None


def known_form(header: Sequence[str]) -> Form | None:
    """The form whose columns a header has, None when no known one fits."""
    if tuple(header) == TRRUST.needs:
        return TRRUST
    columns = set(header)
    return next((form for form in FORMS if columns.issuperset(form.needs)), None)
