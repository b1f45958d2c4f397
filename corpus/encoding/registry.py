"""The one list of encoders. Each is loaded when it is first asked for."""

from __future__ import annotations

from pathlib import Path

from corpus.encoding import minilm
from corpus.encoding.base import Encoder
from corpus.encoding.hashing import HashingEncoder
from flux_site.kernel.registry import Registry

DEFAULT_ENCODER = minilm.NAME
HASHING_ENCODER = "hashing"

encoders: Registry[Encoder] = Registry("encoder")


def register_defaults(*, model_cache: Path, threads: int = 0) -> None:
    """Register what needs nothing but the installed packages: called once, when the apps are ready.

    `model_cache` keeps the ONNX files; `threads` is the number of processor threads of one
    encoding.
    """
    encoders.register(DEFAULT_ENCODER, lambda: minilm.load(model_cache, threads=threads))
    encoders.register(HASHING_ENCODER, lambda: HashingEncoder(HASHING_ENCODER))


def warm_up(name: str = "") -> None:
    """Load an encoder and run it once, so that the first question does not wait for it."""
    encoders.get(name or DEFAULT_ENCODER).encode_queries(["warm-up"])
