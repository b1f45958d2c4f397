"""Genes and proteins: HGNC's table of symbols, UniProt's table of entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from corpus.sources.vocabularies.shape import BadEntry, names_of
from corpus.types import Term

Cells = Mapping[str, str]
HGNC: Final = frozenset({"HGNC ID", "Approved symbol"})
HGNC_SET: Final = frozenset({"hgnc_id", "symbol", "alias_symbol"})
UNIPROT: Final = frozenset({"entry", "entry name", "gene names"})
_HGNC_ID = re.compile(r"HGNC:(\d+)")
_TAXA: Final = {"HUMAN": "9606", "MOUSE": "10090", "RAT": "10116", "YEAST": "559292"}
# The columns of HGNC's download page and of its complete set, by meaning.
_DOWNLOAD: Final = {
    "id": "HGNC ID",
    "symbol": "Approved symbol",
    "name": "Approved name",
    "status": "Status",
    "aliases": "Alias symbols",
    "previous": "Previous symbols",
    "entrez": "NCBI Gene ID(supplied by NCBI)",
    "uniprot": "UniProt ID(supplied by UniProt)",
    "ensembl": "Ensembl gene ID",
    "mgi": "Mouse genome database ID(supplied by MGI)",
}
_COMPLETE: Final = {
    "id": "hgnc_id",
    "symbol": "symbol",
    "name": "name",
    "status": "status",
    "aliases": "alias_symbol",
    "alias_names": "alias_name",
    "previous": "prev_symbol",
    "previous_names": "prev_name",
    "entrez": "entrez_id",
    "uniprot": "uniprot_ids",
    "ensembl": "ensembl_gene_id",
    "mgi": "mgd_id",
}
_LISTS = re.compile(r"\s*\|\s*|,\s+")


def hgnc(cells: Cells) -> Term:
    """A gene of HGNC. One that was withdrawn names its successors (told in its name as a link)
    and is kept so that old ids can be followed.
    """
    columns = _DOWNLOAD if "HGNC ID" in cells else _COMPLETE
    held = {meaning: cells.get(column, "") for meaning, column in columns.items()}
    found = _HGNC_ID.fullmatch(held["id"])
    if not found or not held["symbol"]:
        raise BadEntry("lacks the HGNC id or the symbol")
    symbols = (held["symbol"], *_list(held["aliases"]), *_list(held["previous"]))
    withdrawn = "withdrawn" in held["status"].lower() or held["name"].startswith("symbol withdrawn")
    successors = dict.fromkeys(_HGNC_ID.findall(held["name"])) if withdrawn else ()
    told = () if withdrawn else (held["name"],)
    longer = (*_list(held.get("alias_names", "")), *_list(held.get("previous_names", "")))
    return Term(
        curie=f"hgnc:{found.group(1)}",
        label=held["symbol"],
        kind="gene",
        names=names_of(symbols[:1], told, symbols[1:], longer),
        symbols=names_of(symbols),
        xrefs=_gene_xrefs(held),
        taxon="9606",
        withdrawn=withdrawn,
        replaced_by=tuple(f"hgnc:{local}" for local in successors),
    )


def _list(text: str) -> list[str]:
    return [part.strip().strip('"') for part in _LISTS.split(text) if part.strip()]


def _gene_xrefs(held: Mapping[str, str]) -> tuple[str, ...]:
    prefixes = {"entrez": "ncbigene", "uniprot": "uniprot", "ensembl": "ensembl", "mgi": "mgi"}
    return tuple(
        f"{prefix}:{local.removeprefix('MGI:')}"
        for meaning, prefix in prefixes.items()
        for local in _list(held[meaning])
    )


def uniprot(cells: Cells) -> Term:
    """A protein of UniProt's table; its gene column holds the symbol, then older names."""
    cells = {name.lower(): cell for name, cell in cells.items()}  # "Gene Names" since 2022
    accession, entry = cells["entry"], cells["entry name"]
    if not (accession and entry):
        raise BadEntry("lacks the accession or the entry name")
    symbols = names_of(cells["gene names"].replace(";", " ").split())
    transcripts = cells.get("ensembl transcript", "").split(";")
    organism = entry.rpartition("_")[2]
    return Term(
        curie=f"uniprot:{accession}",
        label=symbols[0] if symbols else entry,
        kind="protein",
        names=names_of(symbols, (cells.get("protein names", ""),), (entry,)),
        symbols=symbols,
        xrefs=tuple(f"ensembl:{t.split()[0]}" for t in transcripts if t.strip()),
        taxon=_TAXA.get(organism, ""),
    )
