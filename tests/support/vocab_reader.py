"""A thin reader of the saved vocabularies, for measuring the lexicon by itself."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from corpus.types import Term, TermKind

# Chromosome aberrations, attributes of diseases, instability, carcinogenesis: none is a disease.
PROCESSES = (
    *(f"C23.550.{n}" for n in ("210", "260", "288", "291", "362", "505", "543", "727.098")),
    "C04.697.098",
)
ROLE = "CHEBI:50906"


def _tsv(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def hgnc(path: Path) -> Iterator[Term]:
    rows = _tsv(path)
    next(rows)
    for row in rows:
        curie, symbol, name, status, alias, _, uniprot, *_, previous, _, _, _ = row
        others = [s for s in (alias + ", " + previous).split(", ") if s]
        yield Term(
            curie.lower(),
            symbol,
            "gene",
            names=(name,),
            symbols=(symbol, *others),
            xrefs=tuple(f"uniprot:{u}" for u in uniprot.split(", ") if u),
            taxon="9606",
            withdrawn=status != "Approved",
        )


def mesh(path: Path) -> Iterator[Term]:
    for row in _tsv(path):
        trees = row[3].split("|")
        diseases = [t for t in trees if t.startswith(("C", "F03"))]
        kind: TermKind = (
            "process"
            if diseases and all(t.startswith(PROCESSES) for t in diseases)
            else "disease"
            if diseases
            else "protein"
            if any(t.startswith(("D12.776", "D23.529")) for t in trees)
            else "other"
        )
        synonyms = tuple(s for s in row[2].split("|") if s)
        yield Term(f"mesh:{row[0]}", row[1], kind, names=(row[1], *synonyms))


def _ontology(path: Path, kind: TermKind, prefix: str) -> Iterator[Term]:
    entries = json.loads(gzip.decompress(path.read_bytes()))
    roles = {r for e in entries for r in e.get("relations", {}).get("has_role", ())}
    above = {e["id"]: e.get("relations", {}).get("is_a", []) for e in entries}

    def is_role(curie: str, depth: int = 0) -> bool:
        if curie == ROLE or curie in roles:
            return True
        return depth < 30 and any(is_role(c, depth + 1) for c in above.get(curie, ()))

    for entry in entries:
        local = entry["id"].split(":")[-1]
        xrefs = tuple(
            f"{x['namespace'].lower().replace('umls_cui', 'umls')}:{x['id']}"
            for x in entry.get("xrefs", ())
        )
        yield Term(
            f"{prefix}:{local}",
            entry["name"],
            "other" if is_role(entry["id"]) else kind,
            names=(entry["name"], *entry.get("synonyms", ())),
            xrefs=xrefs,
            parents=tuple(entry.get("relations", {}).get("is_a", ())),
        )


def famplex(folder: Path) -> Iterator[Term]:
    names: dict[str, list[str]] = defaultdict(list)
    with (folder / "grounding_map.csv").open() as lines:
        for row in csv.reader(lines):
            for space, name in zip(row[1::2], row[2::2], strict=False):
                if space == "FPLX":
                    names[name].append(row[0])
    for line in (folder / "entities.csv").read_text().split():
        yield Term(f"fplx:{line}", line, "family", names=(line, *names[line]))


def drugbank(path: Path) -> Iterator[Term]:
    rows = _tsv(path)
    next(rows)
    for curie, _, name, *_ in rows:
        yield Term(f"drugbank:{curie}", name, "drug", names=(name,))


def mrconso(path: Path) -> Iterator[Term]:
    names: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt") as lines:
        for line in lines:
            fields = line.split("|")
            names[fields[0]].append(fields[14])
    for cui, found in names.items():
        yield Term(f"umls:{cui}", found[0], "disease", names=tuple(dict.fromkeys(found)))


def saved(folder: Path) -> list[Term]:
    """All terms of the saved vocabularies."""
    return [
        *hgnc(folder / "hgnc_entries_subset.tsv.gz"),
        *famplex(folder / "famplex"),
        *mesh(folder / "mesh_descriptors_subset.tsv.gz"),
        *_ontology(folder / "doid_subset.json.gz", "disease", "doid"),
        *_ontology(folder / "mondo_subset.json.gz", "disease", "mondo"),
        *_ontology(folder / "chebi_subset.json.gz", "chemical", "chebi"),
        *drugbank(folder / "drugbank_open_names_subset.tsv.gz"),
        *mrconso(folder / "MRCONSO_SYNTHETIC.RRF.gz"),
    ]
