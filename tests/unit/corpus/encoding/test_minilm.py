"""The default encoder, with its real weights."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from corpus.encoding import minilm
from corpus.encoding.base import COUNTER, Encoder
from corpus.encoding.hashing import HashingEncoder
from corpus.encoding.onnx_build import DATA_FILE
from corpus.encoding.registry import DEFAULT_ENCODER, encoders, register_defaults
from corpus.encoding.text import batches
from flux_site.kernel.errors import ModelUnavailable


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def encoder(cache: Path) -> Encoder:
    return minilm.load(cache, threads=1)


def test_near_meanings_are_nearer_than_far_ones(encoder: Encoder) -> None:
    passages = encoder.encode_passages(
        ["Imatinib inhibits the BCR-ABL kinase.", "The museum opens at nine on Sundays."]
    )
    query = encoder.encode_queries(["Which drug blocks BCR-ABL?"])[0]
    near, far = passages @ query
    assert near > far + 0.3
    assert np.allclose(np.linalg.norm(passages, axis=1), 1.0, atol=1e-5)
    assert passages.dtype == np.float32
    assert passages.shape == (2, encoder.dimension)


def test_batching_and_padding_do_not_change_a_vector(encoder: Encoder) -> None:
    texts = ["short", "a much longer text about kinases and their inhibitors " * 8, "p53"]
    together = encoder.encode_passages(texts)
    alone = np.concatenate([encoder.encode_passages([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)


def test_a_long_text_takes_windows_and_loses_nothing(encoder: Encoder) -> None:
    text = "Interleukin-6 activates STAT3 in hepatocytes. " * 60
    spans = encoder.windows(text)
    assert len(spans) > 1
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")
    assert all(encoder.count_tokens(text[a:b]) <= encoder.max_tokens for a, b in spans)
    with pytest.raises(ValueError, match="window"):
        encoder.encode_passages([text])
    assert encoder.encode_queries([text]).shape == (1, encoder.dimension)


def test_the_counter_counts_what_reaches_the_model(encoder: Encoder) -> None:
    before = COUNTER.read()
    encoder.encode_passages(["one", "two", "three"])
    encoder.encode_passages([])
    after = COUNTER.read()
    assert (after.calls - before.calls, after.texts - before.texts) == (1, 3)


@pytest.mark.slow
def test_threads_share_one_encoder(encoder: Encoder) -> None:
    texts = [f"gene number {number}" for number in range(8)]
    expected = encoder.encode_passages(texts)
    results: dict[int, np.ndarray] = {}

    def work(number: int) -> None:
        results[number] = encoder.encode_passages([texts[number]])[0]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.allclose(np.stack([results[n] for n in range(8)]), expected, atol=1e-5)


def test_batches_hold_every_row_once_within_the_budget() -> None:
    lengths = [3, 900, 1, 40, 40, 2000, 7]
    groups = list(batches(lengths, budget=1024))
    assert sorted(row for group in groups for row in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[row] for row in group) <= 1024


@pytest.mark.slow
def test_preparing_again_changes_nothing_and_mends_a_broken_folder(tmp_path: Path) -> None:
    graph = minilm.prepare(tmp_path)
    stamp = graph.stat().st_mtime_ns
    assert minilm.prepare(tmp_path) == graph
    assert graph.stat().st_mtime_ns == stamp
    (graph.parent / DATA_FILE).unlink()
    minilm.prepare(tmp_path)
    assert (graph.parent / DATA_FILE).exists()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_wrong_or_missing_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="damaged"):
        minilm.prepare(tmp_path, sha256="0" * 64)
    with pytest.raises(ModelUnavailable, match=r"weights\.txt"):
        minilm.prepare(tmp_path, package="no_such_weights")


def test_the_registry_builds_each_encoder_once(cache: Path) -> None:
    register_defaults(model_cache=cache, threads=1)
    assert encoders.get(DEFAULT_ENCODER) is encoders.get(DEFAULT_ENCODER)
    assert encoders.get("hashing").dimension == 64
    assert {DEFAULT_ENCODER, "hashing"} <= set(encoders.names())


def test_the_hashing_encoder_is_the_same_in_every_process() -> None:
    vector = HashingEncoder().encode_queries(["IL6 activates STAT3"])[0]
    assert np.flatnonzero(vector).tolist() == [0, 8, 12]
    assert HashingEncoder().weights_sha256.startswith("0c34f0b1")
