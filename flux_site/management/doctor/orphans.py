"""What points nowhere, counted by kind: rows, index entries, files. Add a check to CHECKS.

What is under way looks like an orphan for a moment (an index that is a second behind, a file whose
row is about to come), so a check that finds something is made again before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models
from django.db.models import Count, F, Q
from django.utils import timezone

from corpus.models import Chunk, ChunkVector, Corpus, Deletion, Document, JobFile, JobItem
from flux_site.management.doctor import files
from flux_site.management.doctor.parts import lag
from retrieval.lexical import probe
from retrieval.lexical.index import IndexFolders

AGAIN_S = 1.0
TRIES = 5  # with a pause before each: a follower that runs is there by then
WAITED = timedelta(minutes=10)
OURS = ("accounts", "corpus", "retrieval", "agent")

Counts = dict[str, int]


def count() -> Counts:
    """Orphans by kind, zero where there are none."""
    found: Counts = {}
    for check in CHECKS:
        found |= _settled(check)
    return found


def _settled(check: Callable[[], Counts]) -> Counts:
    """The least that a check finds in some tries: what is under way has passed by then."""
    found = check()
    for _ in range(TRIES):
        if not any(found.values()):
            break
        time.sleep(AGAIN_S)
        again = check()
        found = {kind: min(number, again.get(kind, 0)) for kind, number in found.items()}
    return found


def references() -> Counts:
    """Rows whose parent is gone, for every foreign key: the database's own word is not taken."""
    return {
        f"{model._meta.model_name}_without_{field.name}": _dangling(model, field)
        for model, field in _foreign_keys()
    }


def _foreign_keys() -> Iterator[tuple[type[models.Model], Any]]:
    for label in OURS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            for field in model._meta.concrete_fields:
                # Where no constraint is wanted, the row is meant to outlive what it names.
                if isinstance(field, models.ForeignKey) and getattr(field, "db_constraint", True):
                    yield model, field


def _dangling(model: type[models.Model], field: Any) -> int:
    quote = connection.ops.quote_name
    table, column = quote(model._meta.db_table), quote(field.column)
    parent = quote(field.related_model._meta.db_table)
    key = quote(field.target_field.column)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM {table} a WHERE a.{column} IS NOT NULL "
            f"AND NOT EXISTS (SELECT 1 FROM {parent} b WHERE b.{key} = a.{column})"
        )
        return int(cursor.fetchone()[0])


def places() -> Counts:
    """Rows that stand in another corpus than what they belong to."""
    return {
        "passages_in_another_corpus": Chunk.objects.exclude(corpus=F("document__corpus")).count(),
        "vectors_in_another_corpus": ChunkVector.objects.exclude(corpus=F("chunk__corpus")).count(),
        "propositions_in_another_document": Chunk.objects.exclude(parent=None)
        .exclude(document=F("parent__document"))
        .count(),
        "vectors_of_another_passage": ChunkVector.objects.exclude(chunk__parent=None)
        .exclude(passage=F("chunk__parent"))
        .count(),
    }


_GRAPH = {
    "edges_without_evidence": """
        SELECT count(*) FROM corpus_edge e
        WHERE NOT EXISTS (SELECT 1 FROM corpus_edgeevidence v WHERE v.edge_id = e.id)""",
    "edges_counted_wrong": """
        SELECT count(*) FROM corpus_edge e WHERE e.n_evidence <>
        (SELECT count(*) FROM corpus_edgeevidence v WHERE v.edge_id = e.id)""",
    "support_without_evidence": """
        SELECT count(*) FROM corpus_edgesupport s WHERE NOT EXISTS (
            SELECT 1 FROM corpus_edgeevidence v WHERE v.edge_id = s.edge_id
            AND v.corpus_id = s.corpus_id AND v.source = s.source)""",
    "evidence_without_support": """
        SELECT count(*) FROM corpus_edgeevidence v WHERE NOT EXISTS (
            SELECT 1 FROM corpus_edgesupport s WHERE v.edge_id = s.edge_id
            AND v.corpus_id = s.corpus_id AND v.source = s.source)""",
}


def graph() -> Counts:
    """Edges and their support against the evidence."""
    found = {}
    for kind, sql in _GRAPH.items():
        with connection.cursor() as cursor:
            cursor.execute(sql)
            found[kind] = int(cursor.fetchone()[0])
    return found


def counts() -> Counts:
    """Corpora whose own counts are not those of their documents and passages."""
    wrong = 0
    standing = Document.objects.filter(deletion=None)
    documents = dict(standing.order_by().values_list("corpus").annotate(n=Count("pk")))
    passages = dict(
        Chunk.objects.filter(document__deletion=None)
        .order_by()
        .values_list("corpus")
        .annotate(n=Count("pk"))
    )
    for row in Corpus.objects.standing():
        is_right = (documents.get(row.pk, 0), passages.get(row.pk, 0)) == (
            row.document_count,
            row.chunk_count,
        )
        wrong += not is_right
    return {"corpora_counted_wrong": wrong}


def work() -> Counts:
    """Items that nobody will end, documents that nobody will delete."""
    long_ago = timezone.now() - WAITED
    held = Q(leased_until__gt=timezone.now())
    running = JobItem.objects.filter(state="running").exclude(held)
    open_jobs = Q(job__state__in=["queued", "running"])
    # Items wait while others are served; when nothing is held at all, nobody will come.
    is_idle = not (JobItem.objects.filter(held).exists() or JobFile.objects.filter(held).exists())
    ended = Q(job__state__in=["done", "failed", "stopped"])
    return {
        "items_without_lease": running.filter(open_jobs, updated_at__lt=long_ago).count()
        if is_idle
        else 0,
        "items_of_ended_jobs": running.filter(ended).count(),
        "documents_of_ended_deletions": Document.objects.filter(deletion__state="done").count(),
        "corpora_without_deletion": Corpus.objects.filter(deleting=True)
        .exclude(pk__in=Deletion.objects.exclude(state="done").filter(whole=True).values("corpus"))
        .count(),
    }


def lexical() -> Counts:
    """Entries of this host's indexes against the passages; what is not indexed counts only when
    the follower has read the whole log.
    """
    root = settings.LEXICAL_ROOT
    corpora = dict(Corpus.objects.standing().values_list("public_id", "pk"))
    strays = missing = 0
    for public_id, pk in corpora.items():
        indexed = probe.chunks(root, public_id)
        if indexed is not None:
            stored = _passages(pk)
            strays += len(indexed - stored)
            missing += len(stored - indexed)
    known = IndexFolders(root).known()
    return {
        "lexical_entries": strays,
        "lexical_indexes": len(known - set(corpora)),
        "passages_not_indexed": 0 if missing and lag() else missing,
    }


def _passages(corpus: int) -> set[int]:
    rows = Chunk.objects.filter(corpus=corpus, document__deletion=None, parent=None).order_by()
    return set(rows.values_list("pk", flat=True))


CHECKS: list[Callable[[], Counts]] = [
    references,
    places,
    graph,
    counts,
    work,
    lexical,
    files.stored,
    files.temporary,
]
