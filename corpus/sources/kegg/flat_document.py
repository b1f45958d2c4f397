"""A flat entry as a document: its texts as paragraphs, its lists as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote

from corpus.sources.cleaning import one_line
from corpus.sources.kegg.entries import Field, FlatEntry
from corpus.sources.kegg.flat_relations import (
    GENE_KINDS,
    Subject,
    entry_curie,
    organism,
    relations,
)
from corpus.sources.kegg.items import Item, genes, listed, names, organism_genes, running
from corpus.sources.kegg.names import TAXA
from corpus.sources.listing import record_blocks
from corpus.types import Block, DocumentType, NormalizedDocument

LICENCE: Final = "KEGG, © Kanehisa Laboratories: free for academic use only"
_TYPES: Final[dict[str, DocumentType]] = {"pathway": "pathway", "reaction": "reaction"}
_TEXTS: Final = ("DESCRIPTION", "COMMENT")
# Short facts of one sentence each, in the order in which they are told.
_FACTS: Final = {
    "DEFINITION": "Definition", "CLASS": "Class", "CATEGORY": "Category", "TYPE": "Type",
    "SYSNAME": "Systematic name", "FORMULA": "Formula", "EXACT_MASS": "Exact mass",
    "MOL_WEIGHT": "Molecular weight", "COMPOSITION": "Composition", "EQUATION": "Equation",
    "ORGANISM": "Organism", "POSITION": "Position", "MOTIF": "Motifs", "REMARK": "Remarks",
    "HISTORY": "History", "EFFICACY": "Efficacy", "PRODUCTS": "Products", "SOURCE": "Source",
    "COMPONENT": "Components", "CARCINOGEN": "Carcinogens", "ENV_FACTOR": "Environment factors",
    "PATHOGEN": "Pathogens", "SUPERGRP": "Supergroups", "SUBGROUP": "Subgroups",
    "INTERACTION": "Interactions", "SYMBOL": "Symbols", "MARKER": "Markers",
    "SYM_MAP": "Map symbols", "EFFECTOR": "Effectors", "STRUCTURE": "Structures",
    "STRUCTURES": "Structures", "SYNONYM": "Synonyms", "PERTURBANT": "Perturbants",
    "VARIATION": "Variations", "MEMBER": "Members", "METABOLITE": "Metabolites",
}  # fmt: skip
# Fields whose lines name things: each becomes one record.
_LISTS: Final = {
    "GENE": "Genes", "COMPOUND": "Compounds", "MODULE": "Modules", "ORTHOLOGY": "Orthologs",
    "PATHWAY": "Pathways", "DISEASE": "Diseases", "DRUG": "Drugs", "NETWORK": "Networks",
    "REACTION": "Reactions", "ENZYME": "Enzymes", "SUBSTRATE": "Substrates",
    "PRODUCT": "Products", "COFACTOR": "Cofactors", "INHIBITOR": "Inhibitors",
    "REL_PATHWAY": "Related pathways", "RCLASS": "Reaction classes", "TARGET": "Targets",
    "METABOLISM": "Metabolised by", "DRUG_TARGET": "Drugs that target it",
}  # fmt: skip
# Read, but neither told nor named by relations alone: coordinates, sequences, trees, maps.
_KEPT: Final = (
    "ATOM", "BOND", "BRACKET", "NODE", "EDGE", "ORIGINAL", "REPEAT", "SEQUENCE", "AASEQ", "NTSEQ",
    "BRITE", "PATHWAY_MAP", "KO_PATHWAY", "DBLINKS", "REPLACED", "SYMBOL", "STRUCTURE",
    "STRUCTURES", "ORG_CODE", "REFERENCE", "GENES", "MAP", "STR_MAP", "SYN_MAP", "OTHER_MAP",
    "VARIANT", "OTHER_DBS",
)  # fmt: skip
_READ: Final = frozenset({"ENTRY", "NAME", "ALL_REAC", *_TEXTS, *_FACTS, *_LISTS, *_KEPT})
_SHOWN_GENES: Final = "hsa"


def flat_document(entry: FlatEntry) -> NormalizedDocument:
    """Turn an entry into a document. Fields of no known name stay in the metadata as they are."""
    curie, kind = entry_curie(entry)
    title = _title(entry)
    unknown = list(dict.fromkeys(f.name for f in entry.fields if f.name not in _READ))
    subject = Subject(curie, title, kind, entry.id)
    return NormalizedDocument(
        type=_TYPES.get(kind, "record"),
        source="kegg",
        external_id=external_id(entry),
        title=title,
        blocks=tuple(_blocks(entry, title)),
        licence=LICENCE,
        language="en",
        tags=_tags(entry),
        relations=tuple(relations(entry, subject)),
        metadata=_metadata(entry, curie, unknown),
        note=_note(entry, unknown),
    )


def external_id(entry: FlatEntry) -> str:
    """The entry's id, with its organism where it is a gene's (numbers of organisms collide)."""
    code = organism(entry)
    if entry.kind in GENE_KINDS and code:
        return f"{code}:{entry.id}"[:255]
    return entry.id.replace("EC ", "ec:")[:255]


def _title(entry: FlatEntry) -> str:
    found = names(entry.lines("NAME"))
    if found:
        return found[0]
    symbol = next(iter(entry.lines("SYMBOL")), "").split(",")[0].strip()
    return one_line(symbol) or running(entry.lines("DEFINITION")) or entry.id


def _blocks(entry: FlatEntry, title: str) -> Iterator[Block]:
    for name in _TEXTS:
        for field in entry.all(name):
            text = running(field.lines)
            if text:
                yield Block(text, (name.capitalize(),))
    yield Block(" ".join(_facts(entry, title)), ("Facts",), "record", fields=_fact_fields(entry))
    for name, heading in _LISTS.items():
        items = list(_items(entry, name))
        if items:
            yield from _list_blocks(title, name, heading, items)
    yield from _gene_lists(entry, title)


def _facts(entry: FlatEntry, title: str) -> Iterator[str]:
    yield f"{title} is {_what(entry)} ({entry.id})."
    others = [name for name in names(entry.lines("NAME")) if name != title]
    if others:
        yield f"Also called: {'; '.join(others)}."
    for name, heading in _FACTS.items():
        text = running(entry.lines(name))
        if text:
            yield f"{heading}: {text.rstrip('.;')}."


def _what(entry: FlatEntry) -> str:
    kind = "gene" if entry.kind in GENE_KINDS else entry.kind or "entry"
    plain = kind if kind.isupper() else kind.lower()
    return f"{'an' if plain[0].lower() in 'aeiou' else 'a'} {plain} of KEGG"


def _fact_fields(entry: FlatEntry) -> dict[str, object]:
    fields: dict[str, object] = {
        "ENTRY": entry.id,
        "kind": entry.kind,
        "NAME": list(names(entry.lines("NAME"))),
    }
    for name in _FACTS:
        if text := running(entry.lines(name)):
            fields[name] = text
    return {key: value for key, value in fields.items() if value}


def _items(entry: FlatEntry, name: str) -> Iterator[Item]:
    if name == "GENE":
        yield from genes(entry.lines(name))
        return
    yield from listed(entry.lines(name))
    for field in entry.all(name):
        for inner in field.nested:
            yield from listed([line for line in inner.lines if line.strip()])


def _list_blocks(title: str, name: str, heading: str, items: Sequence[Item]) -> Iterator[Block]:
    def fields(some: Sequence[Item]) -> dict[str, object]:
        return {"field": name, "items": [item.as_fields() for item in some]}

    yield from record_blocks(
        f"{heading} of {title}:", items, _item_text, fields, section=(heading,)
    )


def _item_text(item: Item) -> str:
    name = f"{item.symbol} ({item.name})" if item.symbol and item.name else item.symbol or item.name
    if item.subtype:
        name = f"{name}, {item.subtype}"
    codes = [item.id, *(f"{db}:{' '.join(ids)}" for db, ids in item.brackets.items())]
    return " ".join(
        filter(None, (name, f"[{', '.join(filter(None, codes))}]" if any(codes) else ""))
    )


def _gene_lists(entry: FlatEntry, title: str) -> Iterator[Block]:
    """Thousands of genes of thousands of organisms are relations; the human ones are told, too."""
    found = list(organism_genes(entry.lines("GENES")))
    if not found:
        return
    shown = [(local, name) for code, local, name in found if code == _SHOWN_GENES]
    organisms = len({code for code, _, _ in found})
    text = f"{title} is encoded by {len(found)} genes of {organisms} organisms in KEGG."
    if shown:
        listed_genes = "; ".join(f"{name or local} [{local}]" for local, name in shown)
        text = f"{text} Human genes: {listed_genes}."
    fields = {"field": "GENES", "genes": len(found), "organisms": organisms}
    yield Block(text, ("Genes",), "record", fields=fields)


def _tags(entry: FlatEntry) -> tuple[str, ...]:
    classes = running(entry.lines("CLASS")).split(";")
    found = (one_line(part)[:80] for part in (entry.kind, *classes))
    return tuple(dict.fromkeys(part for part in found if part))


def _metadata(entry: FlatEntry, curie: str, unknown: Sequence[str]) -> dict[str, object]:
    kept = [field for field in entry.fields if field.name in _KEPT or field.name in unknown]
    found: dict[str, object] = {
        "form": "flat",
        "curie": curie,
        "url": f"https://www.kegg.jp/entry/{quote(external_id(entry), safe=':')}",
        "kind": entry.kind,
        "taxon": TAXA.get(organism(entry), ""),
        "fields": list(dict.fromkeys(field.name for field in entry.fields)),
        "unknown_fields": list(unknown),
        "raw": [_raw(field) for field in kept],
        "odd_lines": entry.odd_lines,
    }
    return {key: value for key, value in found.items() if value}


def _raw(field: Field) -> dict[str, object]:
    found: dict[str, object] = {"name": field.name, "lines": list(field.lines)}
    if field.nested:
        found["nested"] = [_raw(inner) for inner in field.nested]
    return found


def _note(entry: FlatEntry, unknown: Sequence[str]) -> str:
    sentences = []
    if unknown:
        sentences.append(f"Fields Flux does not know are kept as they are: {', '.join(unknown)}.")
    if entry.odd_lines:
        sentences.append(f"Lines out of their columns, read as continuations: {entry.odd_lines}.")
    if not entry.closed:
        sentences.append("The entry does not end with ///: it may be cut off.")
    return " ".join(sentences)
