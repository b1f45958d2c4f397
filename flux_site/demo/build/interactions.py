"""Signed interactions with their papers: transcription (TRRUST), a few protein effects (SIGNOR)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from flux_site.demo.build import sources

SIGNS = {"Activation": 1, "Repression": -1}
HUMAN = "9606"
# A spreadsheet turned these symbols into dates; which gene was meant is a guess.
DATE = re.compile(r"\d+-[A-Z][a-z]{2}")

Row = dict[str, Any]


def rows(data: Path) -> list[Row]:
    """One row a regulator, target and sign, with all PMIDs; unsigned rows are left out."""
    known = sources.genes(data)
    return [*_transcription(data, known), *_effects(data, known)]


def _transcription(data: Path, known: sources.Genes) -> list[Row]:
    merged: dict[tuple[str, str, int], Row] = {}
    for regulator, target, mode, pmids in sources.trrust(data):
        if mode not in SIGNS or DATE.fullmatch(regulator) or DATE.fullmatch(target):
            continue
        key = (known.approved(regulator), known.approved(target), SIGNS[mode])
        row = merged.setdefault(key, _row("trrust", *key, mechanism="transcription"))
        row["pmids"] = sorted({*row["pmids"], *filter(str.isdigit, pmids)}, key=int)
    return [merged[key] for key in sorted(merged)]


def _effects(data: Path, known: sources.Genes) -> list[Row]:
    found = []
    for entry in sources.signor(data):
        sign = _sign(entry["EFFECT"])
        ends = (entry["ENTITYA"], entry["ENTITYB"])
        if entry["TAX_ID"] != HUMAN or not sign or not all(end in known.by_symbol for end in ends):
            continue
        row = _row("signor", *ends, sign, mechanism=entry["MECHANISM"])
        row["pmids"] = [entry["PMID"]] if entry["PMID"].isdigit() else []
        row["record"] = entry["SIGNOR_ID"]
        found.append(row)
    return sorted(found, key=lambda row: row["record"])


def _row(source: str, regulator: str, target: str, sign: int, *, mechanism: str) -> Row:
    return {
        "source": source,
        "regulator": regulator,
        "target": target,
        "sign": sign,
        "mechanism": mechanism,
        "pmids": [],
    }


def _sign(effect: str) -> int:
    """SIGNOR writes effects as up-regulates or down-regulates, often with what is changed."""
    direction = re.match(r"(up|down)-regulates", effect)
    return 0 if direction is None else 1 if direction[1] == "up" else -1
