"""Readers of the open data files from which the demo's facts are taken; nothing is fetched."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

REACTOME_SETS = "reactome/Reactome_Homo_sapiens_pathways_multiomics_R85.gmt.gz"
REACTOME_TREE = "reactome/ReactomePathwaysRelation.txt.gz"
WIKIPATHWAYS_SETS = "wikipathways/wikipathways-20220610-gmt-Homo_sapiens.gmt.gz"
HGNC = "vocab/hgnc_entries_subset.tsv.gz"
CHEBI = "vocab/chebi_subset.json.gz"
DRUGBANK = "vocab/drugbank_open_names_subset.tsv.gz"
TRRUST = "interactions/trrust_rawdata.human.tsv.gz"
SIGNOR = "interactions/signor/signor_test_data.csv"
FAMILIES = frozenset({"STAT5"})  # earlier symbols that papers use for several genes at once


@dataclass(frozen=True, slots=True)
class Gene:
    """An approved human gene, with its numbers in HGNC and UniProt (of which there may be none)."""

    symbol: str
    name: str
    hgnc: str
    uniprot: tuple[str, ...]


@dataclass(slots=True)
class Genes:
    """HGNC, looked up by symbol, earlier symbol, NCBI gene number or UniProt accession."""

    by_symbol: dict[str, Gene] = field(default_factory=dict)
    by_entrez: dict[str, str] = field(default_factory=dict)
    by_uniprot: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    by_previous: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def approved(self, symbol: str) -> str:
        """The symbol approved today, or the given one where it leads to no single gene."""
        if symbol in self.by_symbol or symbol in FAMILIES:
            return symbol
        now = self.by_previous.get(symbol, set())
        return next(iter(now)) if len(now) == 1 else symbol


@dataclass(frozen=True, slots=True)
class GeneSet:
    """A pathway's members as its source lists them: each a bare identifier."""

    id: str
    name: str
    members: tuple[str, ...]


def read_text(path: Path) -> str:
    """The text of a file, unpacked where its name ends in .gz."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def _rows(path: Path) -> Iterator[list[str]]:
    for line in read_text(path).split("\n"):
        if line.strip():
            yield [cell.strip() for cell in line.split("\t")]


def _listed(cell: str) -> list[str]:
    return [part for part in cell.split(", ") if part]


def genes(data: Path) -> Genes:
    """Approved genes of HGNC; withdrawn ones are left out."""
    found = Genes()
    lines = read_text(data / HGNC).splitlines()
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["Status"] != "Approved":
            continue
        symbol, uniprot = row["Approved symbol"], _listed(row["UniProt ID(supplied by UniProt)"])
        found.by_symbol[symbol] = Gene(symbol, row["Approved name"], row["HGNC ID"], tuple(uniprot))
        if row["NCBI Gene ID(supplied by NCBI)"]:
            found.by_entrez[row["NCBI Gene ID(supplied by NCBI)"]] = symbol
        for accession in uniprot:
            found.by_uniprot[accession].append(symbol)
        for earlier in _listed(row["Previous symbols"]):
            found.by_previous[earlier].add(symbol)
    return found


def chemicals(data: Path) -> dict[str, str]:
    """Names by ChEBI number without its prefix."""
    terms = json.loads(read_text(data / CHEBI))
    return {term["id"].partition(":")[2]: term["name"] for term in terms}


def drugs(data: Path) -> dict[str, str]:
    """DrugBank numbers by lower-cased name, of DrugBank's open vocabulary."""
    return {row[2].lower(): row[0] for row in _rows(data / DRUGBANK) if row[1] == "NAME"}


def reactome_sets(data: Path) -> list[GeneSet]:
    """Human pathways of Reactome; members are UniProt accessions and bare ChEBI numbers."""
    return [
        GeneSet(row[0], " ".join(row[1].split()), tuple(filter(None, row[2:])))
        for row in _rows(data / REACTOME_SETS)
    ]


def reactome_children(data: Path) -> dict[str, list[str]]:
    """Direct sub-pathways by parent, human ones only, in the file's order."""
    children: dict[str, list[str]] = defaultdict(list)
    for parent, child in _rows(data / REACTOME_TREE):
        if parent.startswith("R-HSA-") and child.startswith("R-HSA-"):
            children[parent].append(child)
    return dict(children)


def wikipathways_sets(data: Path) -> list[GeneSet]:
    """Human pathways of WikiPathways; members are NCBI gene numbers."""
    sets = []
    for row in _rows(data / WIKIPATHWAYS_SETS):
        name, _, pathway, _ = row[0].split("%")
        sets.append(GeneSet(pathway, " ".join(name.split()), tuple(filter(None, row[2:]))))
    return sets


def trrust(data: Path) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Rows of TRRUST: regulator, target, mode (Activation, Repression, Unknown), PMIDs."""
    return [(row[0], row[1], row[2], tuple(row[3].split(";"))) for row in _rows(data / TRRUST)]


def signor(data: Path) -> list[dict[str, str]]:
    """Rows of SIGNOR by column name; a quoted field may hold the separator."""
    lines = read_text(data / SIGNOR).splitlines()
    return list(csv.DictReader(lines, delimiter=";"))
