"""How the papers stand that an answer cites: now, not when it was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from accounts.models import User
from accounts.web.formats import shortened
from agent import events
from agent.models import Citation, Run, RunEvent
from corpus.models import Document

SHOWN_TITLE = 90


@dataclass(frozen=True, slots=True)
class Standing:
    """A cited paper that is retracted, of concern or corrected.

    `is_news`: it was not retracted yet when its passage was found for the answer.
    """

    citation: int  # its number in the answer
    title: str
    retracted: bool
    concern: bool
    corrected: bool
    is_news: bool

    @property
    def warning(self) -> str:
        """A sentence for readers; empty for a correction alone, which the source's tag tells."""
        name = f"Source {self.citation}, “{shortened(self.title, SHOWN_TITLE)}”,"
        if self.retracted:
            when = (
                "has been retracted since this answer was made" if self.is_news else "is retracted"
            )
            return f"{name} {when}: do not rely on what rests on it."
        if self.concern:
            return f"{name} is under an expression of concern: check it before you rely on it."
        return ""

    def as_json(self) -> dict[str, Any]:
        """As the API gives it."""
        return {
            "citation": self.citation,
            "retracted": self.retracted,
            "concern": self.concern,
            "corrected": self.corrected,
            "since_answer": self.is_news,
        }


def of_answer(run: Run, citations: Sequence[Mapping[str, Any]], reader: User) -> list[Standing]:
    """Those of an answer's citations, as the reader has them, whose papers do not stand as
    published. Only documents that the reader may read and that are still there.
    """
    rows = Citation.objects.visible_to(reader).filter(answer__run=run, document__isnull=False)
    marked = Q(document__retracted=True) | Q(document__concern=True) | Q(document__corrected=True)
    documents = {
        str(row.chunk_public_id): row.document
        for row in rows.filter(marked).select_related("document").order_by("pk")
    }
    if not documents:
        return []
    known = _retracted_then(run)
    return [
        _standing(citation, documents[citation["chunk_id"]], known)
        for citation in citations
        if citation["chunk_id"] in documents
    ]


def warnings(standings: Iterable[Standing]) -> list[str]:
    """A sentence for each that a reader must not miss."""
    return [standing.warning for standing in standings if standing.warning]


def _standing(citation: Mapping[str, Any], document: Document, known: frozenset[str]) -> Standing:
    return Standing(
        citation=citation["id"],
        title=document.title or document.external_id,
        retracted=document.retracted,
        concern=document.concern,
        corrected=document.corrected,
        is_news=document.retracted and citation["chunk_id"] not in known,
    )


def _retracted_then(run: Run) -> frozenset[str]:
    """Passages that were marked as retracted when the run found them."""
    found = RunEvent.objects.filter(run_id=run.pk, kind=events.CITATIONS)
    payloads: Sequence[dict[str, Any]] = list(found.values_list("payload", flat=True))
    return frozenset(
        str(item["chunk_id"])
        for payload in payloads
        for item in payload.get("data", ())
        if item.get("retracted")
    )
