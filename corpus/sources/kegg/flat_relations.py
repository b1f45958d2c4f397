"""What a flat entry says about other things, as relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from corpus.sources.ids import doi as plain_doi
from corpus.sources.kegg.entries import FlatEntry
from corpus.sources.kegg.equations import sides
from corpus.sources.kegg.items import (
    BRACKETS,
    Item,
    doi_in,
    genes,
    listed,
    organism_genes,
    pmids,
    running,
)
from corpus.sources.kegg.names import NCBI_GENES, classify, curie, gene
from corpus.types import Relation

# Field -> how the entry stands to what the field lists.
_LISTS: Final = {
    "pathway": {
        "COMPOUND": "contains",
        "MODULE": "contains",
        "ORTHOLOGY": "contains",
        "REACTION": "contains",
        "ENZYME": "contains",
        "NETWORK": "contains",
        "DISEASE": "related_to_disease",
        "DRUG": "related_to_drug",
        "REL_PATHWAY": "related_to_pathway",
    },
    "": {
        "PATHWAY": "part_of",
        "MODULE": "part_of",
        "NETWORK": "part_of",
        "REACTION": "takes_part_in",
        "ALL_REAC": "catalyzes",
        "ENZYME": "has_enzyme",
        "COMPOUND": "contains",
        "ORTHOLOGY": "has_ortholog",
        "SUBSTRATE": "has_input",
        "PRODUCT": "has_output",
        "COFACTOR": "has_cofactor",
        "RCLASS": "has_reaction_class",
        "DISEASE": "related_to_disease",
        "DRUG": "related_to_drug",
        "DRUG_TARGET": "targeted_by",
        "TARGET": "targets",
        "METABOLISM": "metabolized_by",
    },
}
_OVERRIDES: Final = {
    ("reaction", "ENZYME"): "catalyzed_by",
    ("reaction", "ORTHOLOGY"): "catalyzed_by",
    ("module", "REACTION"): "contains",
    ("module", "ORTHOLOGY"): "contains",
    ("module", "PATHWAY"): "part_of",
    ("disease", "DRUG"): "treated_with",
    ("drug", "DISEASE"): "treats",
    ("drug", "PATHWAY"): "acts_in",
    ("ortholog", "REACTION"): "catalyzes",
}
_XREFS: Final = {
    "CAS": "cas", "PUBCHEM": "pubchem.substance", "CHEBI": "chebi", "CHEMBL": "chembl.compound",
    "NCBI-GENEID": "ncbigene", "NCBI-PROTEINID": "refseq", "UNIPROT": "uniprot", "HGNC": "hgnc",
    "ENSEMBL": "ensembl", "OMIM": "omim", "GO": "go", "MESH": "mesh", "ICD-10": "icd10",
    "DRUGBANK": "drugbank", "RHEA": "rhea", "LIPIDMAPS": "lipidmaps", "HMDB": "hmdb",
    "3DMET": "3dmet", "KNAPSACK": "knapsack", "PDB-CCD": "pdb-ccd", "MIM": "omim",
}  # fmt: skip
GENE_KINDS: Final = frozenset({"CDS", "tRNA", "rRNA", "ncRNA", "miRNA", "Gene"})
_XREF = re.compile(r"(?P<db>[^:]{1,80}):\s*(?P<ids>.*)")


@dataclass(frozen=True, slots=True)
class Subject:
    """The entry as the subject of its relations."""

    curie: str
    label: str
    kind: str
    id: str

    def to(self, predicate: str, target: tuple[str, str], label: str, **more: object) -> Relation:
        """A relation to a CURIE of a kind."""
        return Relation(
            self.curie,
            predicate,
            target[0],
            0,
            self.label,
            label,
            self.kind,
            target[1],
            self.id,
            fields=more,
        )


def relations(entry: FlatEntry, subject: Subject) -> Iterator[Relation]:
    """Every relation of an entry, each once, field by field."""
    seen: set[tuple[str, str, str]] = set()
    for relation in _all(entry, subject):
        key = (relation.predicate, relation.object, str(relation.fields.get("subtype", "")))
        if relation.object and key not in seen:
            seen.add(key)
            yield relation


def _all(entry: FlatEntry, subject: Subject) -> Iterator[Relation]:
    for item in genes(entry.lines("GENE")):
        yield from _gene(entry, subject, item)
    for name, predicate in _predicates(subject.kind).items():
        yield from _listed(entry, subject, name, predicate)
    told = "has_member" if subject.kind == "ortholog" else "encoded_by"
    for code, local, label in organism_genes(entry.lines("GENES")):
        if code in NCBI_GENES:  # thousands of genes of bacteria stay in the metadata
            yield subject.to(told, (gene(code, local), "gene"), label, organism=code)
    for side, predicate in zip(
        sides(running(entry.lines("EQUATION"))), ("has_input", "has_output"), strict=True
    ):
        for part in side:
            yield subject.to(predicate, classify(part.id), part.id, count=part.count)
    yield from _xrefs(entry, subject)
    yield from _references(entry, subject)


def _predicates(kind: str) -> dict[str, str]:
    found = dict(_LISTS["pathway" if kind == "pathway" else ""])
    return {name: _OVERRIDES.get((kind, name), predicate) for name, predicate in found.items()}


def _gene(entry: FlatEntry, subject: Subject, item: Item) -> Iterator[Relation]:
    """Genes of a pathway are numbered in its organism, those of a disease stand in brackets."""
    predicate = "related_to_gene" if subject.kind == "disease" else "contains"
    more = {"subtype": item.subtype} if item.subtype else {}
    more |= {db.lower(): " ".join(ids) for db, ids in item.brackets.items() if db in ("KO", "EC")}
    label = item.symbol or item.name
    if item.id:
        yield subject.to(predicate, (gene(organism(entry), item.id), "gene"), label, **more)
        return
    named = [(db, ids) for db, ids in item.brackets.items() if db not in BRACKETS]
    for code, ids in named:
        for local in ids:
            yield subject.to(predicate, (gene(code, local), "gene"), label, **more)
    if not named and item.brackets.get("KO"):
        for orthology in item.brackets["KO"]:
            yield subject.to(predicate, classify(orthology), label, **more)
    elif not named and label:
        yield subject.to(predicate, (label, "gene"), label, **more)


def organism(entry: FlatEntry) -> str:
    """The organism's code: of an ORGANISM line, or the letters of a pathway's id."""
    line = next(iter(entry.lines("ORGANISM")), "")
    coded = re.search(r"\[GN:([a-z]{3,4})\]", line) or re.match(r"([a-z]{3,4})\s", line)
    own = re.match(r"([a-z]{3,4})(?:_M)?\d{5}", entry.id)
    found = coded or own
    return found[1] if found else ""


def _listed(
    entry: FlatEntry, subject: Subject, field_name: str, predicate: str
) -> Iterator[Relation]:
    lines = list(entry.lines(field_name))
    if field_name in ("NETWORK", "TARGET", "METABOLISM"):
        lines += _nested(entry, field_name, "ELEMENT")
    if field_name == "REACTION" and subject.kind == "enzyme":
        return  # an enzyme's REACTION is its equation in words; ALL_REAC has the ids
    for item in listed(lines):
        yield from _item(subject, predicate, item)
    if field_name == "TARGET":
        for item in listed(_nested(entry, "TARGET", "PATHWAY")):
            yield from _item(subject, "acts_in", item)


def _nested(entry: FlatEntry, field_name: str, key: str) -> list[str]:
    return [
        line.strip()
        for field in entry.all(field_name)
        for inner in field.nested
        if inner.name == key
        for line in inner.lines
        if line.strip()
    ]


def _item(subject: Subject, predicate: str, item: Item) -> Iterator[Relation]:
    if item.id:
        yield subject.to(predicate, classify(item.id), item.name)
        return
    targets = list(_bracketed(item, subject.kind))
    for target in targets:
        yield subject.to(predicate, target, item.name)
    if not targets and item.name and predicate in ("has_input", "has_output", "has_cofactor"):
        yield subject.to(predicate, (item.name, "compound"), item.name)


def _bracketed(item: Item, kind: str) -> Iterator[tuple[str, str]]:
    """The things in brackets; of a drug's target the gene alone, where there is one."""
    organisms = [db for db in item.brackets if db not in BRACKETS]
    for database, ids in item.brackets.items():
        if kind == "drug" and organisms and database not in organisms:
            continue
        for identifier in ids:
            if database in BRACKETS:
                yield classify(f"{BRACKETS[database]}:{identifier.split('(')[0]}")
            else:
                yield gene(database, identifier.split("(")[0]), "gene"


def _xrefs(entry: FlatEntry, subject: Subject) -> Iterator[Relation]:
    for line in entry.lines("DBLINKS"):
        found = _XREF.match(line)
        prefix = _XREFS.get(found["db"].strip().upper()) if found else None
        if found and prefix:
            for local in found["ids"].split():
                yield subject.to("has_xref", (f"{prefix}:{local}", subject.kind), "")


def _references(entry: FlatEntry, subject: Subject) -> Iterator[Relation]:
    for field in entry.all("REFERENCE"):
        lines = [*field.lines, *(line for inner in field.nested for line in inner.lines)]
        found = pmids(lines)
        for identifier in found:
            yield subject.to("cites", (f"pmid:{identifier}", "work"), "")
        if not found and (doi := plain_doi(doi_in(lines))):
            yield subject.to("cites", (f"doi:{doi}", "work"), "")


def entry_curie(entry: FlatEntry) -> tuple[str, str]:
    """(CURIE, kind) of the entry itself; a gene's id counts within its organism."""
    code = organism(entry)
    if entry.kind in GENE_KINDS:
        return gene(code, entry.id) if code else entry.id, "gene"
    found, kind = classify(entry.id)
    return (found, kind) if kind else (curie(entry.id), entry.kind.lower() or "record")
