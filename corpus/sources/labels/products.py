"""What an SPL file says of its products and substances beside the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from corpus.sources.labels.spl import NS, attribute, child, text_of
from corpus.sources.markup import Element, inline_text, tag
from corpus.types import Relation

NDC: Final = "2.16.840.1.113883.6.69"
_ACTIVE: Final = frozenset({"ACTIB", "ACTIM", "ACTIR"})


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A substance with its UNII code, and how much of it there is as the label writes it."""

    name: str
    unii: str
    amount: str


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a label: brand and generic name, form, National Drug Code, ingredients."""

    name: str
    generic: str
    form: str
    ndc: str
    active: tuple[Ingredient, ...]
    inactive: tuple[Ingredient, ...]


def products_of(root: Element) -> list[Product]:
    """All products of a label; what repeats (strengths) stays apart by its code."""
    found = []
    for element in root.iter(f"{NS}manufacturedProduct", f"{NS}manufacturedMedicine"):
        if child(element, "name") is not None and child(element, "code") is not None:
            found.append(_product(element))
    return found


def _product(element: Element) -> Product:
    active: list[Ingredient] = []
    inactive: list[Ingredient] = []
    for part in element.iter(f"{NS}ingredient", f"{NS}activeIngredient", f"{NS}inactiveIngredient"):
        is_active = part.get("classCode") in _ACTIVE or part.tag == f"{NS}activeIngredient"
        if (read := _ingredient(part)) is not None:
            (active if is_active else inactive).append(read)
    return Product(
        _name(child(element, "name")),
        text_of(child(element, "asEntityWithGeneric", "genericMedicine", "name")),
        attribute(child(element, "formCode"), "displayName").lower(),
        attribute(child(element, "code"), "code"),
        tuple(active),
        tuple(inactive),
    )


def _name(element: Element | None) -> str:
    """A product's name; its suffix ("Night Time Cold and Cough") is set off by a space."""
    bare = inline_text(element, skip=lambda part: tag(part) == "suffix")
    return f"{bare} {text_of(child(element, 'suffix'))}".strip()


def _ingredient(part: Element) -> Ingredient | None:
    held = (child(part, f"{kind}ngredientSubstance") for kind in ("i", "activeI", "inactiveI"))
    substance = next((element for element in held if element is not None), None)
    name = text_of(child(substance, "name"))
    if not name:
        return None
    numerator = child(part, "quantity", "numerator")
    amount = f"{attribute(numerator, 'value')} {attribute(numerator, 'unit')}".strip()
    denominator = child(part, "quantity", "denominator")
    per = f"{attribute(denominator, 'value')} {attribute(denominator, 'unit')}".strip()
    if amount and per not in ("", "1 1", "1"):
        amount = f"{amount} in {per}"
    return Ingredient(name, attribute(child(substance, "code"), "code"), amount)


def classes_of(root: Element) -> list[Relation]:
    """Substances and their pharmacologic classes, of an indexing file."""
    found = []
    for substance in root.iter(f"{NS}identifiedSubstance"):
        code, name = child(substance, "code"), text_of(child(substance, "name"))
        unii = attribute(code, "code")
        for kind in substance.findall(f"{NS}asSpecializedKind/{NS}generalizedMaterialKind"):
            group = child(kind, "code")
            local, label = attribute(group, "code"), attribute(group, "displayName")
            if unii and local:
                found.append(_in_class(unii, name, local, label))
    return found


def _in_class(unii: str, name: str, local: str, label: str) -> Relation:
    return Relation(
        f"unii:{unii}",
        "has_pharmacologic_class",
        f"ndfrt:{local}",
        subject_label=name,
        object_label=label,
        subject_kind="drug",
        object_kind="class",
        record=f"{unii} {local}",
    )
