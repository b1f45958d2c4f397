"""Hits of a search as rows: the passage, and why it is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts.web.formats import percent
from corpus.web.kinds import kind_of
from corpus.web.links import document_url, image_url
from retrieval.types import Hit, Scores, SearchResult
from retrieval.web.snippets import snippet

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
FUSION_NAMES = {"cc": "Merged (weighted)", "rrf": "Merged (ranks)"}


def hit_rows(hits: Sequence[Hit], query: str, result: SearchResult) -> list[dict[str, Any]]:
    """Rows for partials/hit.html; bars are relative to the best value among all hits found."""
    tops = tops_of(result.hits)
    return [_row(hit, query, result, tops) for hit in hits]


def tops_of(hits: Sequence[Hit]) -> dict[str, float]:
    """The best merged score and the best BM25 score: what a full bar means."""
    return {
        "score": max((hit.score for hit in hits), default=0.0),
        "bm25": max((hit.scores.bm25 or 0.0 for hit in hits), default=0.0),
    }


def _row(hit: Hit, query: str, result: SearchResult, tops: dict[str, float]) -> dict[str, Any]:
    kind = kind_of(hit.content_type, hit.source, page=hit.page)
    facts = [kind.label, hit.section, str(hit.year or ""), hit.corpus]
    return {
        "url": document_url(hit.document_id, page=hit.page, passage=hit.chunk_id),
        "title": hit.title or hit.external_id,
        "icon": kind.icon,
        "facts": [fact for fact in facts if fact],
        "ident": short_id(hit),
        "retracted": hit.retracted,
        "snippet": snippet(hit.text, query),
        "why": f"Why {ordinal(hit.rank)}: {why_line(hit)}",
        "legs": legs(hit.scores, hit.score, result.fusion, tops),
        "score": f"{hit.score:.2f}" if hit.score >= 0.1 else f"{hit.score:.4f}",
        "percent": percent(hit.score, tops["score"]),
        "score_name": "also in " + ", ".join(hit.also_in) if hit.also_in else "",
        "image_url": image_url(hit.image_hash) if hit.content_type == "image" else "",
        "image_label": hit.title,
    }


def short_id(hit: Hit) -> str:
    """The id at the source; a file's SHA-256 is shortened."""
    if hit.source == "pdf" and len(hit.external_id) == 64:
        return f"sha256 {hit.external_id[:8]}…"
    return f"PMID {hit.external_id}" if hit.source == "pubmed" else hit.external_id


def ordinal(rank: int) -> str:
    """The rank in words while it is small."""
    return ORDINALS[rank - 1] if rank <= len(ORDINALS) else f"rank {rank}"


def why_line(hit: Hit) -> str:
    """The search's own reasons, or which legs found the passage."""
    if hit.why:
        return "; ".join(hit.why)
    scores = hit.scores
    parts = []
    if scores.lexical_rank:
        parts.append(f"number {scores.lexical_rank} by words")
    if scores.dense_rank:
        parts.append(f"number {scores.dense_rank} by meaning")
    return ", ".join(parts) or "close to the query"


def legs(
    scores: Scores, merged: float, fusion: str, tops: dict[str, float]
) -> list[dict[str, Any]]:
    """A bar for each leg; one that did not find the passage says so."""
    words = percent(scores.bm25, tops["bm25"]) if scores.bm25 else None
    meaning = percent(max(scores.dense, 0.0), 1.0) if scores.dense is not None else None
    return [
        {"label": "Words (BM25)", "percent": words, "value": _rank(scores.lexical_rank)},
        {"label": "Meaning (cosine)", "percent": meaning, "value": _rank(scores.dense_rank)},
        {
            "label": FUSION_NAMES.get(fusion, "Merged"),
            "percent": percent(merged, tops["score"]),
            "value": f"{merged:.3f}",
            "total": True,
        },
    ]


def _rank(rank: int | None) -> str:
    return f"rank {rank}" if rank else "not listed"
