"""A tiny BERT made here goes through both real loaders, transformers and ONNX."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from corpus.encoding import hub, onnx_build
from corpus.encoding.base import Encoder
from corpus.encoding.text import OnnxTextEncoder
from flux_site.kernel.errors import ModelUnavailable

torch = pytest.importorskip("torch", reason="requirements/models.txt is not installed")
transformers = pytest.importorskip("transformers")

WORDS = ["the", "of", "and", "cell", "protein", "kinase", "binds", "activates", "gene", "tumour"]
PIECES = ["##s", "##ing", "il", "6", "-", ".", "1", "2", "a", "unknown"]
LONG = "the kinase binds the protein . " * 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny-bert")
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *PIECES]
    (path / "vocab.txt").write_text("\n".join(vocab))
    tokenizer = transformers.BertTokenizerFast(vocab=str(path / "vocab.txt"))
    tokenizer.save_pretrained(path)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(vocab),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(path, safe_serialization=True)
    (path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 32}))
    return path


@pytest.fixture(scope="module")
def reference(folder: Path) -> Encoder:
    return hub.load(hub.HubModel(name="tiny", path=folder))


@pytest.fixture(scope="module")
def converted(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> OnnxTextEncoder:
    cache = tmp_path_factory.mktemp("models")
    graph = onnx_build.write(onnx_build.build(folder), cache / "tiny")
    return OnnxTextEncoder(
        name="tiny-onnx",
        graph=graph,
        tokenizer=folder / "tokenizer.json",
        dimension=32,
        window=32,
        weights_sha256=hub.weights_sha256(folder),
    )


def test_the_onnx_graph_gives_the_reference_vectors(
    reference: Encoder, converted: OnnxTextEncoder
) -> None:
    texts = ["the kinase binds", "tumours", "il-6 activates the gene. " * 3, "unknown words here"]
    ours, theirs = converted.encode_passages(texts), reference.encode_passages(texts)
    assert np.allclose(ours, theirs, atol=1e-5)
    assert len({tuple(row.round(4)) for row in ours}) == len(texts)  # four texts, four vectors


@pytest.mark.slow
def test_both_agree_on_what_fits(reference: Encoder, converted: OnnxTextEncoder) -> None:
    assert reference.max_tokens == converted.max_tokens == 30
    assert reference.windows(LONG) == converted.windows(LONG)
    assert reference.count_tokens(LONG) == converted.count_tokens(LONG) == 72


def test_a_passage_that_does_not_fit_is_refused_by_both(
    reference: Encoder, converted: OnnxTextEncoder
) -> None:
    for encoder in (reference, converted):
        with pytest.raises(ValueError, match="window"):
            encoder.encode_passages([LONG])


def test_a_prefix_takes_its_place_in_every_window(folder: Path) -> None:
    prefixed = hub.load(hub.HubModel(name="p", path=folder, passage_prefix="the gene . "))
    spans = prefixed.windows(LONG)
    assert len(spans) == 3
    assert prefixed.encode_passages([LONG[a:b] for a, b in spans]).shape == (3, 32)


def test_cls_pooling_is_taken_from_the_folder(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    mean = hub.load(hub.HubModel(name="mean", path=folder)).encode_passages(["the kinase binds"])
    first = hub.load(hub.HubModel(name="cls", path=tmp_path)).encode_passages(["the kinase binds"])
    assert float((mean * first).sum()) < 0.999


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"config\.json"):
        hub.load(hub.HubModel(name="none", path=tmp_path))
    with pytest.raises(ModelUnavailable, match="cache"):
        hub.load(hub.HubModel(name="none", repo_id="nobody/not-a-model-anywhere"))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelUnavailable, match="safetensors"):
        hub.load(hub.HubModel(name="none", path=tmp_path))


def test_another_architecture_is_refused_by_the_onnx_builder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2", "hidden_act": "gelu"}')
    with pytest.raises(ModelUnavailable, match="BERT"):
        onnx_build.build(tmp_path)
