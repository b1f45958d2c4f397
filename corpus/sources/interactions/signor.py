"""SIGNOR's rows: two entities with their databases, an effect in words, a mechanism, a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from corpus.sources.genenames import name_fault, pmids
from corpus.sources.interactions.shape import BadRow, Interaction, Molecule

USED: Final = frozenset(
    {"ENTITYA", "TYPEA", "IDA", "ENTITYB", "TYPEB", "IDB", "SENTENCE", "SIGNOR_ID"}
)
COMPLEX_COLUMNS: Final = ("SIGNOR ID", "COMPLEX NAME", "LIST OF ENTITIES")
_KINDS: Final = {
    "proteinfamily": "family",
    "smallmolecule": "chemical",
    "fusion protein": "protein",
    "antibody": "drug",
}
# SIGNOR's names of databases beside the prefixes of their CURIEs.
_PREFIXES: Final = {"PUBCHEM": "pubchem.compound", "RNACENTRAL": "rnacentral", "NCBI": "ncbigene"}


def read(row: int, cells: Mapping[str, str], taxon: str) -> Interaction:
    """Read one row. Raises BadRow when an entity or the effect is missing."""
    effect = cells["EFFECT"].lower()
    if not effect:
        raise BadRow("names no effect")
    return Interaction(
        row,
        _entity(cells, "A"),
        _predicate(effect, cells.get("MECHANISM", "").lower()),
        _entity(cells, "B"),
        _sign(effect),
        record=cells.get("SIGNOR_ID", ""),
        pmids=pmids(cells.get("PMID", "")),
        sentence=cells.get("SENTENCE", ""),
    )


def parts_of(cells: Mapping[str, str]) -> Molecule:
    """A complex of SIGNOR's table of complexes. Raises BadRow when it names no part."""
    local, label, listed = (cells[name] for name in COMPLEX_COLUMNS)
    members = tuple(_part(part.strip()) for part in listed.split(",") if part.strip())
    if not (local and label and members):
        raise BadRow("lacks the complex's id, name or parts")
    return Molecule(f"signor:{local}", label, "complex", members)


def _part(local: str) -> str:
    return f"signor:{local}" if local.startswith("SIGNOR-") else f"uniprot:{local}"


def _entity(cells: Mapping[str, str], side: str) -> Molecule:
    label, local = cells[f"ENTITY{side}"], cells[f"ID{side}"]
    for name, value in (("name", label), ("id", local)):
        if fault := name_fault(value):
            raise BadRow(f"cannot be used: the {name} of entity {side} {fault}")
    kind = cells.get(f"TYPE{side}", "").lower()
    return Molecule(_curie(cells[f"DATABASE{side}"], local), label, _KINDS.get(kind, kind))


def _curie(database: str, local: str) -> str:
    plain = local.rpartition(":")[2]
    name = database.upper()
    if name == "CHEBI":
        return f"chebi:{plain}"
    prefix = _PREFIXES.get(name, "".join(name.lower().split()) or "signor")
    return f"{prefix}:{plain}"


def _sign(effect: str) -> int:
    if effect.startswith("up-regulates"):
        return 1
    return -1 if effect.startswith("down-regulates") else 0


def _predicate(effect: str, mechanism: str) -> str:
    if "form complex" in effect:
        return "binds"
    if "expression" in effect or "repression" in effect or "transcription" in mechanism:
        return "regulates_expression"
    return "regulates_amount" if "quantity" in effect else "regulates_activity"
