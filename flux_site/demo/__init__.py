"""The demo corpus: real pathways and signed interactions, records and two papers of our own.

The repository stores facts (`data/*.jsonl.gz`); text is made from them when it is loaded.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flux_site.demo import render

DATA = Path(__file__).parent / "data"
PAPERS = ("jak-stat-guide.pdf", "nf-kb-switch.pdf")


def facts(name: str) -> list[dict[str, Any]]:
    """Rows of one facts file: pathways, interactions, genes or curated."""
    packed = (DATA / f"{name}.jsonl.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).decode().splitlines()]


def files() -> list[tuple[str, str, bytes]]:
    """What a demo corpus is loaded from: source name, file name and bytes, always the same."""
    genes = {row["symbol"]: row for row in facts("genes")}
    pathways = map(render.pathway_line, facts("pathways"))
    interactions = render.interaction_lines(facts("interactions"), genes)
    curated = (render.curated_line(record, genes) for record in facts("curated"))
    return [
        ("jsonl", "curated.jsonl", _jsonl(curated)),
        *(("pdf", name, (DATA / name).read_bytes()) for name in PAPERS),
        ("jsonl", "interactions.jsonl", _jsonl(interactions)),
        ("jsonl", "pathways.jsonl", _jsonl(pathways)),
    ]


def _jsonl(lines: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
