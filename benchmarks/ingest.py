"""Where the time of ingestion goes, stage by stage: `bin/bench ingest [SHARED_DATA] [RECORDS]`

In an installation of its own, through the services that the workers call, twenty records a batch.
"take in" is what a live fetch or an upload leaves to be done: bytes to the store and out of it,
unpacked (a live source's own pace is its quota). Passages are embedded first, then they are split
into statements and these are embedded, so that the price of each is seen. Last, the encoder beside
sentence-transformers in turn, over the passages just stored.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.installation import ADMIN, ROOT, installation, table
from flux_site.runtime.state import Installation as Stored
from flux_site.runtime.state import StateFolder, part_environment

SETS = {
    "pubmed": ["pubmed"],
    "jats": ["jats"],
    "reactome": ["reactome/pathway_summations_human_v76.jsonl.gz"],
    "pdf": ["pdf/pairs"],
}
RECORDS = 100
FEWER = {"jats": 2, "pdf": 1}  # long ones: each has a hundred passages
BATCH = 20
STAGES = (
    *("take in", "parse", "normalise", "chunk", "store", "link"),
    *("embed passages", "propositions", "embed statements"),
)


def _never() -> bool:
    return False


@dataclass
class Meter:
    """Seconds on the clock and of this process's processor, by stage."""

    wall: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    cpu: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts what runs within."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall[name] += time.perf_counter() - wall
        self.cpu[name] += time.process_time() - cpu


def files(data: Path, source: str) -> list[Path]:
    """Files of a set that its source reads."""
    from corpus.sources.registry import SOURCES

    found = [data / name for name in SETS[source]]
    every = [p for f in found for p in (sorted(f.rglob("*")) if f.is_dir() else [f])]
    return [path for path in every if path.is_file() and SOURCES[source].reads(path.name)]


def records(source: str, paths: Sequence[Path], meter: Meter) -> Iterator[Any]:
    """Records that can be read, one after the other."""
    from corpus.sources.base import Broken, NotThisSource, ParseError
    from corpus.sources.files import open_payload
    from corpus.sources.registry import SOURCES
    from flux_site.kernel import blobs

    for path in paths:
        with meter.stage("take in"):
            payload, name = open_payload(blobs.get(blobs.put(path.read_bytes())), path.name)
        found = iter(SOURCES[source].parse(payload, name))
        while True:
            try:
                with meter.stage("parse"):
                    record = next(found, None)
            except (NotThisSource, ParseError):
                break  # files of another kind stand among them on purpose
            if record is None:
                break
            if not isinstance(record, Broken):
                yield record


def put_in(source: str, batch: Sequence[Any], corpus: Any, meter: Meter) -> None:
    """All stages of some records."""
    from corpus.services import embedding, fingerprint, linking, propositions, store
    from corpus.sources.registry import SOURCES

    with meter.stage("normalise"):
        documents = [SOURCES[source].normalize(record) for record in batch]
    with meter.stage("chunk"):
        prepared = [
            store.prepare(one, store.Origin("0" * 64, at), fingerprint.of_document(one))
            for at, one in enumerate(documents)
        ]
    with meter.stage("store"):
        pks = [row.pk for row in store.swap_in_all(corpus, prepared)]
    with meter.stage("link"):
        linking.link(pks, _never)
    with meter.stage("embed passages"):
        embedding.embed_missing(pks)
    with meter.stage("propositions"):
        propositions.remake(pks, _never)
    with meter.stage("embed statements"):
        embedding.embed_missing(pks)


def measured(source: str, data: Path, most: int, owner: Any) -> list[tuple[object, ...]]:
    """The rows of one source."""
    from corpus.models import Chunk
    from corpus.services import corpora, lexicons, propositions

    corpus = corpora.create(f"bench {source}", owner.personal_team, by=owner)
    propositions.switch(corpus, True, by=owner)
    lexicons.present(
        corpus
    ).lexicon()  # built once a process, in seconds: no part of any record's time
    meter, count = Meter(), 0
    wanted = islice(records(source, files(data, source), meter), min(most, FEWER.get(source, most)))
    while batch := list(islice(wanted, BATCH)):
        count += len(batch)
        put_in(source, batch, corpus, meter)
    chunks = Chunk.objects.filter(corpus=corpus)
    passages, statements = chunks.filter(parent=None).count(), chunks.exclude(parent=None).count()
    total = sum(meter.wall.values())
    rows = []
    for stage in STAGES:
        wall = max(meter.wall[stage], 1e-9)
        made = statements if stage in ("propositions", "embed statements") else passages
        rows.append(
            (
                *(source, stage, f"{count / wall:,.1f}", f"{made / wall:,.1f}"),
                *(f"{meter.cpu[stage]:.2f}", f"{wall / total:.1%}"),
            )
        )
    rows.append((source, "all", f"{count / total:,.1f}", f"{passages} + {statements}", "", ""))
    return rows


def texts(encoder: Any, number: int) -> list[str]:
    """Passages as the encoder reads them, from all sources alike."""
    from corpus.models import Chunk
    from corpus.services.embedding import windows_of

    found = list(Chunk.objects.filter(parent=None).select_related("document").order_by("public_id"))
    return [window.text for chunk in found for window in windows_of(chunk, encoder)][:number]


def main() -> None:
    """Fill an installation, stage by stage."""
    arguments = sys.argv[1:]
    data = Path(arguments[0]) if arguments else ROOT.parent / "shared" / "data"
    most = int(arguments[1]) if len(arguments) > 1 else RECORDS
    with installation() as made:
        folder = StateFolder(made.state)
        os.environ |= part_environment(Stored.load(folder), folder, os.environ)
        import django

        django.setup()
        from accounts.models import User
        from benchmarks.search_embedding import PASSAGES, beside
        from corpus.encoding.registry import encoders

        made.flux("create_corpus", "vocabularies", "--team", "demo", "--visibility", "site")
        vocabularies = ("ingest", "vocabularies", "--corpus", "vocabularies", "--from")
        made.flux(*vocabularies, str(data / "vocab"), allow=(0, 1))
        owner = User.objects.get(email=ADMIN)
        heads = ("source", "stage", "records / s", "passages or statements / s", "CPU s", "share")
        table(heads, [row for source in SETS for row in measured(source, data, most, owner)])
        encoder = encoders.get("all-minilm-l6-v2")
        beside(encoder, texts(encoder, PASSAGES))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
