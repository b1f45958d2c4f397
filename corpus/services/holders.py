"""What stands above corpora and keeps something of their documents: each says so here, at start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from corpus.models import Corpus, Deletion, Document


@dataclass(frozen=True, slots=True)
class Holder:
    """Keeps something that a deletion must mention, mark or find gone.

    `kind` names it in the receipt. `affected` counts what documents touch, or with None what the
    whole corpus does; `release` marks it as a corpus goes; `left` counts what is still there of a
    deletion that is done, None when it cannot tell.
    """

    kind: str
    affected: Callable[[Corpus, QuerySet[Document] | None], int] | None = None
    release: Callable[[Corpus], None] | None = None
    left: Callable[[Deletion], int | None] | None = None


_HOLDERS: dict[str, Holder] = {}


def register(holder: Holder) -> None:
    """Add a holder; one of the same kind is replaced."""
    _HOLDERS[holder.kind] = holder


def affected(corpus: Corpus, documents: QuerySet[Document] | None) -> dict[str, int]:
    """What a deletion would touch above, by kind."""
    return {h.kind: h.affected(corpus, documents) for h in _HOLDERS.values() if h.affected}


def release(corpus: Corpus) -> None:
    """Mark what will outlive the corpus, in the transaction that accepts its deletion."""
    for holder in _HOLDERS.values():
        if holder.release:
            holder.release(corpus)


def left(deletion: Deletion) -> dict[str, int | None]:
    """The probe: what is still found of what was deleted, by kind."""
    return {h.kind: h.left(deletion) for h in _HOLDERS.values() if h.left}
