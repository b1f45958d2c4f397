"""Finding the paper behind a document."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q

from corpus.models import Work
from corpus.types import NormalizedDocument

NAMES = ("doi", "pmid", "pmcid", "openalex")


def resolve(document: NormalizedDocument) -> Work | None:
    """The work that shares one of the document's ids, made where there is none; None without ids.

    Ids that the work lacks are added, unless another work has them already.
    """
    ids = {name: getattr(document.identifiers, name) for name in NAMES}
    ids = {name: value for name, value in ids.items() if value}
    if not ids:
        return None
    work = _known(ids)
    if work is None:
        try:
            with transaction.atomic():
                work = Work.objects.create(**ids, retracted=document.retracted)
        except IntegrityError:  # another worker made it in between
            work = _known(ids)
    if work is not None:
        _complete(work, ids, retracted=document.retracted)
    return work


def _known(ids: dict[str, str]) -> Work | None:
    query = Q()
    for name, value in ids.items():
        query |= Q(**{name: value})
    return Work.objects.filter(query).order_by("pk").first()


def _complete(work: Work, ids: dict[str, str], *, retracted: bool) -> None:
    missing = {name: value for name, value in ids.items() if not getattr(work, name)}
    for name, value in missing.items():
        if not Work.objects.filter(**{name: value}).exists():
            setattr(work, name, value)
    changed = [name for name in missing if getattr(work, name)]
    if retracted and not work.retracted:
        work.retracted = True
        changed.append("retracted")
    if changed:
        work.save(update_fields=changed)
