"""Curators' word on which documents are of one paper."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, Document, Ruling, Work, WorkConflict
from corpus.services.works import scopes, settling
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound


def suspected(corpus: Corpus) -> QuerySet[WorkConflict]:
    """Pairs of works that may be one paper, or share an id and are not, of which the corpus has
    documents. Both are of the corpus's scope, so whoever reads the corpus may see both.
    """
    of_corpus = Document.objects.filter(corpus=corpus, work__isnull=False).values("work")
    rows = WorkConflict.objects.filter(Q(one__in=of_corpus) | Q(two__in=of_corpus))
    return rows.select_related("one", "two").order_by("pk")


@transaction.atomic
def merge(
    works: Collection[Work], *, by: User, origin: str = "", inside_admin: bool = False
) -> Work:
    """Make works of one scope one paper, whatever their ids say; the oldest row stays.

    Raises NotFound for a work none of whose documents `by` may read, NotAllowed where `by` curates
    none of them, InvalidInput for fewer than two works or works of several scopes.
    """
    scope = _scope(works)
    scopes.lock(scope)
    members = {work.pk: _documents(work) for work in works}
    for documents in members.values():
        _require_curator(documents, by, inside_admin)
    first, *others = (members[pk] for pk in sorted(members))
    for other in others:
        _rule(first[:1], other[:1], is_same=True)
        Ruling.objects.filter(_between(first, other), is_same=False).delete()
    record(
        by,
        "work.merge",
        min(works, key=lambda work: work.pk),
        origin=origin,
        before={"works": sorted(str(work.public_id) for work in works)},
        after={"documents": sorted(str(d.public_id) for ds in members.values() for d in ds)},
    )
    settling.settle(scope, settling.Touched({d.pk for ds in members.values() for d in ds}))
    return Work.objects.get(documents=first[0])


@transaction.atomic
def split(document: Document, *, by: User, origin: str = "", inside_admin: bool = False) -> Work:
    """Take a document out of its work: it is of another paper than the others. Its work now.

    Raises as merge; InvalidInput where the document is the only one of its work.
    """
    document = Document.objects.select_related("work").get(pk=document.pk)
    if document.work is None:
        raise InvalidInput("The document belongs to no paper.")
    scopes.lock(document.work.scope)
    _require_curator([document], by, inside_admin)
    others = [other for other in _documents(document.work) if other.pk != document.pk]
    if not others:
        raise InvalidInput("The document is the only one of its paper.")
    Ruling.objects.filter(_between([document], others)).delete()
    _rule([document], others, is_same=False)
    before = {"work": str(document.work.public_id)}
    touched = settling.leaving([document.pk])
    touched.documents.add(document.pk)
    settling.settle(document.work.scope, touched)
    work = Work.objects.get(documents=document)
    record(by, "work.split", document, origin=origin, before=before)
    return work


def _scope(works: Iterable[Work]) -> str:
    found = {work.scope for work in works}
    if len({work.pk for work in works}) < 2:
        raise InvalidInput("Merging takes two works or more.")
    if len(found) != 1:
        raise InvalidInput("These works belong to corpora with different readers.")
    return found.pop()


def _documents(work: Work) -> list[Document]:
    return list(work.documents.order_by("pk"))


@transaction.atomic
def keep_apart(
    works: Collection[Work], *, by: User, origin: str = "", inside_admin: bool = False
) -> None:
    """Say that two works are two papers: they are suspected no more.

    Raises as merge.
    """
    scope = _scope(works)
    scopes.lock(scope)
    one, two = ([*_documents(work)] for work in works)
    for documents in (one, two):
        _require_curator(documents, by, inside_admin)
    Ruling.objects.filter(_between(one, two)).delete()
    _rule(one, two, is_same=False)
    told = sorted(str(work.public_id) for work in works)
    record(by, "work.keep_apart", origin=origin, after={"works": told})
    settling.settle(scope, settling.Touched({d.pk for d in (*one, *two)}))


def _require_curator(documents: Collection[Document], by: User, inside_admin: bool) -> None:
    corpora = {document.corpus_id for document in documents}
    allowed = {
        role: Corpus.objects.workable_by(by, role, inside_admin=inside_admin)
        for role in (Role.READER, Role.CURATOR)
    }
    if not allowed[Role.READER].filter(pk__in=corpora).exists():
        raise NotFound
    if not allowed[Role.CURATOR].filter(pk__in=corpora).exists():
        raise NotAllowed("Only curators and owners can say which records are of one paper.")


def _between(one: Iterable[Document], two: Iterable[Document]) -> Q:
    a, b = [d.pk for d in one], [d.pk for d in two]
    return Q(one__in=a, two__in=b) | Q(one__in=b, two__in=a)


def _rule(one: Iterable[Document], two: Iterable[Document], *, is_same: bool) -> None:
    for a, b in product(one, two):
        low, high = sorted((a.pk, b.pk))
        values: dict[str, Any] = {"is_same": is_same}
        Ruling.objects.update_or_create(one_id=low, two_id=high, defaults=values)
