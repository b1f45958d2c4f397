"""How a corpus is cut into passages: saying it, and cutting anew what is already there."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from corpus.models import Corpus, Document
from corpus.services import corpora, fingerprint, garbage, reparsing
from flux_site.kernel.errors import InvalidInput


def switch(
    corpus: Corpus, chunker: str, *, by: User, origin: str = "", inside_admin: bool = False
) -> reparsing.Reparsing:
    """Cut the corpus by another chunker from now on, and make jobs that read again what was cut
    otherwise.

    Raises NotFound for a corpus that `by` may not see, NotAllowed below curator, InvalidInput for
    a chunker that there is not.
    """
    names = [name for name, _ in Corpus.CHUNKERS]
    if chunker not in names:
        raise InvalidInput(f"There is no chunker {chunker!r}; there are: {', '.join(names)}.")
    who: dict[str, Any] = {"by": by, "origin": origin, "inside_admin": inside_admin}
    with garbage.keeping(), transaction.atomic():
        corpora.set_reading(corpus, "chunker", chunker, **who)
        others = Document.objects.filter(corpus=corpus, deletion=None)
        others = others.exclude(pipeline=fingerprint.pipeline(chunker))
        try:
            return reparsing.request(others, **who)
        except InvalidInput:  # there is none, or none has its file any more
            return reparsing.Reparsing(jobs=[], documents=0, without_file=others.count())
