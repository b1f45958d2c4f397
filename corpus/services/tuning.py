"""How a corpus is read, as page, API and admin set it: all that was said, or nothing."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from corpus.models import Corpus, IngestJob
from corpus.services import corpora, garbage, propositions, recutting


def tune(
    corpus: Corpus,
    *,
    chunker: str | None = None,
    statements: bool | None = None,
    by: User,
    origin: str = "",
    inside_admin: bool = False,
) -> list[IngestJob]:
    """Set the chunker, and whether passages are also found by their single statements, where they
    are told and not as they were; the jobs that see to what is stored already.

    Raises NotFound for a corpus that `by` may not see, NotAllowed below curator, InvalidInput for
    a chunker that there is not.
    """
    who: dict[str, Any] = {"by": by, "origin": origin, "inside_admin": inside_admin}
    what = f"say how {corpus.name} is read"
    corpora.check_curator(corpus, by, what, inside_admin=inside_admin)
    made: list[IngestJob] = []
    with garbage.keeping(), transaction.atomic():
        if chunker is not None and chunker != corpus.chunker:
            made += recutting.switch(corpus, chunker, **who).jobs
        if statements is not None and statements != corpus.propositions:
            made.append(propositions.switch(corpus, statements, **who))
    return made
