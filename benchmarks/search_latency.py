"""Search at size: p50/p95 and recall by share of the rows allowed. `bin/bench search_latency
[ROWS]`

An installation of its own is filled with made-up passages: vectors of topics, documents and noise
with about as many real dimensions as those of papers have, texts of words as frequent as words
are. All of `services.search` is timed but the encoder, whose place a drawn vector takes; recall is
that of the dense leg's first 20 against exact search. Rows of the table are shares of the corpora
that are searched.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.installation import ADMIN, ROOT, installation, p50_p95, table
from flux_site.runtime.state import Installation as Stored
from flux_site.runtime.state import StateFolder, part_environment

if TYPE_CHECKING:
    from corpus.models import Corpus

ROWS = 20_000
CORPORA = 40
PER_DOCUMENT = 8
DIMENSION = 384
INTRINSIC = 20  # dimensions in which passages really differ
TOPICS = 300
WORDS_A_PASSAGE = 60
VOCABULARY = 30_000
SHARES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.01)
QUESTIONS = 60
SEED = 7
NAME = "synthetic"
INDEX_WAIT_S = 1800.0


class Drawn:
    """Vectors of one made-up library: topic, document and passage, in that order of weight."""

    def __init__(self) -> None:
        generator = np.random.default_rng(SEED)
        self._projection = generator.normal(size=(INTRINSIC, DIMENSION))
        self._topics = generator.normal(size=(TOPICS, INTRINSIC))

    def documents(self, generator: np.random.Generator, count: int) -> np.ndarray:
        """(count, PER_DOCUMENT, DIMENSION) unit vectors."""
        topic = self._topics[generator.integers(TOPICS, size=count)]
        document = topic + 0.6 * generator.normal(size=(count, INTRINSIC))
        passage = document[:, None] + 0.4 * generator.normal(size=(count, PER_DOCUMENT, INTRINSIC))
        vectors = passage @ self._projection
        vectors += 0.3 * generator.normal(size=vectors.shape) * np.sqrt(INTRINSIC)
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

    def question(self, text: str) -> np.ndarray:
        """The vector of a question: always the same for a text."""
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        return self.documents(np.random.default_rng(seed), 1)[0, 0]


class DrawnEncoder:
    """Takes the encoder's place, so that search alone is timed."""

    name, modality, dimension, max_tokens = NAME, "text", DIMENSION, 256
    weights_sha256 = "0" * 64

    def __init__(self, drawn: Drawn) -> None:
        self._drawn = drawn

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """One drawn vector a question."""
        return np.stack([self._drawn.question(text) for text in texts]).astype(np.float32)


def words(generator: np.random.Generator, count: int) -> str:
    """Made-up words, the n-th most frequent one 1/n as often as the first."""
    ranks = np.minimum(generator.zipf(1.2, size=count), VOCABULARY)
    return " ".join(f"w{rank:x}q" for rank in ranks)


def sizes(rows: int) -> list[int]:
    """Documents by corpus: a few large, many small."""
    weights = 1.0 / np.arange(1, CORPORA + 1)
    return [max(1, int(share * rows / PER_DOCUMENT)) for share in weights / weights.sum()]


def fill(rows: int, drawn: Drawn) -> Any:
    """Write the library straight into the tables; gives the encoder's row."""
    from django.db import connection

    from accounts.models import User
    from corpus.models import Encoder
    from corpus.services import corpora, embedding

    owner = User.objects.get(email=ADMIN)
    encoder = Encoder.objects.create(
        name=NAME, dimension=DIMENSION, weights_sha256=DrawnEncoder.weights_sha256
    )
    generator = np.random.default_rng(SEED)
    for number, count in enumerate(sizes(rows)):
        corpus = corpora.create(f"c{number}", owner.personal_team, by=owner)
        documents = _documents(corpus, number, count)
        with connection.cursor() as cursor:
            chunks = _chunks(cursor, corpus.pk, documents, generator)
            _vectors(cursor, corpus.pk, encoder.pk, chunks, drawn, generator)
            cursor.execute(
                "UPDATE corpus_corpus SET chunk_count = %s, document_count = %s WHERE id = %s",
                [len(chunks), count, corpus.pk],
            )
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '1GB'")
        started = time.perf_counter()
        embedding.make_index(encoder)
        print(f"graph index built in {time.perf_counter() - started:.0f} s")
        cursor.execute("ANALYZE")
    return encoder


def _documents(corpus: Corpus, number: int, count: int) -> list[int]:
    from corpus.models import Document

    made = Document.objects.bulk_create(
        (
            Document(
                **{"corpus": corpus, "source": "jsonl", "external_id": f"d{number}-{n}"},
                **{"type": "article", "title": f"Title {n}"},
                **{"year": 1990 + n % 35, "retracted": n % 100 == 0},
            )
            for n in range(1, count + 1)
        ),
        batch_size=1_000,
    )
    return [document.pk for document in made]


def _chunks(
    cursor: Any, corpus: int, documents: Sequence[int], generator: np.random.Generator
) -> list[int]:
    cursor.execute(
        "SELECT nextval('corpus_chunk_id_seq') FROM generate_series(1, %s)",
        [len(documents) * PER_DOCUMENT],
    )
    ids = [row[0] for row in cursor.fetchall()]
    columns = (
        "id, public_id, document_id, corpus_id, content_type, chunk_index, text, text_sha256, "
        "section_path, char_start, char_end, lines, fields"
    )
    with cursor.copy(f"COPY corpus_chunk ({columns}) FROM STDIN") as copy:
        for place, chunk in enumerate(ids):
            public_id = np.base_repr(chunk, 16).lower().zfill(32)
            text = words(generator, WORDS_A_PASSAGE)
            document = documents[place // PER_DOCUMENT]
            place_in_it = place % PER_DOCUMENT
            row = (chunk, public_id, document, corpus, "text", place_in_it, text, b"", "{}", 0)
            copy.write_row((*row, len(text), "[]", "{}"))
    return ids


def _vectors(
    cursor: Any,
    corpus: int,
    encoder: int,
    chunks: Sequence[int],
    drawn: Drawn,
    generator: np.random.Generator,
) -> None:
    columns = 'chunk_id, encoder_id, "window", corpus_id, text_sha256, vector'
    with cursor.copy(f"COPY corpus_chunkvector ({columns}) FROM STDIN") as copy:
        for start in range(0, len(chunks), 1000 * PER_DOCUMENT):
            batch = chunks[start : start + 1000 * PER_DOCUMENT]
            vectors = drawn.documents(generator, len(batch) // PER_DOCUMENT)
            for chunk, vector in zip(batch, vectors.reshape(-1, DIMENSION), strict=True):
                literal = "[" + ",".join(f"{value:.4f}" for value in vector) + "]"
                copy.write_row((chunk, encoder, 0, corpus, b"", literal))


def wait_for_words(root: Path) -> None:
    """Until the installation's own follower has indexed every corpus."""
    from corpus.models import Corpus
    from retrieval.legs.lexical import reader_of
    from retrieval.lexical.index import IndexFolders

    expected = dict(
        Corpus.objects.filter(chunk_count__gt=0).values_list("public_id", "chunk_count")
    )
    for corpus in expected:  # written past the change log: ask for them to be built anew
        IndexFolders(root).suspect(corpus)
    deadline = time.monotonic() + INDEX_WAIT_S
    while time.monotonic() < deadline:
        opened = {corpus: reader_of(root).open(corpus) for corpus in expected}
        if all(opened[c] and opened[c].searcher.num_docs == n for c, n in expected.items()):
            return
        time.sleep(1)
    raise TimeoutError("the follower has not indexed the library")


def scopes() -> Iterator[tuple[float, list[str]]]:
    """For each share of all rows, corpora that together come near it: small ones where they fit."""
    from corpus.models import Corpus

    known = list(Corpus.objects.filter(chunk_count__gt=0).order_by("-chunk_count"))
    total = sum(corpus.chunk_count for corpus in known)
    for share in SHARES:
        chosen, rows = [], 0
        for corpus in known:
            if rows + corpus.chunk_count <= share * total * 1.05:
                chosen.append(str(corpus.public_id))
                rows += corpus.chunk_count
        yield rows / total, chosen


def measure(encoder: Any, drawn: Drawn) -> None:
    """The table."""
    from accounts.models import User
    from retrieval.services.search import search

    reader = User.objects.get(email=ADMIN)
    generator = np.random.default_rng(SEED + 1)
    asked = [words(generator, 7) for _ in range(QUESTIONS)]
    rows = []
    for share, corpora in scopes():
        taken, legs, methods = [], [], set()
        for question in asked[:3] + asked:
            result = search(question, reader=reader, corpora=corpora)
            taken.append(result.timings["total_ms"])
            legs.append((result.timings["dense_ms"], result.timings["lexical_ms"]))
            methods.add(next(s.detail for s in result.trace if s.stage == "search").split(",")[0])
        recall = np.mean([recall_at_20(encoder, drawn, q, corpora) for q in asked[:30]])
        dense = [one for one, _ in legs[3:]]
        times = (p50_p95(taken[3:]), p50_p95(dense))
        plans = "; ".join(sorted(methods))
        rows.append((f"{share:.1%}", len(corpora), *times, f"{recall:.3f}", plans))
    table(["rows", "corpora", "search ms p50 / p95", "dense ms", "recall@20", "plan"], rows)


def recall_at_20(encoder: Any, drawn: Drawn, question: str, corpora: Sequence[str]) -> float:
    """Share of the truly nearest 20 that the dense leg finds."""
    from corpus.models import Corpus
    from retrieval.legs import dense
    from retrieval.types import NO_FILTERS

    scope = Corpus.objects.filter(public_id__in=corpora)
    query = dense.DenseQuery(
        encoder.pk,
        DIMENSION,
        drawn.question(question).astype(np.float32),
        list(scope.values_list("pk", flat=True)),
        NO_FILTERS,
    )
    allowed = sum(scope.values_list("chunk_count", flat=True))
    total = sum(Corpus.objects.values_list("chunk_count", flat=True))
    found, _ = dense.search(query, limit=50, allowed_rows=allowed, total_rows=total)
    exact, _ = dense.search(query, limit=20, allowed_rows=0, total_rows=total)
    return len({h.chunk for h in found[:20]} & {h.chunk for h in exact}) / max(1, len(exact))


def main() -> None:
    """Fill, wait, measure."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with installation() as made:
        folder = StateFolder(made.state)
        os.environ |= part_environment(Stored.load(folder), folder, os.environ)
        os.environ["DEFAULT_ENCODER"] = NAME
        import django

        django.setup()
        from corpus.encoding.registry import encoders

        drawn = Drawn()
        encoders.register(NAME, lambda: DrawnEncoder(drawn))
        encoder = fill(rows, drawn)
        wait_for_words(made.state / "lexical")
        print(f"{rows:,} rows in {CORPORA} corpora")
        measure(encoder, drawn)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
