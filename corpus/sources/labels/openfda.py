"""Labels as JSON objects: openFDA's records, and drugs with flattened sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from corpus.sources.cleaning import one_line, paragraphs
from corpus.sources.dates import iso_date
from corpus.sources.labels.flattened import flattened_parts, mend
from corpus.sources.labels.sections import field_name
from corpus.sources.labels.shape import Label, Part
from corpus.types import Relation

_NO_SECTION: Final = frozenset({"id", "set_id", "version", "effective_time", "openfda"})
_PRODUCT: Final = "spl_product_data_elements"
_KEPT: Final = (
    "application_number", "brand_name", "generic_name", "manufacturer_name", "product_ndc",
    "package_ndc", "product_type", "route", "rxcui", "unii", "nui", "pharm_class_epc",
    "pharm_class_moa", "pharm_class_cs", "pharm_class_pe",
)  # fmt: skip


def openfda_label(value: Mapping[str, Any]) -> Label | None:
    """Read one openFDA record, None without id or text. `openfda` may be empty: then the product
    data name the drug.
    """
    set_id = _string(value.get("set_id")) or _string(value.get("id"))
    parts = tuple(_parts(value))
    if not (set_id and parts):
        return None
    known = _known(value.get("openfda"))
    time = _string(value.get("effective_time"))
    product = " ".join(_strings(value.get(_PRODUCT)))
    return Label(
        set_id=set_id,
        title=_title(known, product) or f"Label {set_id}",
        parts=parts,
        form="openfda",
        published=iso_date(time[:4], time[4:6], time[6:8]),
        sections=tuple(dict.fromkeys(part.path[0] for part in parts)),
        relations=tuple(_ingredients(set_id, known)),
        metadata={
            "spl_id": _string(value.get("id")),
            "version": _string(value.get("version")),
            "ndc": known.get("product_ndc", []),
            **known,
            **({"product_data": product} if product else {}),
        },
    )


def flattened_label(value: Mapping[str, Any]) -> Label | None:
    """Read {"drug", "sections": {name: text}}, None without either."""
    drug = _string(value.get("drug"))
    parts: list[Part] = []
    names: list[str] = []
    for key, text in value["sections"].items():
        name = field_name(one_line(str(key)).lower())
        if isinstance(text, str) and text.strip():
            names.append(name)
            own = list(flattened_parts(text, name))
            if own and own[0].kind != "heading":
                parts.append(Part("heading", name, (name,)))
            parts.extend(own)
    if not (drug and names):
        return None
    return Label(
        set_id=f"drug:{drug}",
        title=f"{drug} drug label",
        parts=tuple(parts),
        form="flattened",
        sections=tuple(names),
        tags=(drug,),
        metadata={"drug": drug},
    )


def _parts(value: Mapping[str, Any]) -> Iterator[Part]:
    """Sections in the record's order. Tables (HTML copies of what the text says) are left out."""
    for key, held in value.items():
        if key in _NO_SECTION or key == _PRODUCT or key.endswith("_table"):
            continue
        name = field_name(one_line(str(key)))
        texts = [text for item in _strings(held) for text in paragraphs(item)]
        if texts:
            yield Part("heading", name, (name,))
        for text in texts:
            yield Part("paragraph", mend(text), (name,))


def _known(value: Any) -> dict[str, list[str]]:
    found = value if isinstance(value, dict) else {}
    lists = {key: [one_line(text) for text in _strings(found.get(key))] for key in _KEPT}
    return {key: texts for key, texts in lists.items() if texts}


def _title(known: Mapping[str, list[str]], product: str) -> str:
    brand, generic, maker = (
        next(iter(known.get(key, ())), "")
        for key in ("brand_name", "generic_name", "manufacturer_name")
    )
    if not (brand or generic):
        return one_line(product)[:100]
    name = (
        f"{brand} ({generic})"
        if brand and generic and brand.lower() != generic.lower()
        else (brand or generic)
    )
    return f"{name}, {maker}" if maker else name


def _ingredients(set_id: str, known: Mapping[str, list[str]]) -> Iterator[Relation]:
    for unii in known.get("unii", ()):
        yield Relation(
            f"spl:{set_id}",
            "has_active_ingredient",
            f"unii:{unii}",
            subject_kind="label",
            object_kind="drug",
            record=f"{set_id} {unii}",
        )


def _string(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return one_line(str(value))[:240]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
