"""How a corpus is cut into passages: saying it, and cutting anew what is already there."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.models import Corpus, Document
from corpus.services import fingerprint, reparsing
from flux_site.kernel.errors import InvalidInput, NotAllowed, NotFound


def switch(corpus: Corpus, chunker: str, *, by: User, origin: str = "") -> reparsing.Reparsing:
    """Cut the corpus by another chunker from now on, and make jobs that read again what was cut
    otherwise.

    Raises NotFound for a corpus that `by` may not see, NotAllowed below curator, InvalidInput for
    a chunker that there is not.
    """
    if not Corpus.objects.readable_by(by).filter(pk=corpus.pk).exists():
        raise NotFound
    if not Corpus.objects.with_role(by, Role.CURATOR).filter(pk=corpus.pk).exists():
        raise NotAllowed(f"Only curators and owners can say how {corpus.name} is read.")
    names = [name for name, _ in Corpus.CHUNKERS]
    if chunker not in names:
        raise InvalidInput(f"There is no chunker {chunker!r}; there are: {', '.join(names)}.")
    with transaction.atomic():
        row = Corpus.objects.standing().select_for_update(no_key=True).filter(pk=corpus.pk).first()
        if row is None:
            raise NotFound
        before, row.chunker = row.chunker, chunker
        row.save(update_fields=["chunker"])
        told = {"before": {"chunker": before}, "after": {"chunker": chunker}}
        record(by, "corpus.chunker", row, origin=origin, **told)
    corpus.chunker = chunker
    others = Document.objects.filter(corpus=corpus, deletion=None)
    others = others.exclude(pipeline=fingerprint.pipeline(chunker))
    try:
        return reparsing.request(others, by=by, origin=origin)
    except InvalidInput:  # there is none, or none has its file any more
        return reparsing.Reparsing(jobs=[], documents=0, without_file=others.count())
