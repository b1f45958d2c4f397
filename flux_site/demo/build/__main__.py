"""Rebuild the demo corpus: `bin/python -m flux_site.demo.build --from ../shared/data`.

The same data and the same versions of the libraries give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flux_site.demo import DATA, files
from flux_site.demo.build import curated, interactions, papers, pathways, sources

Row = dict[str, Any]


def main() -> None:
    """Write every file of `flux_site/demo/data` and say what is in it."""
    parser = argparse.ArgumentParser(prog="python -m flux_site.demo.build", description=__doc__)
    parser.add_argument(
        "--from", dest="data", type=Path, required=True, help="folder of the open data"
    )
    parser.add_argument(
        "--to", type=Path, default=DATA, help="folder to write (default: the package's)"
    )
    arguments = parser.parse_args()
    for line in build(arguments.data, arguments.to):
        sys.stdout.write(line + "\n")


def build(data: Path, to: Path) -> Iterable[str]:
    """Write the corpus into a folder; yields a line a file: name, rows or pages, bytes."""
    to.mkdir(parents=True, exist_ok=True)
    known = sources.genes(data)
    pathway_rows = pathways.rows(data)
    interaction_rows = interactions.rows(data)
    records = curated.rows(data, pathways=pathway_rows, interactions=interaction_rows)
    tables = {
        "pathways": pathway_rows,
        "interactions": interaction_rows,
        "curated": records,
        "genes": _genes(known, interaction_rows, records),
    }
    total = 0
    for name, rows in tables.items():
        packed = _packed(rows)
        (to / f"{name}.jsonl.gz").write_bytes(packed)
        total += len(packed)
        yield f"{name}.jsonl.gz\t{len(rows)} rows\t{len(packed)} bytes"
    for name, (pdf, pages) in papers.render_all().items():
        (to / name).write_bytes(pdf)
        total += len(pdf)
        yield f"{name}\t{pages} pages\t{len(pdf)} bytes"
    yield f"total\t{total} bytes"
    if to == DATA:
        for source, name, content in files():
            if source == "jsonl":
                yield f"{name}\t{content.count(10)} documents\t{len(content)} bytes as text"


def _genes(known: sources.Genes, relations: Iterable[Row], records: Iterable[Row]) -> list[Row]:
    """The genes that the texts name in full: those in an interaction or a curated record."""
    symbols = {row[end] for row in relations for end in ("regulator", "target")}
    symbols |= {symbol for record in records for symbol in record["genes"]}
    named = (known.by_symbol[symbol] for symbol in sorted(symbols) if symbol in known.by_symbol)
    return [
        {"symbol": gene.symbol, "name": gene.name, "hgnc": gene.hgnc, "uniprot": list(gene.uniprot)}
        for gene in named
    ]


def _packed(rows: Iterable[Row]) -> bytes:
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    return gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)


if __name__ == "__main__":
    main()
