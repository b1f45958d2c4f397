"""Chunks that break where the subject changes: for pathway summaries and other text without
layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.chunking.layout import chunks_of
from corpus.chunking.packing import pack
from corpus.chunking.placing import Unit
from corpus.types import ChunkDraft, NormalizedDocument

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]] | NDArray[np.floating]]

PERCENTILE = 75.0
MIN_CHARS = 300


def chunk_by_meaning(
    document: NormalizedDocument,
    *,
    embed: Embed,
    target: int,
    minimum: int = MIN_CHARS,
    percentile: float = PERCENTILE,
) -> list[ChunkDraft]:
    """Break body text where the distance of consecutive sentences passes the percentile of its run.

    `embed` turns n texts into (n, d) vectors of any length. Chunks have at least `minimum`
    characters where the section has them, at most `target` unless one sentence is longer. Pages and
    sections hold as in the layout.
    """

    def group(text: str, units: Sequence[Unit]) -> list[tuple[int, int]]:
        if len(units) < 3:
            return pack(units, target=target, overlap=False)
        vectors = np.asarray(embed([text[u.start : u.end] for u in units]), dtype=np.float64)
        cuts = break_points(vectors, percentile=percentile)
        return _sized(units, cuts, minimum=minimum, target=target)

    return list(chunks_of(document, target, group))


def break_points(vectors: NDArray[np.float64], *, percentile: float = PERCENTILE) -> list[int]:
    """Indices of sentences that open a new subject: their cosine distance to the one before is
    above the percentile.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(norms > 0, norms, 1.0)
    distances = 1.0 - np.einsum("ij,ij->i", unit[:-1], unit[1:])
    threshold = float(np.percentile(distances, percentile))
    return [i + 1 for i, distance in enumerate(distances) if distance > threshold]


def _sized(
    units: Sequence[Unit], cuts: list[int], *, minimum: int, target: int
) -> list[tuple[int, int]]:
    """Join groups that are too small to the next (the last one to the one before), cut those
    that are too large.
    """
    groups: list[tuple[int, int]] = []
    first = 0
    for cut in (*cuts, len(units)):
        if cut < len(units) and units[cut - 1].end - units[first].start < minimum:
            continue
        groups.append((first, cut))
        first = cut
    if len(groups) > 1:
        start, end = groups[-1]
        if units[end - 1].end - units[start].start < minimum:
            groups[-2:] = [(groups[-2][0], end)]
    return [
        (start + a, start + b)
        for start, end in groups
        for a, b in pack(units[start:end], target=target, overlap=False)
    ]
