"""The follower: brings this host's indexes to where the change log is.

It reads the log in commit order (`xid < pg_snapshot_xmin(…)`, ordered by xid and id), so that a
transaction that commits late is never skipped; applies each batch to the indexes; commits them; and
only then stores how far it got. Killed at any moment, it does the last batch again, which changes
nothing: what goes into an index is always the document as it is in the tables now.
"""

from __future__ import annotations

import socket
import uuid
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from django.db import connection, transaction

from corpus.models import Corpus, Follower
from retrieval.lexical import position, source
from retrieval.lexical.index import BrokenIndex, CorpusWriter, IndexFolders, build
from retrieval.lexical.position import Position

log = structlog.get_logger(__name__)

NAME = "lexical"
BATCH = 500  # changes applied between two commits of the indexes
OPEN_WRITERS = 4  # kept between batches, so that merges run beside the reading of the log

_CHANGES = """
SELECT xid::text::bigint, id, corpus_public_id, kind, key, op FROM corpus_change
WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) AND (xid, id) > (%s::text::xid8, %s)
ORDER BY xid, id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Noted:
    """One row of the change log."""

    xid: int
    pk: int
    corpus: uuid.UUID
    kind: str
    key: int
    op: str


@dataclass
class Work:
    """What a batch asks of one corpus's index."""

    documents: dict[int, None] = field(default_factory=dict)  # a set that keeps the order
    is_gone: bool = False


class LexicalFollower:
    """One host's follower. `step` is all it does; who calls it decides when."""

    def __init__(self, root: Path) -> None:
        self._folders = IndexFolders(root)
        self._root = root
        self._writers: OrderedDict[uuid.UUID, CorpusWriter] = OrderedDict()
        self._at: Position | None = None

    def start(self) -> None:
        """Find the stored position, or build everything from the tables."""
        stored = position.read(self._root)
        known = Follower.objects.filter(name=NAME, host=self.host).exists()
        if stored is None or not known or stored.cluster != _cluster() or _is_ahead(stored):
            self.rebuild_all()
        else:
            self._at = stored
            self.mend()
        self.beat()

    @property
    def host(self) -> str:
        """This host and folder, as the change log's keeper knows it."""
        return f"{socket.gethostname()}:{self._root}"[:255]

    def rebuild_all(self) -> None:
        """Build every corpus's index from the tables, as they are in one snapshot."""
        self._close_writers()
        position.forget(self._root)
        with _snapshot():
            at = _snapshot_position()
            corpora = dict(Corpus.objects.standing().values_list("public_id", "pk"))
            for public_id, pk in corpora.items():
                self._build(public_id, pk)
        for gone in self._folders.known() - set(corpora):
            self._folders.remove(gone)
        self._store(at)

    def mend(self) -> None:
        """Build the indexes that are missing, cannot be opened or were found broken by a reader."""
        for public_id, pk in Corpus.objects.standing().values_list("public_id", "pk"):
            if not self._folders.exists(public_id) or not self._opens(public_id):
                self.rebuild(public_id, pk)
        self.mend_suspects()

    def mend_suspects(self) -> None:
        """Build anew what readers complained of, and what has disappeared from the disk."""
        for public_id in self._folders.suspects():
            pk = _standing(public_id)
            if pk is None:
                self._folders.remove(public_id)
            else:
                self.rebuild(public_id, pk)
        present = Corpus.objects.standing().values_list("public_id", "pk")
        for public_id, pk in present:
            if not self._folders.exists(public_id):
                self.rebuild(public_id, pk)

    def rebuild(self, public_id: uuid.UUID, pk: int) -> None:
        """Build one corpus's index from the tables as they are now.

        The tables may be ahead of the position; applying those changes again changes nothing.
        """
        self._close_writer(public_id)
        with _snapshot():
            self._build(public_id, pk)

    def step(self) -> int:
        """Apply the next batch of changes; how many there were."""
        if self._at is None:
            raise RuntimeError("start() comes before step()")
        changes = _next(self._at, BATCH)
        if not changes:
            return 0
        for corpus, work in _by_corpus(changes).items():
            self._apply(corpus, work)
        last = changes[-1]
        self._store(Position(last.xid, last.pk, self._at.cluster))
        return len(changes)

    def catch_up(self) -> int:
        """Apply all there is; how many changes."""
        total = 0
        while applied := self.step():
            total += applied
        return total

    def beat(self) -> None:
        """Say that this follower is alive and how far it is: the log is trimmed behind it."""
        if self._at is not None:
            Follower.objects.update_or_create(
                name=NAME, host=self.host, defaults={"xid": self._at.xid, "change": self._at.change}
            )

    def close(self) -> None:
        """Let merges end and give up the locks."""
        self._close_writers()

    def _apply(self, corpus: uuid.UUID, work: Work) -> None:
        if work.is_gone:
            self._close_writer(corpus)
            self._folders.remove(corpus)
            return
        pk = _standing(corpus)
        if pk is None:
            return  # deleted since; its own change comes later in the log, or has been applied
        try:
            self._write(corpus, pk, list(work.documents))
        except BrokenIndex:
            log.exception("lexical.index_broken", corpus=str(corpus))
            self.rebuild(corpus, pk)

    def _write(self, corpus: uuid.UUID, pk: int, documents: Sequence[int]) -> None:
        if not self._folders.exists(corpus):
            self.rebuild(corpus, pk)
            return
        writer = self._writer(corpus)
        passages = source.of_documents(documents)
        for document in documents:
            writer.replace(document, passages.get(document, ()))
        writer.commit()
        log.info("lexical.indexed", corpus=str(corpus), documents=len(documents))

    def _writer(self, corpus: uuid.UUID) -> CorpusWriter:
        if corpus not in self._writers:
            while len(self._writers) >= OPEN_WRITERS:
                self._close_writer(next(iter(self._writers)))
            self._writers[corpus] = CorpusWriter(self._folders.current(corpus))
        self._writers.move_to_end(corpus)
        return self._writers[corpus]

    def _build(self, public_id: uuid.UUID, pk: int) -> None:
        count = build(self._folders, public_id, source.of_corpus(pk))
        log.info("lexical.built", corpus=str(public_id), passages=count)

    def _opens(self, corpus: uuid.UUID) -> bool:
        try:
            self._writer(corpus)
        except BrokenIndex:
            return False
        return True

    def _store(self, at: Position) -> None:
        position.write(self._root, at)
        self._at = at

    def _close_writer(self, corpus: uuid.UUID) -> None:
        writer = self._writers.pop(corpus, None)
        if writer is not None:
            try:
                writer.close()
            except BrokenIndex:
                log.warning("lexical.close_failed", corpus=str(corpus))

    def _close_writers(self) -> None:
        for corpus in list(self._writers):
            self._close_writer(corpus)


def _standing(corpus: uuid.UUID) -> int | None:
    """The corpus's row; None when it is gone or is to be deleted."""
    rows = Corpus.objects.standing().filter(public_id=corpus)
    return rows.values_list("pk", flat=True).first()


def _next(at: Position, limit: int) -> list[Noted]:
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, [str(at.xid), at.change, limit])
        return [Noted(*row) for row in cursor.fetchall()]


def _by_corpus(changes: Sequence[Noted]) -> dict[uuid.UUID, Work]:
    """The documents to look at again, by corpus; how they changed shows in the tables."""
    works: dict[uuid.UUID, Work] = {}
    for change in changes:
        work = works.setdefault(change.corpus, Work())
        if change.kind == "document":
            work.documents[change.key] = None
        elif change.kind == "corpus":
            work.is_gone = change.op == "delete"
    return works


@contextmanager
def _snapshot() -> Iterator[None]:
    """One view of all tables. Inside a test's transaction it is that transaction's own."""
    with transaction.atomic():
        if not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _snapshot_position() -> Position:
    """The position that this snapshot has reached: all that is older than its oldest open one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint) - 1")
        return Position(int(cursor.fetchone()[0]), _LAST, _cluster())


_LAST = 2**63 - 1  # every change of that transaction


def _is_ahead(stored: Position) -> bool:
    """Whether the position lies in this database's future: then it is another's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        return stored.xid > int(cursor.fetchone()[0])


def _cluster() -> str:
    """Which database this is: the server's own identifier and the database's."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT system_identifier, (SELECT oid FROM pg_database WHERE datname = "
            "current_database()) FROM pg_control_system()"
        )
        return "/".join(map(str, cursor.fetchone()))
