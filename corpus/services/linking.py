"""Stamping passages with the entities they name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Q

from corpus.lexicon.stamping import MentionDraft, stamp
from corpus.models import Chunk, Corpus, Document, Mention, Node, Term
from corpus.services import lexicons

NOT_STAMPED = {"other"}  # kinds whose names are everyday words
LABEL_CHARS = 255
STALE_A_TIME = 50


def link(documents: Collection[int], over: Callable[[], bool]) -> frozenset[int]:
    """Stamp the documents whose mentions are not of the present lexicon; those not reached."""
    rows = Document.objects.filter(pk__in=documents).select_related("corpus").order_by("pk")
    present: dict[int, lexicons.Present] = {}
    left = [row.pk for row in rows]
    for document in rows:
        if document.corpus_id not in present:
            present[document.corpus_id] = lexicons.present(document.corpus)
        if document.lexicon != present[document.corpus_id].fingerprint:
            _stamp(document, present[document.corpus_id])
        left.remove(document.pk)
        if over():
            break
    return frozenset(left)


def stale(corpus: Corpus) -> list[int]:
    """Some documents whose mentions are of a former lexicon."""
    known = lexicons.present(corpus).fingerprint
    found = Document.objects.filter(corpus=corpus).exclude(lexicon=known)
    return list(found.order_by("pk").values_list("pk", flat=True)[:STALE_A_TIME])


def _stamp(document: Document, present: lexicons.Present) -> None:
    """Replace a document's mentions in one transaction with the note of which lexicon made them."""
    lexicon = present.lexicon()
    chunks = list(Chunk.objects.filter(document=document, parent=None))
    found = {
        chunk.pk: [
            draft
            for draft in stamp(
                lexicon, chunk.text, title=document.title, section_path=tuple(chunk.section_path)
            )
            if draft.kind not in NOT_STAMPED
        ]
        for chunk in chunks
    }
    nodes = _nodes([draft for drafts in found.values() for draft in drafts])
    with transaction.atomic():
        alive = set(
            Chunk.objects.filter(pk__in=found)
            .select_for_update(no_key=True)
            .values_list("pk", "text_sha256")
        )
        kept = [chunk for chunk in chunks if (chunk.pk, chunk.text_sha256) in alive]
        if len(kept) < len(chunks):
            return  # the document was replaced meanwhile: whoever did that has it stamped again
        Mention.objects.filter(chunk__in=found).delete()
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
        Document.objects.filter(pk=document.pk).update(lexicon=present.fingerprint)


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
