"""Corpora, documents and jobs as the rows and cards that pages show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from accounts.types import Role
from accounts.web.formats import ago, counted, percent
from corpus.models import Chunk, Corpus, Document, Figure, IngestJob, Page, Table
from corpus.services.progress import END_STATES
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url, document_url, shown_id

LIVE = ("queued", "running")


@dataclass(frozen=True, slots=True)
class State:
    """A state as glyph, word and colour."""

    label: str
    tone: str
    icon: str
    live: bool = False


def corpora_of(user: User) -> list[Corpus]:
    """Every corpus that the user may read, with its team, by name."""
    return list(Corpus.objects.readable_by(user).select_related("team"))


def ambiguous_slugs(corpora: Iterable[Corpus]) -> set[str]:
    """Slugs that two readable corpora share."""
    slugs = [corpus.slug for corpus in corpora]
    return {slug for slug in slugs if slugs.count(slug) > 1}


def corpus_cards(
    corpora: Sequence[Corpus], user: User, current: Corpus | None = None
) -> list[dict[str, Any]]:
    """Cards of corpora; a curator's card shows the job under way."""
    doubles = ambiguous_slugs(corpora)
    progress = _progress(user, corpora)
    return [
        {
            "url": corpus_url(corpus, ambiguous=corpus.slug in doubles),
            "name": corpus.name,
            "icon": "lock" if corpus.visibility == "private" else "library",
            "current": current is not None and corpus.pk == current.pk,
            "line": f"{counted(corpus.document_count, 'document')} · {_passages(corpus)}",
            "note": readers_of(corpus),
            "percent": progress.get(corpus.pk),
        }
        for corpus in corpora
    ]


def readers_of(corpus: Corpus) -> str:
    """Who can read the corpus, in a phrase."""
    who = {
        "site": "Everyone signed in can read",
        "team": f"Team {corpus.team.name} can read",
    }.get(corpus.visibility, "Private")
    return f"{who} · comes with Flux" if corpus.is_demo else who


def _progress(user: User, corpora: Sequence[Corpus]) -> dict[int, float]:
    jobs = IngestJob.objects.visible_to(user).filter(corpus__in=corpora, state__in=LIVE)
    rows = jobs.values("corpus").annotate(
        total=Count("items"), ended=Count("items", filter=Q(items__state__in=END_STATES))
    )
    return {row["corpus"]: percent(row["ended"], row["total"]) for row in rows}


def _passages(corpus: Corpus) -> str:
    if corpus.propositions:
        return counted(corpus.chunk_count, "passage or statement", "passages and statements")
    return counted(corpus.chunk_count, "passage")


def document_rows(documents: Sequence[Document], reader: User) -> list[dict[str, Any]]:
    """Documents of one page of the table, their parts counted in four queries."""
    passages = _counts(Chunk.objects.visible_to(reader).filter(parent=None), documents)
    pages = _counts(Page.objects.visible_to(reader), documents)
    figures = _counts(Figure.objects.visible_to(reader).filter(parent=None), documents)
    tables = _counts(Table.objects.visible_to(reader), documents)
    return [
        {
            "url": document_url(document.public_id),
            "title": document.title or document.external_id,
            "ident": shown_id(document),
            "source": source_label(document.source),
            "status": status_of(document, passages.get(document.pk, 0)),
            "year": document.year,
            "pages": pages.get(document.pk),
            "passages": passages.get(document.pk),
            "figures": figures.get(document.pk),
            "tables": tables.get(document.pk),
            "added": ago(document.created_at),
            "iso": document.created_at.isoformat(),
        }
        for document in documents
    ]


def _counts(rows: QuerySet[Any], documents: Sequence[Document]) -> dict[int, int]:
    """Parts by document."""
    found = rows.filter(document__in=[document.pk for document in documents])
    return dict(found.order_by().values_list("document").annotate(Count("pk")))


def status_of(document: Document, passages: int) -> State:
    """Whether a document can be used in answers."""
    if document.retracted:
        return State("Retracted", "bad", "alert")
    if not passages:
        return State("No text", "warn", "alert")
    return State("Ready", "ok", "ok")


def may_fill(user: User, corpus: Corpus) -> bool:
    """Whether the user may add documents."""
    return bool(Corpus.objects.with_role(user, Role.CURATOR).filter(pk=corpus.pk).exists())


def corpus_names(corpora: Sequence[Corpus]) -> dict[int, str]:
    """How forms name each corpus: its slug, or TEAM/SLUG where two share it."""
    doubles = ambiguous_slugs(corpora)
    return {
        corpus.pk: f"{corpus.team.slug}/{corpus.slug}" if corpus.slug in doubles else corpus.slug
        for corpus in corpora
    }
