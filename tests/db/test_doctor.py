"""The doctor finds each kind of orphan, and nothing where there is none."""

from __future__ import annotations

import io
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from corpus.models import (
    Chunk,
    ChunkVector,
    Corpus,
    Deletion,
    Document,
    Edge,
    EdgeEvidence,
    EdgeSupport,
    Figure,
    IngestJob,
    JobItem,
    Node,
)
from corpus.services import deletion
from flux_site.kernel import blobs
from flux_site.management.doctor import orphans, parts
from flux_site.runtime import lock
from flux_site.runtime.state import StateFolder
from retrieval.lexical.index import CorpusWriter, IndexFolders
from retrieval.lexical.schema import Passage
from tests.db.retrieval.library import index
from tests.factories import CorpusFactory, FigureFactory
from tests.support.ingesting import curator_of, ingest

pytestmark = pytest.mark.django_db
RECORDS = [{"id": f"r{n}", "title": f"R{n}", "text": f"Gene {n} drives STAT3."} for n in range(3)]


@pytest.fixture
def corpus(monkeypatch) -> Corpus:
    """A corpus without a flaw, indexed."""
    monkeypatch.setattr(orphans, "AGAIN_S", 0.0)
    made = CorpusFactory()
    ingest(made, *RECORDS)
    document = made.documents.first()
    FigureFactory(document=document, image_sha256=blobs.put(b"a picture"))
    a, b = (Node.objects.create(kind="Gene", curie=f"hgnc:{n}", label=n) for n in "AB")
    edge = Edge.objects.create(src=a, predicate="binds", dst=b, n_evidence=1)
    said = {"edge": edge, "corpus": made, "source": "text"}
    EdgeEvidence.objects.create(**said, document=document, extractor="rules")
    EdgeSupport.objects.create(**said, n_unsigned=1)
    index()
    return made


def unchecked(sql: str) -> None:
    """What a database without its constraints would let happen."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def without_documents(_: Corpus) -> None:
    unchecked("DELETE FROM corpus_document")


def without_passages(_: Corpus) -> None:
    unchecked("DELETE FROM corpus_chunk")


def in_another_corpus(corpus: Corpus) -> None:
    Chunk.objects.filter(pk=Chunk.objects.first().pk).update(corpus=CorpusFactory())


def vectors_in_another(corpus: Corpus) -> None:
    other = CorpusFactory()
    ChunkVector.objects.filter(chunk=Chunk.objects.first()).update(corpus=other)


def bare_edge(_: Corpus) -> None:
    EdgeEvidence.objects.all().delete()


def unsupported(_: Corpus) -> None:
    EdgeSupport.objects.all().delete()


def miscounted(corpus: Corpus) -> None:
    Corpus.objects.filter(pk=corpus.pk).update(chunk_count=7)


def unserved(_: Corpus) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    IngestJob.objects.update(state="running")
    JobItem.objects.update(state="running", stage="embed", updated_at=long_ago)


def ended(_: Corpus) -> None:
    JobItem.objects.update(state="running", stage="embed")


def marked_for_ever(corpus: Corpus) -> None:
    document = corpus.documents.first()
    row = deletion.request(corpus, [document.public_id], by=curator_of(corpus))
    Deletion.objects.filter(pk=row.pk).update(state="done")


def nobody_deletes(corpus: Corpus) -> None:
    Corpus.objects.filter(pk=corpus.pk).update(deleting=True)


def stray_entry(corpus: Corpus) -> None:
    writer = CorpusWriter(IndexFolders(settings.LEXICAL_ROOT).current(corpus.public_id))
    values: dict[str, Any] = {"chunk": 10**9, "public_id": uuid.uuid4(), "document": 10**9}
    values |= {"title": "T", "section_path": [], "text": "x", "content_type": "text"}
    values |= {"source": "jsonl", "type": "article", "year": None, "retracted": False}
    writer.add([Passage(**values, tags=[], entities=[])])
    writer.commit()
    writer.close()


def stray_index(_: Corpus) -> None:
    (Path(settings.LEXICAL_ROOT) / str(uuid.uuid4())).mkdir()


def not_indexed(corpus: Corpus) -> None:
    writer = CorpusWriter(IndexFolders(settings.LEXICAL_ROOT).current(corpus.public_id))
    writer.replace(Document.objects.first().pk, [])
    writer.commit()
    writer.close()


def stray_file(_: Corpus) -> None:
    blobs.put(b"nobody names this")


def missing_file(_: Corpus) -> None:
    blobs.delete(Figure.objects.get().image_sha256)


def left_over(_: Corpus) -> None:
    path = Path(settings.LEXICAL_ROOT) / ".position.json.killed"
    path.touch()
    os.utime(path, (time.time() - 7200,) * 2)


PLANTED: dict[str, Callable[[Corpus], None]] = {
    "chunk_without_document": without_documents,
    "page_without_document": lambda corpus: (
        corpus.documents.first().pages.create(number=1, width=1, height=1),
        without_documents(corpus),
    )[0],
    "figure_without_document": without_documents,
    "section_without_document": lambda corpus: (
        corpus.documents.first().sections.create(position=9, path=["S"]),
        without_documents(corpus),
    )[0],
    "edgeevidence_without_document": without_documents,
    "jobitem_without_document": without_documents,
    "chunkvector_without_chunk": without_passages,
    "passages_in_another_corpus": in_another_corpus,
    "vectors_in_another_corpus": vectors_in_another,
    "edges_without_evidence": bare_edge,
    "edges_counted_wrong": bare_edge,
    "support_without_evidence": bare_edge,
    "evidence_without_support": unsupported,
    "corpora_counted_wrong": miscounted,
    "items_without_lease": unserved,
    "items_of_ended_jobs": ended,
    "documents_of_ended_deletions": marked_for_ever,
    "corpora_without_deletion": nobody_deletes,
    "lexical_entries": stray_entry,
    "lexical_indexes": stray_index,
    "passages_not_indexed": not_indexed,
    "files_without_row": stray_file,
    "rows_without_file": missing_file,
    "temporary_files": left_over,
}


def test_nothing_is_found_where_nothing_is_wrong(corpus: Corpus) -> None:
    found = orphans.count()

    assert {kind: n for kind, n in found.items() if n} == {}
    assert set(PLANTED) <= set(found)
    assert {"chunkvector_without_chunk", "mention_without_node"} <= set(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_orphan_is_found(kind: str, corpus: Corpus) -> None:
    PLANTED[kind](corpus)

    assert orphans.count()[kind] > 0
    transaction.set_rollback(True)  # the database would refuse what was planted


def test_parts_say_how_they_are_and_how_to_mend_them(corpus: Corpus, monkeypatch) -> None:
    monkeypatch.setitem(parts.PARTS, "workers", lambda: "none needed here")
    found = {part.name: part for part in parts.look()}

    good = {"postgres", "pgvector", "migrations", "valkey", "encoder", "stored files", "leases"}
    assert {name for name in good if not found[name].ok} == set()
    assert not found["lexical"].ok, "no follower has reported"
    assert "bin/up" in found["lexical"].mend


@pytest.mark.slow
def test_work_that_nobody_takes_up_is_told(corpus: Corpus) -> None:
    row = deletion.request(corpus, [Document.objects.first().public_id], by=curator_of(corpus))
    Deletion.objects.filter(pk=row.pk).update(leased_until=timezone.now() - timedelta(hours=1))

    (part,) = (part for part in parts.look() if part.name == "leases")
    assert part.state == "nobody has taken up 1 deletions for ten minutes"


@pytest.mark.slow
def test_the_command_exits_with_one_when_something_is_wrong(corpus: Corpus) -> None:
    stray_index(corpus)
    out = io.StringIO()

    with pytest.raises(SystemExit) as ended_with:
        call_command("doctor", "--orphans", "--json", stdout=out)

    result = json.loads(out.getvalue())
    assert ended_with.value.code == 1
    assert result["ok"] is False
    assert result["orphans"]["lexical_indexes"] == 1
    assert {"name", "state", "mend"} <= set(result["parts"][0])


@pytest.fixture
def supervised(settings: Any, tmp_path: Path) -> Iterator[Callable[..., parts.Part]]:
    """What the doctor says of the processes where a supervisor has written of one of them."""
    folder = StateFolder(tmp_path)
    folder.make()
    settings.STATE_DIR = tmp_path

    def looked(pid: int | None, **more: Any) -> parts.Part:
        row = {"name": "beat", "pid": pid, "state": "ready", "restarts": 0, "last_end": ""} | more
        status = {"state": "starting", "url": "", "parts": [row]}
        folder.status_file.write_text(json.dumps(status))
        return parts.look()[0]

    with lock.supervising(folder):
        yield looked


def test_the_doctor_tells_which_part_was_started_again_and_why(supervised):
    why = "does not answer any more"
    assert supervised(1).detail == "1 run"
    again = supervised(1, restarts=2, last_end=why)
    assert (again.ok, again.detail) == (True, f"beat was started again 2 × (it {why})")
    away = supervised(None, state="starting")
    assert (away.ok, away.state) == (False, "beat not ready")
    assert "logs/" in away.mend


def test_where_nothing_was_started_by_bin_up_its_processes_are_no_fault(settings, tmp_path):
    settings.STATE_DIR = tmp_path
    assert parts.look()[0].detail == "not started by bin/up"
