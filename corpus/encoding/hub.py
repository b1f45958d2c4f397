"""Reference loader: a text model of the transformers library from a folder or the hub's cache.

torch and transformers are optional (requirements/models.txt) and imported only here. Nothing is
downloaded: a model that is not on this machine is a ModelUnavailable that says what to put where.
Only safetensors weights are read, and no code that a model folder brings along is run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from corpus.encoding.base import COUNTER, Encoder, Modality, Span, Vectors, unit
from corpus.encoding.text import BATCH_TOKENS, QUERY_CHARS, batches
from corpus.encoding.windows import cut
from flux_site.kernel.errors import ModelUnavailable

Pooling = Literal["mean", "cls"]
INSTALL = "install requirements/models.txt"
FALLBACK_WINDOW = 512  # where neither the spec nor the folder names one


@dataclass(frozen=True, slots=True)
class HubModel:
    """Where a model lies and how its states become vectors.

    `path` is a local folder; without it, `repo_id` at `revision` is looked for in the hub's cache.
    Prefixes go before every text (models of the E5 family want them). `window` counts special
    tokens; 0 takes the folder's own.
    """

    name: str
    path: Path | None = None
    repo_id: str = ""
    revision: str = ""
    pooling: Pooling | None = None
    window: int = 0
    query_prefix: str = ""
    passage_prefix: str = ""

    def folder(self) -> Path:
        """The folder on this machine. Raises ModelUnavailable when there is none."""
        found = self.path if self.path is not None else _cached(self.repo_id, self.revision)
        if not (found / "config.json").is_file():
            raise ModelUnavailable(f"{self.name}: {found} holds no config.json of a model.")
        if not list(found.glob("*.safetensors")):
            raise ModelUnavailable(f"{self.name}: {found} holds no safetensors weights.")
        return found


def _cached(repo_id: str, revision: str) -> Path:
    if not repo_id:
        raise ModelUnavailable("The model has neither a path nor a hub name.")
    try:
        from huggingface_hub import snapshot_download
    except ImportError as missing:
        raise ModelUnavailable(f"The hub's cache cannot be read: {INSTALL}.") from missing
    try:
        return Path(snapshot_download(repo_id, revision=revision or None, local_files_only=True))
    except (OSError, ValueError) as absent:
        raise ModelUnavailable(
            f"{repo_id} is not in the hub's cache of this machine; "
            "download it there beforehand or give the path of a local folder."
        ) from absent


def load(model: HubModel, *, threads: int = 0) -> Encoder:
    """The encoder of a folder, on the CPU. Raises ModelUnavailable with what is missing."""
    folder = model.folder()
    try:
        import torch
        import transformers
    except ImportError as missing:
        raise ModelUnavailable(
            f"{model.name} needs torch and transformers: {INSTALL}."
        ) from missing
    if threads:
        torch.set_num_threads(threads)
    options = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, use_fast=True, **options)
        network = transformers.AutoModel.from_pretrained(folder, use_safetensors=True, **options)
    except (OSError, ValueError, KeyError) as broken:
        raise ModelUnavailable(f"{model.name}: {folder} cannot be loaded: {broken}") from broken
    return TorchTextEncoder(model, folder, tokenizer, network.eval())


class TorchTextEncoder:
    """A transformers model as an encoder; slower than the ONNX one and the measure of it."""

    modality: Modality = "text"

    def __init__(self, model: HubModel, folder: Path, tokenizer: Any, network: Any) -> None:
        self.name = model.name
        self.dimension = int(network.config.hidden_size)
        self.weights_sha256 = weights_sha256(folder)
        self._spec = model
        self._pooling = model.pooling or folder_pooling(folder)
        self._tokenizer = tokenizer
        self._network = network
        self._before, self._after = self._special_tokens()
        special = len(self._before) + len(self._after)
        self.max_tokens = (model.window or folder_window(folder)) - special
        # The prefix of a passage stands in every window, so it counts as used.
        self._prefix_tokens = len(self._ids(model.passage_prefix)) if model.passage_prefix else 0

    def count_tokens(self, text: str) -> int:
        """Tokens without the special ones."""
        return len(self._ids(text))

    def windows(self, text: str, *, reserve: int = 0) -> list[Span]:
        """Spans that fit with the prefix and `reserve` more tokens."""
        encoded = self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        words = encoded.word_ids()
        starts = [index == 0 or words[index] != words[index - 1] for index in range(len(words))]
        offsets = [(int(start), int(end)) for start, end in encoded["offset_mapping"]]
        return cut(text, offsets, starts, size=self.max_tokens - self._prefix_tokens - reserve)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) unit vectors."""
        ids = [self._ids(self._spec.passage_prefix + text) for text in texts]
        if any(len(item) > self.max_tokens for item in ids):
            raise ValueError("a passage is longer than the encoder's window")
        return self._encode(ids)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) unit vectors; tokens beyond the window are left out."""
        cut_texts = [self._spec.query_prefix + text[:QUERY_CHARS] for text in texts]
        return self._encode([self._ids(text)[: self.max_tokens] for text in cut_texts])

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _special_tokens(self) -> tuple[list[int], list[int]]:
        """What the tokenizer puts before and after a text."""
        bare = self._ids("a")
        whole = list(self._tokenizer("a", verbose=False)["input_ids"])
        for start in range(len(whole) - len(bare) + 1):
            if whole[start : start + len(bare)] == bare:
                return whole[:start], whole[start + len(bare) :]
        raise ModelUnavailable(f"{self.name}: its tokenizer changes a text between special tokens.")

    def _encode(self, token_ids: Sequence[list[int]]) -> Vectors:
        vectors = np.zeros((len(token_ids), self.dimension), dtype=np.float32)
        rows_ids = [[*self._before, *ids, *self._after] for ids in token_ids]
        for rows in batches([len(ids) for ids in rows_ids], budget=BATCH_TOKENS):
            vectors[rows] = self._forward([rows_ids[row] for row in rows])
            COUNTER.add(len(rows))
        return unit(vectors)

    def _forward(self, rows: Sequence[list[int]]) -> Vectors:
        import torch

        width = max(map(len, rows))
        pad = self._tokenizer.pad_token_id or 0
        ids = torch.tensor([row + [pad] * (width - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        with torch.inference_mode():
            states = self._network(input_ids=ids, attention_mask=mask).last_hidden_state
            if self._pooling == "cls":
                pooled = states[:, 0]
            else:
                weights = mask.unsqueeze(-1).float()
                pooled = (states * weights).sum(1) / weights.sum(1)
        return np.asarray(pooled.float().numpy(), dtype=np.float32)


def folder_pooling(folder: Path) -> Pooling:
    """What a sentence-transformers folder says of its pooling; the mean where it says nothing."""
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return "mean"
    config = json.loads(path.read_text())
    return "cls" if config.get("pooling_mode_cls_token") else "mean"


def folder_window(folder: Path) -> int:
    """The longest input of a folder's model, in tokens with the special ones."""
    sentence = folder / "sentence_bert_config.json"
    if sentence.is_file():
        stated = json.loads(sentence.read_text()).get("max_seq_length")
        if stated:
            return int(stated)
    config = json.loads((folder / "config.json").read_text())
    return int(config.get("max_position_embeddings") or FALLBACK_WINDOW)


def weights_sha256(folder: Path) -> str:
    """One hash over all weight files of a folder, by name."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as stream:
            total.update(path.name.encode() + hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()
