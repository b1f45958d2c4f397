"""A paper's other records, and the papers that belong to it, as a reader may see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.models import User
from corpus.models import SITE, Document, Work, WorkLink
from corpus.services.works.grouping import TELLING
from corpus.services.works.identity import NAMES, key
from corpus.sources.preprints import unversioned

MOST = 50

# kind -> what the source does to the target, and the target's side of it
_WORDS = {
    "preprint_of": ("Published version", "Preprint"),
    "updates": ("Earlier version", "Newer version"),
    "retracts": ("Retracts", "Retracted by"),
    "corrects": ("Corrects", "Corrected by"),
    "concerns": ("Raises concern about", "Concern raised by"),
}


@dataclass(frozen=True, slots=True)
class Linked:
    """A document of a paper that belongs to another; `kind` as WorkLink, seen from the reader's
    document: `label` says what the linked one is to it.
    """

    kind: str
    label: str
    document: Document


def same_work(document: Document, reader: User | AnonymousUser) -> list[Document]:
    """Other documents of the same paper that the reader may read, in any corpus, by id."""
    works = _works_seen(document)
    if document.work is None:
        return []
    visible = Document.objects.visible_to(reader).exclude(pk=document.pk)
    # In corpora of other readers nobody has put the records together: a shared id does.
    elsewhere = Q(identity__keys__overlap=_id_keys(document)) & ~Q(work__scope=document.work.scope)
    rows = visible.filter(_of_works(works) | elsewhere).select_related("corpus__team", "work")
    return [row for row in rows.order_by("pk")[:MOST] if _agree(document, row)]


def links_of(document: Document, reader: User | AnonymousUser) -> list[Linked]:
    """Preprint, published version, notices and their papers: one readable document of each."""
    works = _works_seen(document)
    works |= set(_scoped_seen(works, reader))
    if not works:
        return []
    found: dict[tuple[str, int], Linked] = {}
    for link in _links_seen(works, reader):
        outward = link.source_id in works
        record = _record_of(link.target if outward else link.source, document, reader)
        if record is not None:
            label = _WORDS[link.kind][0 if outward else 1]
            found.setdefault((label, record.pk), Linked(link.kind, label, record))
    return [found[key] for key in sorted(found)]


def _links_seen(works: set[int], reader: User | AnonymousUser) -> QuerySet[WorkLink]:
    """Links of these works that a reader may know of: a link of a narrow scope only where the
    reader has a document of that very work.
    """
    known = Work.objects.visible_to(reader).values("pk")
    rows = WorkLink.objects.filter(Q(source__in=works) | Q(target__in=works))
    for end in ("source", "target"):
        rows = rows.filter(Q(**{f"{end}__scope": SITE}) | Q(**{f"{end}__in": known}))
    return rows.select_related("source", "target").order_by("pk")[:MOST]


def _record_of(work: Work, document: Document, reader: User | AnonymousUser) -> Document | None:
    visible = Document.objects.visible_to(reader).exclude(pk=document.pk)
    found: Document | None = visible.filter(_of_works({work.pk})).order_by("pk").first()
    return found


def _id_keys(document: Document) -> list[str]:
    ids = document.identifiers
    return [key(name, ids[name]) for name in NAMES if ids.get(name)]


def _agree(one: Document, two: Document) -> bool:
    """Whether no id of theirs differs; within one work it has been looked at."""
    if one.work_id == two.work_id:
        return True
    pairs = [(one.identifiers.get(name), two.identifiers.get(name)) for name in TELLING]
    return all(not a or not b or unversioned(a) == unversioned(b) for a, b in pairs)


def _works_seen(document: Document) -> set[int]:
    """The document's work and the site's of the same paper."""
    if document.work is None:
        return set()
    return {pk for pk in (document.work.pk, document.work.public_work_id) if pk}


def _scoped_seen(works: set[int], reader: User | AnonymousUser) -> Iterable[int]:
    """Works of narrower scopes of the same paper, of which the reader has a document."""
    visible = Document.objects.visible_to(reader).filter(work__public_work__in=works)
    return visible.values_list("work", flat=True).distinct()


def _of_works(works: set[int]) -> Q:
    return Q(work__in=works) | Q(work__public_work__in=works)
