"""What a curator says of a vocabulary's name: not to be looked for, or only in context."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.services.audit import record
from accounts.types import Role
from corpus.lexicon.folding import fold_name
from corpus.models import AliasRuling, Corpus, Term
from flux_site.kernel.errors import InvalidInput, NotFound

LONGEST = 255  # characters of a folded name
VERDICTS = ("off", "ambiguous", "on")


def aliases_of(term: Term) -> list[str]:
    """All names of a term, each once: symbols, label, names."""
    return list(dict.fromkeys((*term.symbols, term.label, *term.names)))


@transaction.atomic
def rule(
    term: Term,
    alias: str,
    verdict: str,
    *,
    by: User,
    origin: str = "",
    inside_admin: bool = False,
) -> None:
    """Say that a name of a term is `off`, `ambiguous`, or `on` again as the vocabulary has it.

    It holds for every lexicon that the vocabulary's corpus is part of: their documents are linked
    anew by `tasks.relink_stale`. Raises NotFound where `by` may not fill that corpus, InvalidInput
    for a name that the term has not, or another verdict.
    """
    corpus = term.document.corpus
    mine = Corpus.objects.workable_by(by, Role.CURATOR, inside_admin=inside_admin)
    if not mine.filter(pk=corpus.pk).exists():
        raise NotFound
    if alias not in aliases_of(term):
        raise InvalidInput(f"{term.label} has no name {alias!r}.")
    if verdict not in VERDICTS:
        raise InvalidInput(f"A name is one of {', '.join(VERDICTS)}.")
    key = fold_name(alias)
    if len(key) > LONGEST:
        raise InvalidInput("So long a name is found in no text.")
    place: dict[str, Any] = {"corpus": corpus, "curie": term.curie, "key": key}
    rows = AliasRuling.objects.select_for_update().filter(**place)
    before = rows.values_list("verdict", flat=True).first() or "on"
    if verdict == "on":
        rows.delete()
    else:
        values: dict[str, Any] = {"alias": alias, "verdict": verdict, "user": by}
        AliasRuling.objects.update_or_create(**place, defaults=values)
    told = {"curie": term.curie, "alias": alias}
    record(
        by,
        "vocabulary.rule",
        corpus,
        origin=origin,
        before=told | {"verdict": before},
        after=told | {"verdict": verdict},
    )
