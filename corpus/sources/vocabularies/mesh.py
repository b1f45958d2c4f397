"""MeSH descriptors as a table without header: id, name, synonyms, tree numbers, a spare column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from corpus.sources.vocabularies.shape import BadEntry, names_of
from corpus.types import Term, TermKind

COLUMNS: Final = ("id", "name", "synonyms", "trees", "spare")
_ID = re.compile(r"[DC]\d{6,9}")
# The longest tree prefix that fits decides; of several trees the first of this list.
_TREES: Final[tuple[tuple[str, TermKind], ...]] = (
    ("C", "disease"),
    ("F03", "disease"),
    ("D27", "other"),  # what chemicals do, not chemicals
    ("D12.776", "protein"),
    ("D08.811", "protein"),
    ("D23.529", "protein"),
    ("D", "chemical"),
    ("A", "anatomy"),
    ("B", "organism"),
    ("G", "process"),
)
# Among the diseases stand chromosome aberrations, attributes of diseases, death, genomic
# instability, carcinogenesis, invasion; a descriptor that is nothing else is what happens.
_HAPPENINGS: Final = (
    *(f"C23.550.{n}" for n in ("210", "260", "288", "291", "362", "505", "543")),
    *(f"{tree}.{n}" for tree in ("C23.550.727", "C04.697") for n in ("098", "645")),
)
_MAX_PARTS: Final = 3


def mesh_header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """MeSH's columns when a first row is its data, None otherwise."""
    is_mesh = len(cells) == len(COLUMNS) and _ID.fullmatch(cells[0].strip()) is not None
    return COLUMNS if is_mesh else None


def mesh(cells: dict[str, str]) -> Term:
    """A descriptor. Inverted names ("Houses, Slaughter") are also given in their natural order."""
    if not (_ID.fullmatch(cells["id"]) and cells["name"]):
        raise BadEntry("lacks the MeSH id or the name")
    written = [cells["name"], *cells["synonyms"].split("|")]
    turned = [natural for name in written if (natural := natural_order(name))]
    return Term(
        curie=f"mesh:{cells['id']}",
        label=cells["name"],
        kind=kind_of(cells["trees"].split("|")),
        names=names_of(written, turned),
    )


def natural_order(name: str) -> str:
    """ "Abdomen, Acute" as it is spoken, "Acute Abdomen"; '' for a name that is not inverted.

    Enumerations ("Arm, Leg, and Hand") and longer chains stay as they are.
    """
    parts = name.split(", ")
    if not 2 <= len(parts) <= _MAX_PARTS or not all(parts):
        return ""
    if any(part.lower().startswith(("and ", "or ")) for part in parts):
        return ""
    return " ".join(reversed(parts))


def kind_of(trees: Sequence[str]) -> TermKind:
    """What a descriptor is by its places in the trees."""
    illnesses = [tree for tree in trees if tree.startswith(("C", "F03"))]
    if illnesses and all(tree.startswith(_HAPPENINGS) for tree in illnesses):
        return "process"
    for prefix, kind in _TREES:
        if any(tree.startswith(prefix) for tree in trees):
            return kind
    return "other"
