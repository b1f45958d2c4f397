"""A table of any maker whose columns have common names: who, whom, in which direction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from corpus.sources.genenames import is_uniprot, pmids
from corpus.sources.interactions.forms import Form, checked, sign
from corpus.sources.interactions.shape import Interaction, Molecule, gene
from corpus.sources.tabular import find_column

_SYMBOL = re.compile(r"[A-Za-z0-9][A-Za-z0-9.@-]{0,24}")
SOURCES: Final = (
    "source", "source_name", "source_symbol", "regulator", "tf", "subject", "from", "ligand",
    "kinase", "gene_a", "genea", "entity_a", "node1", "a",
)  # fmt: skip
TARGETS: Final = (
    "target", "target_name", "target_symbol", "target_gene", "object", "to", "receptor",
    "substrate", "gene_b", "geneb", "entity_b", "node2", "b",
)  # fmt: skip
SIGNS: Final = (
    "sign", "weight", "effect", "mor", "mode_of_regulation", "direction", "regulation",
    "interaction", "interaction_type", "type", "relation", "predicate", "mode",
)  # fmt: skip
PAPERS: Final = ("pmid", "pmids", "pubmed", "pubmed_id", "pubmed_ids", "references", "reference")
RECORDS: Final = ("id", "record", "record_id", "interaction_id")


def generic_form(header: Sequence[str]) -> Form | None:
    """A form of the columns found under common names, None when source, target or sign is
    missing. The sign may be a number or a word (activates, down-regulates, unknown, …).
    """
    source, target, signs = (find_column(header, names) for names in (SOURCES, TARGETS, SIGNS))
    if not (source and target and signs):
        return None
    papers, record = find_column(header, PAPERS), find_column(header, RECORDS)

    def read(row: int, cells: Mapping[str, str], taxon: str) -> Interaction:
        return Interaction(
            row,
            _end(checked(cells, source), taxon),
            "regulates",
            _end(checked(cells, target), taxon),
            sign(cells, signs),
            record=cells[record] if record else "",
            pmids=pmids(cells[papers]) if papers else (),
        )

    used = frozenset(filter(None, (source, target, record)))
    return Form("generic", "Interactions", (source, target, signs), (source, target), used, read)


def _end(name: str, taxon: str) -> Molecule:
    prefix, colon, local = name.partition(":")
    if colon and prefix and local and " " not in name:
        return Molecule(f"{prefix.lower()}:{local}", name, "")
    if is_uniprot(name):
        return Molecule(f"uniprot:{name}", name, "protein")
    return gene(name, taxon) if _SYMBOL.fullmatch(name) else Molecule(name, name, "")
