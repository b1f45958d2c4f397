"""A tiny encoder without weights: words hashed into signed slots.

It is chosen by name only (tests, a look at the plumbing), never as a stand-in for a missing model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from corpus.encoding.base import COUNTER, Modality, Span, Vectors, unit
from corpus.encoding.windows import cut

WORD = re.compile(r"\w+")
VERSION = "hashing-1"


@lru_cache(maxsize=65_536)
def _slot(word: str) -> tuple[int, float]:
    digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "big"), 1.0 if digest[4] & 1 else -1.0


class HashingEncoder:
    """Feature hashing (Weinberger et al., ICML 2009): sum of signed word slots, square root of
    counts.
    """

    modality: Modality = "text"

    def __init__(
        self, name: str = "hashing", *, dimension: int = 64, max_tokens: int = 256
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.max_tokens = max_tokens
        self.weights_sha256 = hashlib.sha256(f"{VERSION}:{dimension}".encode()).hexdigest()

    def count_tokens(self, text: str) -> int:
        """Words of the text."""
        return sum(1 for _ in WORD.finditer(text))

    def windows(self, text: str, *, reserve: int = 0) -> list[Span]:
        """Spans of at most `max_tokens - reserve` words."""
        offsets = [match.span() for match in WORD.finditer(text)]
        return cut(text, offsets, [True] * len(offsets), size=self.max_tokens - reserve)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) unit vectors; a text without words gives zeros."""
        for text in texts:
            if self.count_tokens(text) > self.max_tokens:
                raise ValueError("a passage is longer than the encoder's window")
        return self._encode(texts)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As passages; words beyond the window are left out."""
        return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            words = [match.group() for match in WORD.finditer(text.casefold())][: self.max_tokens]
            for word in words:
                slot, sign = _slot(word)
                vectors[row, slot % self.dimension] += sign
        COUNTER.add(len(texts))
        return unit(np.sign(vectors) * np.sqrt(np.abs(vectors)))
