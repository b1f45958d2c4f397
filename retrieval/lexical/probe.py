"""Looking for what must not be there: entries of deleted documents in this host's indexes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tantivy

from retrieval.lexical.index import BrokenIndex, IndexFolders, tantivy_errors
from retrieval.lexical.schema import schema


def entries_of(root: Path, corpus: uuid.UUID, documents: Sequence[int]) -> int | None:
    """Passages of these documents in a corpus's index; None when there is none to open."""
    query = tantivy.Query.term_set_query(schema(), "document", list(documents))
    return _count(root, corpus, query if documents else tantivy.Query.empty_query())


def entries(root: Path, corpus: uuid.UUID) -> int | None:
    """All passages in a corpus's index; None when there is none to open."""
    return _count(root, corpus, tantivy.Query.all_query())


def chunks(root: Path, corpus: uuid.UUID) -> set[int] | None:
    """Database ids of all passages in a corpus's index; None when there is none to open."""
    searcher = _searcher(root, corpus)
    if searcher is None:
        return None
    size = max(1, searcher.num_docs)
    hits = searcher.search(tantivy.Query.all_query(), size, count=False).hits
    values = searcher.fast_field_values("chunk", [address for _, address in hits])
    return {int(value or 0) for value in values}


def is_there(root: Path, corpus: uuid.UUID) -> bool:
    """Whether the corpus has a folder on this host."""
    return IndexFolders(root).corpus(corpus).exists()


def _count(root: Path, corpus: uuid.UUID, query: tantivy.Query) -> int | None:
    searcher = _searcher(root, corpus)
    if searcher is None:
        return None
    found: Any = searcher.search(query, 1, count=True)  # its stub does not know of the count
    return int(found.count or 0)


def _searcher(root: Path, corpus: uuid.UUID) -> tantivy.Searcher | None:
    """The newest state of an index, opened for reading only."""
    folders = IndexFolders(root)
    if not folders.exists(corpus):
        return None
    path = folders.current(corpus)
    try:
        with tantivy_errors(path):
            index = tantivy.Index.open(str(path))
            index.config_reader("manual", 0)
            index.reload()
            return index.searcher()
    except BrokenIndex:
        return None
