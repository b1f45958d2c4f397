"""Label files to labels: SPL XML, openFDA's JSON, flattened labels as JSONL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.dates import iso_date
from corpus.sources.jsonrows import is_json_lines, json_lines, load_json
from corpus.sources.labels.openfda import flattened_label, openfda_label
from corpus.sources.labels.products import Product, classes_of, products_of
from corpus.sources.labels.sections import INDEXING, LISTING, section_name
from corpus.sources.labels.shape import Label, Part
from corpus.sources.labels.spl import (
    NS,
    attribute,
    child,
    code_of,
    media_of,
    parts_of,
    sections,
    text_of,
)
from corpus.sources.markup import Element, parse_tree
from corpus.sources.tabular import decode
from corpus.types import Relation

_CLASS_INDEXING = "60685-5"
_BOILERPLATE = "These highlights do not include"
_MAX_NAMES = 4
MAX_XML_BYTES = 32 * 1024 * 1024


def parse(data: bytes, filename: str) -> Iterator[Label | Broken]:
    """Yield the labels of a file; a bad one among many is named.

    Read are SPL XML (a label, or an indexing file of pharmacologic classes), openFDA answers and
    lists of label records, and JSONL with a drug and its sections. Raises NotThisSource for tables
    of section codes and JSON schemas, ParseError for broken files.
    """
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if head == b"<":
        if len(data) > MAX_XML_BYTES:
            raise ParseError(f"{filename} is larger than {MAX_XML_BYTES >> 20} MB: no label is.")
        yield _spl(parse_tree(data, filename), filename)
    elif head in (b"{", b"["):
        yield from _json(decode(data, filename), filename)
    elif not head:
        raise NotThisSource(f"{filename} is empty.")
    else:
        raise NotThisSource(
            f"{filename} is no label: labels are SPL XML or JSON. Tables of section codes are "
            "built into Flux."
        )


def _spl(root: Element, filename: str) -> Label:
    if root.tag != f"{NS}document":
        raise NotThisSource(f"{filename} is XML, but no label in SPL form.")
    set_id = attribute(child(root, "setId"), "root")
    if not set_id:
        raise ParseError(f"{filename} has no set id: fetch the label again from DailyMed.")
    if code_of(root) == _CLASS_INDEXING:
        return _classes(root, set_id)
    products = products_of(root)
    parts = [*_product_parts(products), *_body(root)]
    found = (section_name(code_of(section)) for section in root.iter(f"{NS}section"))
    return Label(
        set_id=set_id,
        title=_title(root, products),
        parts=tuple(parts),
        form="spl",
        published=_effective(root),
        sections=tuple(dict.fromkeys(filter(None, found))),
        relations=tuple(_ingredients(set_id, products)),
        metadata=_metadata(root, products),
    )


def _body(root: Element) -> Iterator[Part]:
    media = media_of(root)
    for section in sections(root):
        if code_of(section) not in (LISTING, INDEXING):
            yield from parts_of(section, media)


def _maker(root: Element) -> str:
    return text_of(child(root, "author", "assignedEntity", "representedOrganization", "name"))


def _effective(root: Element) -> str:
    value = attribute(child(root, "effectiveTime"), "value")
    return iso_date(value[:4], value[4:6], value[6:8])


def _title(root: Element, products: list[Product]) -> str:
    """Brand and generic name with the maker: official titles are often empty or a notice."""
    maker = _maker(root)
    if products:
        first = products[0]
        generic = "" if first.generic.lower() == first.name.lower() else first.generic
        name = f"{first.name} ({generic})" if generic else first.name
        return f"{name}, {maker}" if maker else name
    title = text_of(child(root, "title"))
    return maker if not title or title.startswith(_BOILERPLATE) else title


def _product_parts(products: list[Product]) -> Iterator[Part]:
    for product in products:
        text = f"{product.name}{f' ({product.generic})' if product.generic else ''}"
        text += f", {product.form}" if product.form else ""
        told = [f"{i.name}{f' {i.amount}' if i.amount else ''}" for i in product.active]
        text += f". Active ingredients: {', '.join(told)}" if told else ""
        others = [i.name for i in product.inactive]
        text += f". Inactive ingredients: {', '.join(others)}" if others else ""
        fields = {"ndc": product.ndc, "unii": [i.unii for i in product.active if i.unii]}
        yield Part("record", f"{text}. NDC {product.ndc}.", ("Product",), fields=fields)


def _ingredients(set_id: str, products: list[Product]) -> Iterator[Relation]:
    named = {i.unii: i.name for p in products for i in p.active if i.unii}
    label = products[0].name if products else ""
    for unii, name in named.items():
        yield Relation(
            f"spl:{set_id}",
            "has_active_ingredient",
            f"unii:{unii}",
            subject_label=label,
            object_label=name,
            subject_kind="label",
            object_kind="drug",
            record=f"{set_id} {unii}",
        )


def _metadata(root: Element, products: list[Product]) -> dict[str, Any]:
    return {
        "spl_id": attribute(child(root, "id"), "root"),
        "version": attribute(child(root, "versionNumber"), "value"),
        "document_type": attribute(child(root, "code"), "displayName"),
        "manufacturer": _maker(root),
        "ndc": list(dict.fromkeys(p.ndc for p in products if p.ndc)),
        "brand_names": list(dict.fromkeys(p.name for p in products)),
        "generic_names": list(dict.fromkeys(p.generic for p in products if p.generic)),
    }


def _classes(root: Element, set_id: str) -> Label:
    relations = classes_of(root)
    named: dict[str, list[str]] = {}
    for relation in relations:
        named.setdefault(relation.subject_label or relation.subject, []).append(
            relation.object_label
        )
    parts = [
        Part("record", f"{name} belongs to the pharmacologic classes {', '.join(groups)}.",
             ("Pharmacologic Class",), fields={"substance": name})
        for name, groups in named.items()
    ]  # fmt: skip
    title = text_of(child(root, "title")) or ", ".join(list(named)[:_MAX_NAMES])
    metadata = _metadata(root, [])
    return Label(set_id, title, tuple(parts), "class_indexing", _effective(root),
                 relations=tuple(relations), metadata=metadata)  # fmt: skip


def _json(text: str, filename: str) -> Iterator[Label | Broken]:
    if is_json_lines(text):
        yield from _records(json_lines(text), filename)
        return
    whole = load_json(text, filename)
    if isinstance(whole, dict) and "$schema" in whole:
        raise NotThisSource(f"{filename} is a JSON schema of labels, not a label.")
    if isinstance(whole, dict) and isinstance(whole.get("results"), list):
        whole = whole["results"]
    records = whole if isinstance(whole, list) else [whole]
    yield from _records(iter(enumerate(records, start=1)), filename)


def _records(values: Iterator[tuple[int, Any] | Broken], filename: str) -> Iterator[Label | Broken]:
    """Yield labels and bad records, once it is known that the file holds labels at all."""
    leading: list[Broken] = []
    good = False
    for value in values:
        label = value if isinstance(value, Broken) else _record(*value)
        if good or isinstance(label, Label):
            yield from leading
            leading, good = [], True
            yield label
        else:
            leading.append(label)
    if not good:
        reason = leading[0].reason if leading else "It is empty."
        raise NotThisSource(f"{filename} holds no label. {reason}")


def _record(number: int, value: Any) -> Label | Broken:
    name = f"record {number}"
    if isinstance(value, dict) and isinstance(value.get("sections"), dict):
        label = flattened_label(value)
    elif isinstance(value, dict) and ("set_id" in value or "openfda" in value):
        label = openfda_label(value)
    else:
        return Broken(name, f"Record {number} has neither a set_id nor a drug with its sections.")
    if label is None:
        return Broken(name, f"Record {number} lacks its id (set_id, drug) or has no section text.")
    return label
