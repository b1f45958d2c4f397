"""The lexicon of a corpus: names of the vocabularies that all its readers may know."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from django.db.models import Q, QuerySet

from corpus.lexicon.loaders import Rulings, Verdict
from corpus.lexicon.matcher import Lexicon
from corpus.models import AliasRuling, Corpus, Document
from corpus.models import Term as TermRow
from corpus.types import Term, TermKind

VERSION = "2"  # grows when matching changes what is found
KEPT = 2  # lexicons a process keeps: about 200 MB for fifty thousand terms


def vocabularies_for(corpus: Corpus) -> QuerySet[Document]:
    """The vocabularies that name things in a corpus.

    Its own and those of corpora that everyone reads; with team corpora those of the same team,
    unless someone outside the team was let in: what stamps a passage is seen by its readers.
    """
    allowed = Q(corpus__visibility="site") | Q(corpus=corpus)
    if corpus.visibility != "site" and not corpus.grants.exists():
        allowed |= Q(corpus__team=corpus.team_id, corpus__visibility="team")
    return Document.objects.filter(allowed, type="vocabulary").order_by("pk")


@dataclass(frozen=True, slots=True)
class Present:
    """What a corpus's lexicon is made of: vocabularies, what curators ruled, a fingerprint of
    both.
    """

    fingerprint: str
    vocabularies: tuple[int, ...]
    rulings: tuple[tuple[str, str, Verdict], ...]

    def lexicon(self) -> Lexicon:
        """The lexicon, built on first use in a process (seconds for fifty thousand terms)."""
        return _built(self.fingerprint, self.vocabularies, self.rulings)


def present(corpus: Corpus) -> Present:
    """What names things in a corpus at this moment; hold it for a batch, not for long."""
    known = list(vocabularies_for(corpus).values_list("pk", "content_sha256"))
    said = tuple(
        (curie, key, cast(Verdict, verdict))
        for curie, key, verdict in rulings_for(corpus).values_list("curie", "key", "verdict")
    )
    text = "\n".join(
        [VERSION, *sorted(content for _, content in known), *sorted(map(" ".join, said))]
    )
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Present(fingerprint, tuple(pk for pk, _ in known), said)


def rulings_for(corpus: Corpus) -> QuerySet[AliasRuling]:
    """What curators said of names in the vocabularies of a corpus."""
    holders = vocabularies_for(corpus).order_by().values("corpus")
    return AliasRuling.objects.filter(corpus__in=holders).order_by("pk")


@lru_cache(maxsize=KEPT)
def _built(
    fingerprint: str, documents: tuple[int, ...], said: tuple[tuple[str, str, Verdict], ...]
) -> Lexicon:
    rows = TermRow.objects.filter(document__in=documents).order_by("document", "position")
    return Lexicon((_term(row) for row in rows.iterator()), rulings=_by_curie(said))


def _by_curie(said: Iterable[tuple[str, str, Verdict]]) -> Rulings:
    """Of two corpora that rule on one name, the stricter word counts."""
    found: dict[str, dict[str, Verdict]] = {}
    for curie, key, verdict in said:
        names = found.setdefault(curie, {})
        names[key] = "off" if "off" in (verdict, names.get(key)) else "ambiguous"
    return found


def _term(row: TermRow) -> Term:
    return Term(
        curie=row.curie,
        label=row.label,
        kind=cast(TermKind, row.kind),
        names=tuple(row.names),
        symbols=tuple(row.symbols),
        xrefs=tuple(row.xrefs),
        parents=tuple(row.parents),
        roles=tuple(row.roles),
        taxon=row.taxon,
        withdrawn=row.withdrawn,
        replaced_by=tuple(row.replaced_by),
    )
