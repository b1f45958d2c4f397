"""Stamping passages with the entities they name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby

from django.db import transaction
from django.db.models import Q

from corpus.lexicon.matcher import Lexicon
from corpus.lexicon.stamping import MentionDraft, stamp
from corpus.models import Chunk, Corpus, Document, Mention, Node, Term
from corpus.services import lexicons

NOT_STAMPED = {"other"}  # kinds whose names are everyday words
LABEL_CHARS = 255
STALE_A_TIME = 50
AT_ONCE = 16  # documents a transaction


def link(documents: Collection[int], over: Callable[[], bool]) -> frozenset[int]:
    """Stamp the documents whose mentions are not of the present lexicon; those not reached."""
    rows = Document.objects.filter(pk__in=documents).order_by("corpus", "pk")
    left = {row.pk: row for row in rows.select_related("corpus")}
    for _, of_corpus in groupby(list(left.values()), key=lambda row: row.corpus_id):
        some = list(of_corpus)
        present = lexicons.present(some[0].corpus)
        for at in range(0, len(some), AT_ONCE):
            batch = some[at : at + AT_ONCE]
            _stamp([row for row in batch if row.lexicon != present.fingerprint], present)
            for row in batch:
                del left[row.pk]
            if over():
                return frozenset(left)
    return frozenset()


def stale(corpus: Corpus) -> list[int]:
    """Some documents whose mentions are of a former lexicon."""
    known = lexicons.present(corpus).fingerprint
    found = Document.objects.filter(corpus=corpus).exclude(lexicon=known)
    return list(found.order_by("pk").values_list("pk", flat=True)[:STALE_A_TIME])


def _stamp(documents: Sequence[Document], present: lexicons.Present) -> None:
    """Replace the mentions of documents in one transaction with the note of which lexicon made
    them.
    """
    if not documents:
        return
    titles = {document.pk: document.title for document in documents}
    chunks = list(Chunk.objects.filter(document__in=titles, parent=None))
    lexicon = present.lexicon()
    found = {chunk.pk: _drafts(lexicon, chunk, titles[chunk.document_id]) for chunk in chunks}
    nodes = _nodes([draft for drafts in found.values() for draft in drafts])
    with transaction.atomic():
        replaced = _replaced(chunks, titles)
        kept = [chunk for chunk in chunks if chunk.document_id not in replaced]
        Mention.objects.filter(chunk__in=[chunk.pk for chunk in kept]).delete()
        Mention.objects.bulk_create(
            (
                Mention(
                    chunk=chunk,
                    node_id=nodes[draft.curie],
                    start=draft.start,
                    end=draft.end,
                    primary=draft.primary,
                    vocabulary=draft.vocabulary[:30],
                )
                for chunk in kept
                for draft in found[chunk.pk]
            ),
            ignore_conflicts=True,
        )
        Document.objects.filter(pk__in=titles.keys() - replaced).update(lexicon=present.fingerprint)


def _drafts(lexicon: Lexicon, chunk: Chunk, title: str) -> list[MentionDraft]:
    found = stamp(lexicon, chunk.text, title=title, section_path=tuple(chunk.section_path))
    return [draft for draft in found if draft.kind not in NOT_STAMPED]


def _replaced(chunks: Sequence[Chunk], documents: Collection[int]) -> set[int]:
    """Those of the documents, locked with their passages, that have others than these now: whoever
    replaced them has them stamped again.
    """
    rows = Document.objects.filter(pk__in=documents).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))  # first, as a deletion does
    locked = Chunk.objects.filter(document__in=documents, parent=None).order_by("pk")
    now = locked.select_for_update(no_key=True).values_list("document", "pk", "text_sha256")
    seen = {(chunk.document_id, chunk.pk, bytes(chunk.text_sha256)) for chunk in chunks}
    differing = seen ^ {(document, pk, bytes(sha256)) for document, pk, sha256 in now}
    return {document for document, _, _ in differing}


def _nodes(drafts: Sequence[MentionDraft]) -> dict[str, int]:
    """The nodes of these entities, made where they are missing.

    A node is everybody's, so its label comes from vocabularies that everybody reads, and is its
    CURIE where only others know it.
    """
    curies = {draft.curie: draft for draft in drafts}
    known = dict(Node.objects.filter(curie__in=curies).values_list("curie", "pk"))
    missing = [draft for curie, draft in curies.items() if curie not in known]
    if missing:
        public = _public_labels([draft.curie for draft in missing])
        Node.objects.bulk_create(
            (
                Node(
                    curie=draft.curie,
                    kind=draft.kind,
                    label=public.get(draft.curie, draft.curie)[:LABEL_CHARS],
                )
                for draft in sorted(missing, key=lambda draft: draft.curie)
            ),
            ignore_conflicts=True,
        )
        known |= dict(Node.objects.filter(curie__in=curies).values_list("curie", "pk"))
    return known


def _public_labels(curies: Iterable[str]) -> dict[str, str]:
    open_to_all = Q(document__corpus__visibility="site")
    rows = Term.objects.filter(open_to_all, curie__in=list(curies)).order_by(
        "-document", "-position"
    )
    return dict(rows.values_list("curie", "label"))
