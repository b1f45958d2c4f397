"""The default encoder against sentence-transformers. `bin/bench search_embedding`

Processor time, likeness, memory. Both encode the same passages of the demo corpus on the same
threads, five times in turn; medians count.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.installation import ROOT, table
from corpus.encoding import minilm
from flux_site.runtime.state import state_path

PASSAGES = 64
RUNS = 5
THREADS = 2


def passages(encoder: Any) -> list[str]:
    """Windows of the demo's records, long ones and short ones."""
    from corpus.sources.registry import SOURCES
    from flux_site.demo import files

    texts: list[str] = []
    for source, name, data in files():
        if source != "jsonl":
            continue
        for record in SOURCES[source].parse(data, name):
            spans = encoder.windows(record.text)
            texts += [record.text[start:end] for start, end in spans]
            if len(texts) >= 40 * PASSAGES:
                break
    return texts[:: max(1, len(texts) // PASSAGES)][:PASSAGES]


def memory_mb() -> float:
    """What this process holds for itself."""
    return psutil.Process().memory_full_info().uss / 2**20


def seconds(call: Callable[[], Any]) -> float:
    """Processor seconds of all threads."""
    started = time.process_time()
    call()
    return time.process_time() - started


def beside(ours: Any, texts: list[str]) -> None:
    """Print our encoder's processor time and likeness beside the reference's, run in turn."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(THREADS)
    reference = SentenceTransformer(str(minilm.model_dir()), device="cpu")

    def theirs() -> np.ndarray:
        return np.asarray(reference.encode(texts, normalize_embeddings=True, batch_size=32))

    likeness = (ours.encode_passages(texts) * theirs()).sum(axis=1)
    taken: dict[str, list[float]] = {"ours": [], "sentence-transformers": []}
    for _ in range(RUNS):
        taken["ours"].append(seconds(lambda: ours.encode_passages(texts)))
        taken["sentence-transformers"].append(seconds(theirs))
    median = {name: statistics.median(times) for name, times in taken.items()}
    rows = [
        (name, f"{1000 * value / len(texts):.1f}", f"{median['sentence-transformers'] / value:.2f}")
        for name, value in median.items()
    ]
    table(["encoder", "CPU ms / passage", "times as fast"], rows)
    print(f"cosine: lowest {likeness.min():.6f}, mean {likeness.mean():.6f}, n = {len(texts)}")


def main() -> None:
    """The table."""
    before = memory_mb()
    ours = minilm.load(Path(state_path()) / "models", threads=THREADS)
    ours.encode_queries(["a question"])
    own_memory = memory_mb() - before
    beside(ours, passages(ours))
    print(f"memory of our encoder after a question: {own_memory:.0f} MB")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
