"""A BERT encoder's weights (safetensors) written down as an ONNX graph, without torch.

The graph uses ONNX Runtime's fused operators (domain com.microsoft), the same ones its own
optimiser puts in place of the plain form. The weights lie in a second file that the runtime maps
into memory, so that several processes share one copy of the word embeddings.
Architecture: Devlin et al., NAACL 2019, post-layer-norm; mean pooling: Reimers and Gurevych, EMNLP
2019.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from flux_site.kernel.errors import ModelUnavailable

if TYPE_CHECKING:
    import onnx

Array = npt.NDArray[np.float32]
FUSED = "com.microsoft"
OPSET = 20
IR_VERSION = 10
GRAPH_FILE = "model.onnx"
DATA_FILE = "model.onnx.data"
EMBED_BELOW_BYTES = 1024  # small constants stay in the graph file


class GraphWriter:
    """Collects nodes and weights of one graph; node outputs get running names."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: dict[str, Array] = {}

    def constant(self, name: str, array: npt.ArrayLike) -> str:
        """Keep a weight and return its name."""
        self.weights[name] = np.ascontiguousarray(array, dtype=np.float32)
        return name

    def node(
        self,
        operator: str,
        inputs: list[str],
        *,
        outputs: int = 1,
        domain: str = "",
        **attributes: Any,
    ) -> str:
        """Add an operator and return the name of its first output."""
        from onnx import helper

        names = [f"{operator}_{len(self.nodes)}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names[0]


def build(model_dir: Path) -> onnx.ModelProto:
    """The ONNX model of a BERT folder (config.json, model.safetensors).

    Inputs `input_ids`, `attention_mask`: int32 (batch, tokens). Output `tokens`: float32
    (batch, tokens, hidden), the last layer's states. Raises ModelUnavailable when the folder holds
    another architecture.
    """
    from safetensors.numpy import load_file

    config = json.loads((model_dir / "config.json").read_text())
    _check(config)
    weights = load_file(model_dir / "model.safetensors")
    weights = {name.removeprefix("bert."): array for name, array in weights.items()}
    graph = GraphWriter()
    state = _embeddings(graph, weights, config)
    for layer in range(config["num_hidden_layers"]):
        state = _layer(graph, weights, config, f"encoder.layer.{layer}.", state)
    return _model(graph, state, config["hidden_size"])


def _check(config: dict[str, Any]) -> None:
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        raise ModelUnavailable("The model folder does not hold a BERT encoder with GELU.")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise ModelUnavailable("Only absolute position embeddings can be turned into ONNX here.")


def _embeddings(graph: GraphWriter, weights: dict[str, Array], config: dict[str, Any]) -> str:
    part = "embeddings."
    # Every input is one segment, so its (constant) segment vector is added to the positions
    # beforehand.
    positions = (
        weights[part + "position_embeddings.weight"]
        + weights[part + "token_type_embeddings.weight"][0]
    )
    inputs = [
        "input_ids",
        "",
        graph.constant(part + "words", weights[part + "word_embeddings.weight"]),
        graph.constant(part + "positions", positions),
        "",
        graph.constant(part + "gamma", weights[part + "LayerNorm.weight"]),
        graph.constant(part + "beta", weights[part + "LayerNorm.bias"]),
    ]
    eps = config["layer_norm_eps"]
    return graph.node("EmbedLayerNormalization", inputs, outputs=2, domain=FUSED, epsilon=eps)


def _layer(
    graph: GraphWriter, weights: dict[str, Array], config: dict[str, Any], part: str, state: str
) -> str:
    projections = [f"{part}attention.self.{name}." for name in ("query", "key", "value")]
    packed = np.concatenate([weights[name + "weight"].T for name in projections], axis=1)
    bias = np.concatenate([weights[name + "bias"] for name in projections])
    attended = graph.node(
        "Attention",
        [
            state,
            graph.constant(part + "qkv.w", packed),
            graph.constant(part + "qkv.b", bias),
            "attention_mask",
        ],
        domain=FUSED,
        num_heads=config["num_attention_heads"],
    )
    eps = config["layer_norm_eps"]
    state = _residual(graph, weights, part + "attention.output.", attended, state, eps)
    widened = graph.node(
        "MatMul", [state, _transposed(graph, weights, part + "intermediate.dense.weight")]
    )
    wide_bias = graph.constant(part + "intermediate.b", weights[part + "intermediate.dense.bias"])
    active = graph.node("BiasGelu", [widened, wide_bias], domain=FUSED)
    return _residual(graph, weights, part + "output.", active, state, eps)


def _residual(
    graph: GraphWriter, weights: dict[str, Array], part: str, inner: str, state: str, eps: float
) -> str:
    """LayerNorm(dense(inner) + state)."""
    projected = graph.node("MatMul", [inner, _transposed(graph, weights, part + "dense.weight")])
    inputs = [
        projected,
        state,
        graph.constant(part + "gamma", weights[part + "LayerNorm.weight"]),
        graph.constant(part + "beta", weights[part + "LayerNorm.bias"]),
        graph.constant(part + "bias", weights[part + "dense.bias"]),
    ]
    return graph.node("SkipLayerNormalization", inputs, domain=FUSED, epsilon=eps)


def _transposed(graph: GraphWriter, weights: dict[str, Array], name: str) -> str:
    return graph.constant(name, weights[name].T)


def _model(graph: GraphWriter, state: str, hidden: int) -> onnx.ModelProto:
    from onnx import TensorProto, helper, numpy_helper

    graph.nodes.append(helper.make_node("Identity", [state], ["tokens"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["batch", "length", hidden])
    constants = [numpy_helper.from_array(array, name) for name, array in graph.weights.items()]
    made = helper.make_graph(graph.nodes, "bert", inputs, [output], constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)


def write(model: onnx.ModelProto, folder: Path) -> Path:
    """Write graph and weights as one folder that appears whole or not at all; returns the graph
    file.

    A folder that another process finished first stays.
    """
    import onnx

    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        onnx.save(
            model,
            str(scratch / GRAPH_FILE),
            save_as_external_data=True,
            all_tensors_to_one_file=True,
            location=DATA_FILE,
            size_threshold=EMBED_BELOW_BYTES,
        )
        for name in (GRAPH_FILE, DATA_FILE):
            _sync(scratch / name)
        if not is_complete(folder):
            _move(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder / GRAPH_FILE


def is_complete(folder: Path) -> bool:
    """Whether both files of a model stand there."""
    return all((folder / name).exists() for name in (GRAPH_FILE, DATA_FILE))


def _move(scratch: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)  # what an accident left incomplete
    try:
        scratch.rename(folder)
    except OSError:
        if not is_complete(folder):  # else another process was quicker
            raise


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
