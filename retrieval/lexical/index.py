"""The folders of the indexes, and writing into them.

`<root>/<corpus public id>/<format>/` is a corpus's index. A new one is built beside it and put in
its place by renaming, so a reader finds a whole index or none.
"""

from __future__ import annotations

import contextlib
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import tantivy

from retrieval.lexical.analyser import index_terms
from retrieval.lexical.schema import FORMAT, Passage, document_of, schema

HEAP_BYTES = 32 << 20
META = "meta.json"  # written last by every commit: its change is the sign of a new version
SUSPECT = "suspect"  # left by a reader that could not read an index; the follower builds it anew


class BrokenIndex(Exception):
    """An index cannot be opened or read."""


@contextmanager
def tantivy_errors(path: Path) -> Iterator[None]:
    """Whatever tantivy raises or panics with becomes BrokenIndex."""
    try:
        yield
    except (ValueError, OSError, RuntimeError, TypeError) as error:
        raise BrokenIndex(f"{path}: {error}") from error
    except BaseException as error:
        # A panic in the extension is no Exception; its class cannot be imported.
        if type(error).__name__ == "PanicException":
            raise BrokenIndex(f"{path}: {error}") from error
        raise


class IndexFolders:
    """Names below the root of all indexes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def corpus(self, corpus: uuid.UUID) -> Path:
        """Everything of one corpus."""
        return self.root / str(corpus)

    def current(self, corpus: uuid.UUID) -> Path:
        """The index of a corpus in this version's format."""
        return self.corpus(corpus) / FORMAT

    def exists(self, corpus: uuid.UUID) -> bool:
        """Whether there is an index to open."""
        return (self.current(corpus) / META).is_file()

    def is_building(self, corpus: uuid.UUID) -> bool:
        """Whether the follower is at building the first or a new index."""
        return self.fresh(corpus).exists()

    def fresh(self, corpus: uuid.UUID) -> Path:
        """Where a new index is built before it takes the current one's place."""
        return self.corpus(corpus) / f".{FORMAT}.new"

    def known(self) -> set[uuid.UUID]:
        """Corpora that have a folder."""
        if not self.root.is_dir():
            return set()
        return {found for path in self.root.iterdir() if (found := _uuid(path.name))}

    def suspect(self, corpus: uuid.UUID) -> None:
        """Ask the follower to build a corpus's index anew."""
        folder = self.corpus(corpus)
        if folder.is_dir():
            (folder / SUSPECT).touch()

    def suspects(self) -> list[uuid.UUID]:
        """Corpora whose index a reader could not read."""
        return [corpus for corpus in self.known() if (self.corpus(corpus) / SUSPECT).exists()]

    def remove(self, corpus: uuid.UUID) -> None:
        """Delete what there is of a corpus."""
        shutil.rmtree(self.corpus(corpus), ignore_errors=True)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


class CorpusWriter:
    """Writes one corpus's index; nothing shows before `commit`. One at a time per corpus."""

    def __init__(self, path: Path) -> None:
        """Open or create the index. Raises BrokenIndex."""
        self._path = path
        path.mkdir(parents=True, exist_ok=True)
        with tantivy_errors(path):
            self._index = tantivy.Index(schema(), path=str(path), reuse=True)
            self._writer = self._index.writer(HEAP_BYTES, num_threads=1)

    def replace(self, document: int, passages: Iterable[Passage]) -> int:
        """Put these passages in place of all that the document had; how many."""
        with tantivy_errors(self._path):
            # delete_documents_by_term would make a signed term, which matches nothing here.
            query = tantivy.Query.term_query(schema(), "document", document, index_option="basic")
            self._writer.delete_documents_by_query(query)
        return self.add(passages)

    def add(self, passages: Iterable[Passage]) -> int:
        """Add passages, grouped by document; how many. Raises BrokenIndex, and what they raise."""
        count = 0
        for _, group in groupby(passages, key=lambda passage: passage.document):
            title_terms: list[str] | None = None
            for passage in group:
                if title_terms is None:
                    title_terms = index_terms(passage.title)
                with tantivy_errors(self._path):
                    self._writer.add_document(document_of(passage, title_terms))
                count += 1
        return count

    def commit(self) -> None:
        """Make everything since the last commit visible and durable."""
        with tantivy_errors(self._path):
            self._writer.commit()

    def close(self) -> None:
        """Wait for merges and give up the lock; what was not committed is lost."""
        with tantivy_errors(self._path):
            self._writer.wait_merging_threads()


def build(folders: IndexFolders, corpus: uuid.UUID, passages: Iterable[Passage]) -> int:
    """Build a corpus's index from nothing and put it in place; how many passages it holds.

    Raises BrokenIndex when it cannot be written (a full disk, say), and whatever `passages` does;
    the old one stays then.
    """
    folder = folders.corpus(corpus)
    fresh, current = folders.fresh(corpus), folders.current(corpus)
    shutil.rmtree(fresh, ignore_errors=True)
    writer = CorpusWriter(fresh)
    try:
        count = writer.add(passages)
        writer.commit()
    except BaseException:
        with contextlib.suppress(BrokenIndex):
            writer.close()  # its threads must not write into what is removed
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    writer.close()
    retired = folder / f".{FORMAT}.old"
    shutil.rmtree(retired, ignore_errors=True)
    if current.exists():
        current.rename(retired)
    fresh.rename(current)
    for path in folder.iterdir():
        if path != current:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return count
