"""What the word indexes of this host still hold of a deletion."""

from __future__ import annotations

from django.conf import settings

from corpus.models import Deletion
from corpus.services.holders import Holder, register
from retrieval.lexical import probe


def left(deletion: Deletion) -> int | None:
    """Entries that are still found; None on a host that keeps no index of the corpus."""
    root, corpus = settings.LEXICAL_ROOT, deletion.corpus_public_id
    if deletion.whole:
        return max(1, probe.entries(root, corpus) or 0) if probe.is_there(root, corpus) else 0
    return probe.entries_of(root, corpus, deletion.numbers)


def register_probe() -> None:
    """Have receipts ask here."""
    register(Holder("lexical_entries", left=left))
