"""A text encoder on ONNX Runtime: own batching, dynamic padding, mean pooling."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

from corpus.encoding.base import COUNTER, Modality, Span, Vectors, unit
from corpus.encoding.windows import cut
from flux_site.kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    import onnxruntime

BATCH_TOKENS = (
    1024  # small batches stay in the processor's cache and keep memory low: faster than larger ones
)
SPECIAL_TOKENS = 2  # [CLS] … [SEP]
QUERY_CHARS = 20_000  # far beyond any window; the rest of an absurd question is not even tokenised


class OnnxTextEncoder:
    """Mean-pooled BERT states as unit vectors. Safe to call from several threads."""

    modality: Modality = "text"

    def __init__(
        self,
        *,
        name: str,
        graph: Path,
        tokenizer: Path,
        dimension: int,
        window: int,
        weights_sha256: str,
        threads: int = 0,
    ) -> None:
        """`window` counts special tokens too; `threads` = 0 leaves their number to the runtime."""
        self.name = name
        self.dimension = dimension
        self.max_tokens = window - SPECIAL_TOKENS
        self.weights_sha256 = weights_sha256
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        # Shipped tokenizers often pad and truncate by themselves; both are decided here.
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._cls, self._sep = (_special(self._tokenizer, mark) for mark in ("[CLS]", "[SEP]"))
        self._session = _session(graph, threads)

    def count_tokens(self, text: str) -> int:
        """Word pieces of the text."""
        return len(self._tokens(text).ids)

    def windows(self, text: str, *, reserve: int = 0) -> list[Span]:
        """Spans that fit, ending at sentences where one is near."""
        encoded = self._tokens(text)
        # A word piece that starts with ## continues a word: cutting before it would change its
        # tokens.
        starts = [not token.startswith("##") for token in encoded.tokens]
        return cut(text, encoded.offsets, starts, size=self.max_tokens - reserve)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) unit vectors."""
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        if any(len(item.ids) > self.max_tokens for item in encoded):
            raise ValueError("a passage is longer than the encoder's window")
        return self._encode([item.ids for item in encoded])

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) unit vectors; word pieces beyond the window are left out."""
        cut_texts = [text[:QUERY_CHARS] for text in texts]
        encoded = self._tokenizer.encode_batch(cut_texts, add_special_tokens=False)
        return self._encode([item.ids[: self.max_tokens] for item in encoded])

    def _tokens(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def _encode(self, token_ids: Sequence[list[int]]) -> Vectors:
        vectors = np.zeros((len(token_ids), self.dimension), dtype=np.float32)
        for rows in batches([len(ids) + SPECIAL_TOKENS for ids in token_ids], budget=BATCH_TOKENS):
            ids, mask = self._padded([token_ids[row] for row in rows])
            states = self._session.run(["tokens"], {"input_ids": ids, "attention_mask": mask})[0]
            COUNTER.add(len(rows))
            vectors[rows] = _mean(states, mask)
        return unit(vectors)

    def _padded(
        self, token_ids: Sequence[list[int]]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        width = max(map(len, token_ids)) + SPECIAL_TOKENS
        ids = np.zeros((len(token_ids), width), dtype=np.int32)
        mask = np.zeros((len(token_ids), width), dtype=np.int32)
        for row, pieces in enumerate(token_ids):
            ids[row, : len(pieces) + SPECIAL_TOKENS] = [self._cls, *pieces, self._sep]
            mask[row, : len(pieces) + SPECIAL_TOKENS] = 1
        return ids, mask


def _special(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ModelUnavailable(
            f"The tokenizer lacks the token {token}; it is not a BERT tokenizer."
        )
    return found


def _mean(states: npt.NDArray[np.float32], mask: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
    """Mean of the states of the real tokens; special tokens count, as the weights were trained
    so.
    """
    weights = mask[..., None].astype(np.float32)
    return np.asarray((states * weights).sum(axis=1) / weights.sum(axis=1), dtype=np.float32)


def batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Group row numbers, longest first, so that rows times the longest row stays within `budget`
    tokens.

    Equal lengths stand together, so little is padded. A row longer than the budget stands alone.
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def _session(graph: Path, threads: int) -> onnxruntime.InferenceSession:
    # Not at the top: the library starts threads when it is imported, which a forked worker lacks.
    # One of them reports its use to the maker; this product talks to nobody unasked.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for ever
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads sleep
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
