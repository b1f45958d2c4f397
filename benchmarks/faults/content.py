"""What a corpus holds, told without ids and times: equal for two readings of the same files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

Rows = Iterable[tuple[Any, ...]]
Query = Callable[[str, dict[str, Any]], Rows]

# Ids that a database gives, times, and what names the corpus itself.
LEFT_OUT = [
    *("id", "public_id", "corpus_id", "document_id", "work_id", "section_id", "parent_id"),
    *("chunk_id", "node_id", "encoder_id", "deletion_id", "public_work_id", "job_id", "file_id"),
    *("created_at", "updated_at", "scope", "vector", "lexicon"),
    *("token", "leased_until", "attempts", "encoded", "pk"),
]
DOCUMENT = "concat_ws(' ', d.source, d.external_id)"
PASSAGE = f"concat_ws(' ', {DOCUMENT}, c.content_type, c.chunk_index)"
PARTS = (
    *("section", "chunk", "figure", "table", "page"),
    *("relationdraft", "signature", "term", "identity", "statement"),
)


def _row(key: str, table: str) -> str:
    return f"SELECT {key} || ' ' || (to_jsonb({table}) - %(left_out)s::text[])::text"


def _of_document(part: str) -> str:
    return (
        f"{_row(DOCUMENT, 't')} FROM corpus_{part} t JOIN corpus_document d "
        "ON d.id = t.document_id WHERE d.corpus_id = %(corpus)s"
    )


_PASSAGES = (
    "JOIN corpus_chunk c ON c.id = t.chunk_id JOIN corpus_document d ON d.id = c.document_id"
)
QUERIES = {
    "document": f"{_row(DOCUMENT, 'd')} FROM corpus_document d WHERE d.corpus_id = %(corpus)s",
    **{part: _of_document(part) for part in PARTS},
    "chunkvector": (
        f"{_row(PASSAGE, 't')} FROM corpus_chunkvector t {_PASSAGES} WHERE d.corpus_id = %(corpus)s"
    ),
    "mention": (
        f"{_row(f'concat_ws({chr(39)} {chr(39)}, {PASSAGE}, n.curie)', 't')} "
        f"FROM corpus_mention t JOIN corpus_node n ON n.id = t.node_id {_PASSAGES} "
        "WHERE d.corpus_id = %(corpus)s"
    ),
    "work": (
        f"{_row(f'string_agg({DOCUMENT}, {chr(39)}, {chr(39)} ORDER BY {DOCUMENT})', 't')} "
        "FROM corpus_work t JOIN corpus_document d ON d.work_id = t.id "
        "WHERE d.corpus_id = %(corpus)s GROUP BY t.id"
    ),
    "jobitem": (
        f"{_row('concat_ws(chr(32), j.source, f.name)', 't')} FROM corpus_jobitem t "
        "JOIN corpus_jobfile f ON f.id = t.file_id JOIN corpus_ingestjob j ON j.id = t.job_id "
        "WHERE j.corpus_id = %(corpus)s"
    ),
    "counts": (
        "SELECT document_count::text || ' ' || chunk_count FROM corpus_corpus WHERE id = %(corpus)s"
    ),
}


def content(query: Query, corpus: int) -> dict[str, tuple[int, str]]:
    """For each table how many rows the corpus has and SHA-256 over them."""
    return {name: _digest(rows) for name, rows in told(query, corpus).items()}


def told(query: Query, corpus: int) -> dict[str, list[str]]:
    """The rows themselves, sorted."""
    given = {"corpus": corpus, "left_out": LEFT_OUT}
    return {name: sorted(row for (row,) in query(sql, given)) for name, sql in QUERIES.items()}


def _digest(rows: list[str]) -> tuple[int, str]:
    whole = hashlib.sha256()
    for row in rows:
        whole.update(row.encode() + b"\n")
    return len(rows), whole.hexdigest()
