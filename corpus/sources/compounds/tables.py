"""Compounds in tables and in the JSON of LINCS: a row each, columns under common names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from corpus.sources.cleaning import one_line
from corpus.sources.compounds.shape import BadRow, Compound
from corpus.sources.genenames import name_fault
from corpus.sources.tabular import find_column
from corpus.types import Relation

MAX_SMILES: Final = 10_000
IDS: Final = (
    "molecule_chembl_id", "chembl_id", "drugbank_id", "chebi_id", "pubchem_cid", "cid",
    "compound_id", "molecule_id", "id",
)  # fmt: skip
NAMES: Final = ("pref_name", "name", "compound_name", "drug_name", "title", "compound", "drug")
SMILES: Final = ("smiles", "canonical_smiles", "isomeric_smiles")
SYNONYMS: Final = ("synonyms", "alternative_names", "aliases")
TYPES: Final = ("molecule_type", "type")
YEARS: Final = ("first_approval", "approval_year", "year")
KEYS: Final = ("inchi_key", "inchikey", "standard_inchi_key")
ROLES: Final = frozenset({"chembl_id", "role_id", "role_name"})
_PREFIXES: Final = {
    "molecule_chembl_id": "chembl.compound",
    "chembl_id": "chembl.compound",
    "drugbank_id": "drugbank",
    "chebi_id": "chebi",
    "pubchem_cid": "pubchem.compound",
    "cid": "pubchem.compound",
}
_YEAR = re.compile(r"(1[89]\d\d|20\d\d)(?:\.0)?")


def columns_of(header: Sequence[str]) -> dict[str, str] | None:
    """The columns of a compound table by their meaning; None without id or name, or SMILES."""
    named = {
        "id": IDS, "name": NAMES, "smiles": SMILES, "synonyms": SYNONYMS, "type": TYPES,
        "year": YEARS, "key": KEYS,
    }  # fmt: skip
    found = {meaning: find_column(header, names) for meaning, names in named.items()}
    return found if found["smiles"] and (found["id"] or found["name"]) else None


def compound_of(row: int, cells: Mapping[str, str], columns: Mapping[str, str]) -> Compound:
    """Read one row. Raises BadRow without id and name, or with a giant name or SMILES."""
    held = {meaning: cells[column] if column else "" for meaning, column in columns.items()}
    if not (held["id"] or held["name"]):
        raise BadRow("has neither an id nor a name")
    if fault := name_fault(held["name"] or held["id"]):
        raise BadRow(f"cannot be used: its name {fault}")
    used = set(columns.values())
    year = _YEAR.fullmatch(held["year"])
    return Compound(
        row,
        curie(columns["id"], held["id"]) if held["id"] else held["name"],
        held["name"] or held["id"],
        "drug" if year else "chemical",
        split_names(held["synonyms"]),
        smiles_of(held["smiles"]),
        held["key"],
        held["type"],
        year.group(1) if year else "",
        other={name: cell for name, cell in cells.items() if cell and name not in used},
    )


def curie(column: str, local: str) -> str:
    """CURIE of an id by its column's name or its own form; a name stays a name."""
    if local.upper().startswith("CHEMBL"):
        return f"chembl.compound:{local.upper()}"
    if local.upper().startswith("CHEBI:"):
        return f"chebi:{local[6:]}"
    prefix = _PREFIXES.get(column.lower())
    return f"{prefix}:{local}" if prefix else local


def smiles_of(text: str) -> str:
    """A SMILES as it stands. Raises BadRow for a giant one."""
    if len(text) > MAX_SMILES:
        raise BadRow(f"has a SMILES longer than {MAX_SMILES:,} characters")
    return text


def split_names(text: str) -> tuple[str, ...]:
    """Synonyms joined by ";" or "|"; commas stay, since chemical names hold them."""
    parts = (one_line(part) for part in re.split(r"[;|]", text))
    return tuple(dict.fromkeys(part for part in parts if part and not name_fault(part)))


def role_of(row: int, cells: Mapping[str, str]) -> Relation:
    """A row of compound and role as a relation. Raises BadRow when one of the two is missing."""
    drug, role = cells["chembl_id"], cells["role_id"]
    if not (drug and role):
        raise BadRow("lacks the compound or the role")
    used = ("chembl_id", "role_id", "role_name", "pref_name")
    return Relation(
        f"chembl.compound:{drug}",
        "has_role",
        curie("", role),
        subject_label=cells.get("pref_name") or drug,
        object_label=cells["role_name"] or role,
        subject_kind="drug",
        object_kind="role",
        record=f"row {row}",
        fields={name: cell for name, cell in cells.items() if cell and name not in used},
    )


def lincs_compound(row: int, value: Mapping[str, Any]) -> Compound:
    """An entry of HMS LINCS: its ids come bare ("14762" is CHEMBL14762), "" where unknown."""
    texts = {str(key): one_line(str(held)) for key, held in value.items() if held is not None}
    local, name = texts.get("HMS LINCS ID", ""), texts.get("Name", "")
    if not (local and name):
        raise BadRow("lacks the HMS LINCS id or the name")
    if fault := name_fault(name):
        raise BadRow(f"cannot be used: its name {fault}")
    ids = {
        "lincs.smallmolecule": texts.get("LINCS ID", ""),
        "pubchem.compound": texts.get("PubChem CID", ""),
        "chebi": texts.get("ChEBI ID", "").upper().removeprefix("CHEBI:"),
        "chembl.compound": _chembl(texts.get("ChEMBL ID", "")),
    }
    other = {"mass": texts.get("Molecular Mass", ""), "inchi": texts.get("InChi", "")}
    return Compound(
        row,
        f"hms.lincs.compound:{local}",
        name,
        "chemical",
        split_names(texts.get("Alternative Names", "")),
        smiles_of(texts.get("SMILES", "")),
        texts.get("InChi Key", ""),
        xrefs=tuple(
            f"{prefix}:{part.strip()}"
            for prefix, held in ids.items()
            for part in held.split(";")
            if part.strip()
        ),
        other={key: text for key, text in other.items() if text},
    )


def _chembl(text: str) -> str:
    return f"CHEMBL{text}" if text.isdigit() else text.upper()
