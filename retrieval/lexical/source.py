"""Reading passages out of the tables, in the form the index takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection

from retrieval.lexical.schema import Passage

FETCH_ROWS = 2_000

_COLUMNS = """
SELECT c.id, c.public_id, d.id, d.title, c.section_path, c.text, c.content_type, d.source, d.type,
       d.year, d.retracted, d.tags,
       ARRAY(SELECT DISTINCT unnest(ARRAY[n.curie, n.label])
             FROM corpus_mention m JOIN corpus_node n ON n.id = m.node_id WHERE m.chunk_id = c.id),
       CASE WHEN c.content_type = 'image' THEN
             (SELECT string_agg(f.words, ' ') FROM corpus_figure f WHERE f.chunk_id = c.id) END
FROM corpus_chunk c JOIN corpus_document d ON d.id = c.document_id
WHERE d.deletion_id IS NULL AND c.parent_id IS NULL  -- a proposition's words are its passage's
"""


def of_documents(documents: Iterable[int]) -> dict[int, list[Passage]]:
    """All passages of these documents; one that is gone or is to be, or has none, is left out."""
    found: dict[int, list[Passage]] = {}
    for passage in _stream(f"{_COLUMNS} AND d.id = ANY(%s) ORDER BY d.id", [list(documents)]):
        found.setdefault(passage.document, []).append(passage)
    return found


def of_corpus(corpus: int) -> Iterator[Passage]:
    """All passages of a corpus, document by document. Runs in the caller's transaction."""
    yield from _stream(f"{_COLUMNS} AND c.corpus_id = %s ORDER BY d.id", [corpus])


def _stream(sql: str, parameters: list[Any]) -> Iterator[Passage]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(FETCH_ROWS):
            for row in rows:
                yield Passage(*row)
