"""Records and pages a second, stage by stage, in this process. `bin/bench ingest [SHARED_DATA]`

Each stage runs over the same records after the other, so that its share of the processor is seen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.installation import ROOT, table
from corpus import chunking
from corpus.encoding.registry import encoders, register_defaults
from corpus.sources.files import open_payload
from corpus.sources.registry import SOURCES
from flux_site.runtime.state import state_path

SETS = {
    "pubmed": ["pubmed"],
    "jats": ["jats"],
    "reactome": ["reactome/pathway_summations_human_v76.jsonl.gz"],
    "pdf": ["pdf/pairs"],
}
PDFS = 6  # of the pairs: each takes seconds


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and processor seconds of this process."""
    started = time.process_time()
    result = call()
    return result, time.process_time() - started


def files(data: Path, names: list[str]) -> list[Path]:
    """Files of a set that its source reads."""
    found = [data / name for name in names]
    return [p for f in found for p in (sorted(f.rglob("*")) if f.is_dir() else [f]) if p.is_file()]


def records(source: str, paths: list[Path]) -> list[Any]:
    """All records that can be read."""
    made: list[Any] = []
    for path in paths:
        payload, name = open_payload(path.read_bytes(), path.name)
        try:
            made += list(SOURCES[source].parse(payload, name))
        except Exception:
            continue  # files of another kind stand among them on purpose
    return made


def main() -> None:
    """One row a source and stage."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    register_defaults(model_cache=state_path() / "models", threads=2)
    encoder = encoders.get("all-minilm-l6-v2")
    rows: list[tuple[object, ...]] = []
    for source, names in SETS.items():
        paths = files(data, names)
        if source == "pdf":
            paths = [path for path in paths if path.suffix == ".pdf"][:PDFS]
        read, parse_s = timed(lambda s=source, p=paths: records(s, p))
        good = [record for record in read if type(record).__name__ != "Broken"]
        documents, normalize_s = timed(
            lambda s=source, g=good: [SOURCES[s].normalize(r) for r in g]
        )
        pages = sum(len(document.pages) for document in documents)
        cut, chunk_s = timed(lambda d=documents: [c for x in d for c in chunking.chunk(x)])
        sample = cut[:200]
        texts = [c.text[a:b] for c in sample for a, b in encoder.windows(c.text)]
        _, embed_s = timed(lambda t=texts: encoder.encode_passages(t))
        embed_s *= len(cut) / max(1, len(sample))
        total = parse_s + normalize_s + chunk_s + embed_s
        for stage, seconds in (
            ("parse", parse_s),
            ("normalise", normalize_s),
            ("chunk", chunk_s),
            ("embed", embed_s),
        ):
            speed, paged = (n / max(seconds, 1e-9) for n in (len(documents), pages))
            rows.append(
                (
                    source,
                    stage,
                    f"{speed:,.1f}",
                    f"{paged:,.1f}" if pages else "",
                    f"{seconds / total:.0%}",
                )
            )
    table(["source", "stage", "records per CPU second", "pages per CPU second", "share"], rows)


if __name__ == "__main__":
    main()
