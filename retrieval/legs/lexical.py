"""The lexical leg: BM25 over the indexes of the corpora of a request."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from retrieval.lexical.analyser import Term
from retrieval.lexical.index import IndexFolders
from retrieval.lexical.reader import Found, LexicalReader, ResolvedFilters

POLL_SECONDS = 0.05

_READERS: dict[Path, LexicalReader] = {}
_LOCK = threading.Lock()


def reader_of(root: Path) -> LexicalReader:
    """The one reader of a process for a folder of indexes."""
    with _LOCK:
        if root not in _READERS:
            _READERS[root] = LexicalReader(root)
        return _READERS[root]


def search(
    root: Path,
    corpora: Sequence[uuid.UUID],
    terms: Sequence[Term],
    *,
    filters: ResolvedFilters,
    limit: int,
    wait_s: float,
) -> Found:
    """The best passages by words. Waits at most `wait_s` for an index that is just being built."""
    reader = reader_of(root)
    _wait(IndexFolders(root), corpora, wait_s)
    return reader.search(corpora, terms, filters=filters, limit=limit)


def _wait(folders: IndexFolders, corpora: Sequence[uuid.UUID], wait_s: float) -> None:
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline and any(
        not folders.exists(corpus) and folders.is_building(corpus) for corpus in corpora
    ):
        time.sleep(POLL_SECONDS)
