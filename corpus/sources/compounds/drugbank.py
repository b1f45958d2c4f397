"""DrugBank's XML: drugs with their outside ids and their targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from corpus.sources.base import Broken, ParseError
from corpus.sources.cleaning import one_line
from corpus.sources.compounds.shape import Compound, CompoundTable
from corpus.sources.ids import pmid
from corpus.sources.markup import Element, inline_text, iterate, tag
from corpus.types import Relation

NS: Final = "{http://www.drugbank.ca}"
_XREFS: Final = {
    "ChEMBL": "chembl.compound",
    "ChEBI": "chebi",
    "PubChem Compound": "pubchem.compound",
    "KEGG Drug": "kegg.drug",
    "KEGG Compound": "kegg.compound",
    "RxCUI": "rxcui",
    "PharmGKB": "pharmgkb.drug",
}
_UP: Final = frozenset({"agonist", "partial agonist", "activator", "stimulator", "inducer"})
_DOWN: Final = frozenset(
    {"inhibitor", "antagonist", "blocker", "inverse agonist", "suppressor", "negative modulator"}
)


def drugbank(data: bytes, filename: str) -> Iterator[CompoundTable | Broken]:
    """Yield bad drugs, then all good ones as one table. Raises ParseError when there is none.

    The file is streamed; drugs named inside a drug (interactions) are not drugs of the file.
    """
    compounds: list[Compound] = []
    relations: list[Relation] = []
    number = 0
    for event, element in iterate(data, filename):
        if event != "end" or tag(element) != "drug" or not _outermost(element):
            continue
        number += 1
        compound = _compound(number, element)
        if compound is None:
            yield Broken(f"drug {number}", f"Drug {number} has no primary id or no name.")
        else:
            compounds.append(compound)
            relations.extend(_targets(element, compound))
        element.clear()
    if not compounds:
        raise ParseError(f"{filename} is XML, but holds no drug of DrugBank.")
    yield CompoundTable(
        filename, "drugbank", "DrugBank drugs", len(compounds), tuple(compounds), tuple(relations)
    )


def _outermost(element: Element) -> bool:
    parent = element.getparent()
    return parent is None or tag(parent) == "drugbank"


def _text(element: Element, path: str) -> str:
    return inline_text(element.find("/".join(f"{NS}{name}" for name in path.split("/"))))


def _texts(element: Element, path: str) -> list[str]:
    found = element.findall("/".join(f"{NS}{name}" for name in path.split("/")))
    return [text for part in found if (text := inline_text(part))]


def _compound(number: int, drug: Element) -> Compound | None:
    ids = drug.findall(f"{NS}drugbank-id")
    primary = next((i for i in ids if i.get("primary") == "true"), ids[0] if ids else None)
    local, name = inline_text(primary), _text(drug, "name")
    if not (local and name):
        return None
    properties = {
        _text(p, "kind"): _text(p, "value")
        for p in drug.findall(f"{NS}calculated-properties/{NS}property")
    }
    other = {
        "description": _text(drug, "description"),
        "indication": _text(drug, "indication"),
        "mechanism": _text(drug, "mechanism-of-action"),
        "groups": ", ".join(_texts(drug, "groups/group")),
        "cas": _text(drug, "cas-number"),
    }
    return Compound(
        number,
        f"drugbank:{local}",
        name,
        "drug",
        tuple(_texts(drug, "synonyms/synonym")),
        properties.get("SMILES", ""),
        properties.get("InChIKey", ""),
        one_line(drug.get("type") or ""),
        xrefs=tuple(_xrefs(drug)),
        other={key: text for key, text in other.items() if text},
    )


def _xrefs(drug: Element) -> Iterator[str]:
    for outside in drug.findall(f"{NS}external-identifiers/{NS}external-identifier"):
        prefix = _XREFS.get(_text(outside, "resource"))
        if prefix and (local := _text(outside, "identifier")):
            yield f"{prefix}:{local}"


def _targets(drug: Element, compound: Compound) -> Iterator[Relation]:
    for kind in (
        "targets/target",
        "enzymes/enzyme",
        "carriers/carrier",
        "transporters/transporter",
    ):
        for target in drug.findall("/".join(f"{NS}{name}" for name in kind.split("/"))):
            yield _target(target, kind.partition("/")[2], compound)


def _target(target: Element, kind: str, compound: Compound) -> Relation:
    """A target with its first polypeptide; the action decides the sign, and only of targets."""
    actions = [action.lower() for action in _texts(target, "actions/action")]
    up, down = bool(_UP & set(actions)), bool(_DOWN & set(actions))
    polypeptide = target.find(f"{NS}polypeptide")
    accession = one_line(polypeptide.get("id") or "") if polypeptide is not None else ""
    symbol = _text(target, "polypeptide/gene-name")
    papers = map(pmid, _texts(target, "references/articles/article/pubmed-id"))
    fields = {
        "kind": kind,
        "actions": actions,
        "gene": symbol,
        "organism": _text(target, "organism"),
        "known_action": _text(target, "known-action"),
    }
    local = _text(target, "id")
    return Relation(
        compound.curie,
        "regulates_activity" if up != down else "interacts_with",
        f"uniprot:{accession}" if accession else _text(target, "name"),
        int(up) - int(down),
        subject_label=compound.name,
        object_label=symbol or _text(target, "name"),
        subject_kind="drug",
        object_kind="protein",
        record=f"{compound.curie.partition(':')[2]} {local}".strip(),
        pmids=tuple(dict.fromkeys(filter(None, papers))),
        fields={key: value for key, value in fields.items() if value},
    )
