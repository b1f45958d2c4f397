"""The curated records: our own text in `records/*.toml`, every identifier looked up in facts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flux_site.demo.build import sources

RECORDS = Path(__file__).parent / "records"
SIGNS = {"+": 1, "-": -1}

Row = dict[str, Any]


class UnknownName(ValueError):
    """A record names a gene, compound, drug, pathway or relation that the facts do not hold."""


def rows(data: Path, *, pathways: Iterable[Row], interactions: Iterable[Row]) -> list[Row]:
    """The records in order of their ids. Raises UnknownName for a name that no fact holds."""
    known = sources.genes(data)
    compounds = {name: f"CHEBI:{number}" for number, name in sources.chemicals(data).items()}
    drugs = sources.drugs(data)
    names = {row["id"]: row["name"] for row in pathways}
    relations = {(row["regulator"], row["sign"], row["target"]): row for row in interactions}
    found = []
    for path in sorted(RECORDS.glob("*.toml")):
        written = tomllib.loads(path.read_text(encoding="utf-8"))
        find = _Finder(path.stem)
        for symbol in written["genes"]:
            find(known.by_symbol, symbol)
        drug_ids = [[find(drugs, name.lower()), name] for name in written.get("drugs", [])]
        found.append(
            {
                "id": f"curated:{path.stem}",
                "title": written["title"],
                "topics": written["topics"],
                "sections": [_section(part) for part in written["sections"]],
                "genes": written["genes"],
                "chemicals": [
                    *([find(compounds, name), name] for name in written.get("chemicals", [])),
                    *drug_ids,
                ],
                "pathways": [[key, find(names, key)] for key in written["pathways"]],
                "relations": [find(relations, _relation(text)) for text in written["relations"]],
            }
        )
    return found


class _Finder:
    """Looks names up and says which record holds one that is not there."""

    def __init__(self, record: str) -> None:
        self.record = record

    def __call__(self, known: Mapping[Any, Any], name: Any) -> Any:
        try:
            return known[name]
        except KeyError as missing:
            raise UnknownName(f"{self.record}: {name} is not in the facts") from missing


def _section(part: Mapping[str, str]) -> dict[str, str]:
    return {"heading": part["heading"], "text": " ".join(part["text"].split())}


def _relation(text: str) -> tuple[str, int, str]:
    regulator, sign, target = text.split()
    return regulator, SIGNS[sign], target
