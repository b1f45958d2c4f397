"""What is done later: documents that a change elsewhere concerns, and corpora that changed hands.

Every step may be done twice, by two workers at once, or be cut off: what is left is found again.
"""

from __future__ import annotations

from django.db import connection, transaction

from corpus.models import Corpus, Document, Identity, Statement, Unsettled, Work
from corpus.services.works import scopes, settling, standing

BATCH = 100
TOO_MUCH = 10_000  # documents a call of `drain`


def rescope(corpus: Corpus) -> int:
    """Have the works of a corpus made anew if its permissions moved it to another scope.

    Returns how many documents are to be settled. Call it when the change of visibility or grants
    is committed; where that fails, `sweep` finds the corpus.
    """
    with transaction.atomic():  # whoever stores under the former permissions ends first
        corpus = Corpus.objects.select_for_update().get(pk=corpus.pk)
    scope = scopes.scope_of(corpus)
    if corpus.work_scope == scope:
        return 0
    told = Identity.objects.filter(document__corpus=corpus).exclude(scope=scope)
    documents = list(told.values_list("document", flat=True))
    settling.note(documents)
    # Last: if this is not reached, the next sweep does all of it again.
    Corpus.objects.filter(pk=corpus.pk).update(work_scope=scope)
    return len(documents)


def sweep() -> int:
    """Find what no door has told of: corpora in a former scope, works without documents."""
    moved = 0
    for corpus in Corpus.objects.order_by("pk"):
        if corpus.work_scope != scopes.scope_of(corpus):
            moved += rescope(corpus)
    Work.objects.filter(documents=None).delete()
    settling.note(_unsupported())
    return moved


def _unsupported() -> set[int]:
    """Documents that stand as something which nothing says any more: a notice was deleted."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        for kind, flag in standing.FLAGS.items():
            cursor.execute(_UNSUPPORTED.format(flag=flag), {"kind": kind})
            found |= {row[0] for row in cursor.fetchall()}
    return found


_UNSUPPORTED = """
SELECT d.id FROM corpus_work w JOIN corpus_document d ON d.work_id = w.id
LEFT JOIN corpus_work p ON p.id = w.public_work_id
WHERE w.{flag} AND NOT coalesce(p.{flag}, false)
AND NOT EXISTS (
    SELECT FROM corpus_document o JOIN corpus_statement s ON s.document_id = o.id
    WHERE o.work_id = w.id AND s.kind = %(kind)s AND NOT s.outward
) AND NOT EXISTS (
    SELECT FROM corpus_document o JOIN corpus_identity i ON i.document_id = o.id
    JOIN corpus_statement s ON s.other = ANY(i.keys)
    WHERE o.work_id = w.id AND s.kind = %(kind)s AND s.outward
    AND s.scope IN (w.scope, 'site')
)
"""


def drain_all(limit: int = TOO_MUCH) -> int:
    """Settle noted documents until none is left; how many."""
    total = 0
    while total < limit and (done := drain()):
        total += done
    return total


def drain(batch: int = BATCH) -> int:
    """Settle the next noted documents, a transaction each; how many."""
    documents = list(Unsettled.objects.order_by("pk").values_list("pk", flat=True)[:batch])
    return sum(_settle_one(pk) for pk in documents)


@transaction.atomic
def _settle_one(pk: int) -> bool:
    before = _scopes(pk)
    if before is None:
        return bool(Unsettled.objects.filter(pk=pk).delete()[0])
    scopes.lock(*before)
    if _scopes(pk) != before:
        return True  # its corpus changed hands this moment: the next round finds it as it is
    if not Unsettled.objects.filter(pk=pk).delete()[0]:
        return True  # another worker was faster
    former, scope = before
    document = Document.objects.select_related("corpus").get(pk=pk)
    if not Identity.objects.filter(pk=pk).exists():
        settling.settle(scope, settling.describe_stored(document, scope))
        return True
    if former != scope:
        _move(document, former, scope)
    touched = settling.leaving([pk])
    touched.documents.add(pk)
    settling.settle(scope, touched)
    return True


def _scopes(pk: int) -> tuple[str, str] | None:
    """The scope that a document's work is in, and the one that it should be in."""
    document = Document.objects.select_related("corpus").filter(pk=pk).first()
    if document is None:
        return None
    scope = scopes.scope_of(document.corpus)
    former = Identity.objects.filter(pk=pk).values_list("scope", flat=True).first()
    return former or scope, scope


def _move(document: Document, former: str, scope: str) -> None:
    """Take a document out of its former scope, as if it were deleted there."""
    touched = settling.leaving([document.pk])
    Identity.objects.filter(pk=document.pk).update(scope=scope)
    Statement.objects.filter(document=document).update(scope=scope)
    Document.objects.filter(pk=document.pk).update(work=None)
    settling.settle(former, touched)
