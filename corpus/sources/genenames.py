"""Genes, molecules and papers of a table's cells: CURIEs, species, PubMed ids, numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from corpus.sources.ids import pmid

HUMAN: Final = "9606"
MOUSE: Final = "10090"
_MAX_SYMBOL: Final = 30
MAX_NAME: Final = 500  # complexes join many symbols; a longer cell is damage

_SYMBOL_PREFIX: Final = {HUMAN: "hgnc.symbol", MOUSE: "mgi.symbol", "10116": "rgd.symbol"}
_UNIPROT = re.compile(
    r"(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})(?:-(?:\d+|PRO_\d+))?"
)
# What a spreadsheet makes of SEPT2 and its like.
_DATE = re.compile(r"(\d{1,2})-([A-Z][a-z]{2})|\d{4}-(\d\d)-(\d\d).*")
_MONTHS: Final = {"sep": "SEPT", "09": "SEPT", "dec": "DEC", "12": "DEC"}
_RODENT = re.compile(r"[A-Z][a-z0-9]*[a-z][a-z0-9]*")
_HUMAN_LIKE = re.compile(r"[A-Z][A-Z0-9]+(?:orf\d+)?[A-Z0-9-]*")
_PMID_BREAKS = re.compile(r"[\s;,|]+")
_PMID_PREFIXES: Final = frozenset({"pubmed", "pmid"})


def symbol_curie(symbol: str, taxon: str = HUMAN) -> str:
    """CURIE of a gene symbol; the bare symbol for a species whose symbols have no prefix here."""
    prefix = _SYMBOL_PREFIX.get(taxon, "")
    return f"{prefix}:{symbol}" if prefix else symbol


def is_uniprot(text: str) -> bool:
    """Whether a text has the form of a UniProt accession, with or without isoform."""
    return _UNIPROT.fullmatch(text) is not None


def taxon_of(symbols: Iterable[str], sample: int = 2_000) -> str:
    """Tell mouse from human by the case of gene symbols: Cd274 is written so in mice, CD274 in
    humans. The rat writes as the mouse does; a table of rats must say so itself.
    """
    rodent = human = 0
    for symbol in islice(symbols, sample):
        if len(symbol) > _MAX_SYMBOL:
            continue
        rodent += _RODENT.fullmatch(symbol) is not None
        human += _HUMAN_LIKE.fullmatch(symbol) is not None
    return MOUSE if rodent > human else HUMAN


def name_fault(name: str) -> str:
    """What is wrong with a name in a cell, as the end of a sentence; '' when it can stand."""
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if _DATE.fullmatch(name) and undated(name) == name:
        return f"is a date ({name[:20]}), which a spreadsheet made of a gene's symbol"
    return ""


def undated(symbol: str) -> str:
    """The symbol that a spreadsheet turned into a date: SEPT7 of "7-Sep" or "2019-09-07".

    Anything else stays as it is, also "1-Mar": both MARCH1 and MARC1 end so.
    """
    found = _DATE.fullmatch(symbol)
    if not found:
        return symbol
    day, month = found.group(1) or found.group(4), found.group(2) or found.group(3)
    stem = _MONTHS.get(month.lower())
    return f"{stem}{int(day)}" if stem else symbol


def pmids(text: str) -> tuple[str, ...]:
    """PubMed ids of a cell, each once and in order: lists by ; , | or blanks, with or without
    "pubmed:". Other ids ("imex:IM-18734") and "-" give none.
    """
    if not text or text == "-":
        return ()
    found = (_pmid(part) for part in _PMID_BREAKS.split(text))
    return tuple(dict.fromkeys(filter(None, found)))


def _pmid(part: str) -> str:
    prefix, colon, rest = part.rpartition(":")
    if colon and prefix.lower() not in _PMID_PREFIXES:
        return ""
    return pmid(rest.removesuffix(".0"))


def number(text: str) -> float | None:
    """A finite number of a cell, None for a gap (empty, NA, nan) or anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def sign_of(text: str) -> int | None:
    """+1, -1 or 0 of a cell that is a number or a word; None when it is neither."""
    value = number(text)
    if value is not None:
        return (value > 0) - (value < 0)
    return _SIGNS.get(text.strip().lower())


_UP: Final = (
    "activation activates activate activator active positive up up-regulates upregulates induces "
    "induction stimulation stimulates increases promotes +"
)
_DOWN: Final = (
    "repression represses repress repressor inhibition inhibits inhibit inhibitor negative down "
    "down-regulates downregulates suppression suppresses decreases -"
)
_NEITHER: Final = "unknown unsigned undirected regulates na n/a none null ? regulation"
_SIGNS: Final = {
    "": 0,
    **dict.fromkeys(_UP.split(), 1),
    **dict.fromkeys(_DOWN.split(), -1),
    **dict.fromkeys(_NEITHER.split(), 0),
}
