"""What stands above corpora and keeps something of their documents: each says so here, at start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from corpus.models import Corpus, Deletion, Document


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a deletion touched, as a receipt lists it."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Keeps something that a deletion must mention, mark or find gone.

    `kind` names it in the receipt. `affected` gives the ids of what documents touch, or with None
    of what the whole corpus does; `named` turns such ids into what a reader may see of them;
    `release` marks it as a corpus goes; `erase` removes it as documents are erased, and counts by
    kinds of the receipt; `left` counts what is still there of a deletion that is done, None when it
    cannot tell.
    """

    kind: str
    affected: Callable[[Corpus, QuerySet[Document] | None], list[UUID]] | None = None
    named: Callable[[Sequence[UUID], User], list[Named]] | None = None
    release: Callable[[Corpus], None] | None = None
    erase: Callable[[Corpus, QuerySet[Document]], dict[str, int]] | None = None
    left: Callable[[Deletion], int | None] | None = None


_HOLDERS: dict[str, Holder] = {}


def register(holder: Holder) -> None:
    """Add a holder; one of the same kind is replaced."""
    _HOLDERS[holder.kind] = holder


def affected(corpus: Corpus, documents: QuerySet[Document] | None) -> dict[str, list[UUID]]:
    """Ids of what a deletion would touch above, by kind."""
    return {h.kind: h.affected(corpus, documents) for h in _HOLDERS.values() if h.affected}


def named(deletion: Deletion, reader: User) -> dict[str, list[dict[str, str]]]:
    """What it touched above and the reader may see, by kind: id, title, url."""
    found = {}
    for kind, ids in deletion.touched.items():
        holder = _HOLDERS.get(kind)
        if holder and holder.named:
            found[kind] = [asdict(one) for one in holder.named([UUID(i) for i in ids], reader)]
    return found


def release(corpus: Corpus) -> None:
    """Mark what will outlive the corpus, in the transaction that accepts its deletion."""
    for holder in _HOLDERS.values():
        if holder.release:
            holder.release(corpus)


def erase(corpus: Corpus, documents: QuerySet[Document]) -> dict[str, int]:
    """Remove what must not outlive the documents, in the transaction that erases them."""
    counts: dict[str, int] = {}
    for holder in _HOLDERS.values():
        if holder.erase:
            counts |= holder.erase(corpus, documents)
    return counts


def left(deletion: Deletion) -> dict[str, int | None]:
    """The probe: what is still found of what was deleted, by kind."""
    return {h.kind: h.left(deletion) for h in _HOLDERS.values() if h.left}
