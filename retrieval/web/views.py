"""The search page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.web.formats import Choice, counted, duration
from accounts.web.requests import SignedInRequest
from corpus.models import Corpus
from corpus.sources.registry import SOURCES
from corpus.web.kinds import CONTENT_LABELS, source_label
from corpus.web.rows import corpora_of, corpus_names
from flux_site.kernel.errors import InvalidInput
from retrieval.services.search import search
from retrieval.types import Filters, SearchResult
from retrieval.web.hits import hit_rows

FOUND = 100
A_PAGE = 20
KINDS = ("text", "record", "image", "table")
MAX_TEXT = 2000
EARLIEST, LATEST = 1000, 2999  # a year has four digits


class Asked:
    """What the query string asks for; anything unreadable in it counts as not said."""

    def __init__(self, request: SignedInRequest) -> None:
        get = request.GET
        self.text = " ".join(get.get("q", "").replace("\x00", " ").split())
        self.kinds = [kind for kind in get.getlist("kind") if kind in KINDS]
        self.sources = [source for source in get.getlist("source") if source in SOURCES]
        self.corpora = get.getlist("corpus")
        self.year_from, self.year_to = _year(get.get("from", "")), _year(get.get("to", ""))
        self.retracted = get.get("retracted") == "show"

    @property
    def filters(self) -> Filters:
        """The same for the search. Retracted documents are left out unless asked for."""
        years: tuple[tuple[int, int], ...] = ()
        if self.year_from or self.year_to:
            years = ((self.year_from or EARLIEST, self.year_to or LATEST),)
        return Filters(
            years=years,
            sources=tuple(self.sources),
            content_types=tuple(self.kinds),
            retracted=None if self.retracted else False,
        )

    @property
    def on(self) -> int:
        """How many filters are on."""
        chosen = len(self.kinds) + len(self.sources) + len(self.corpora)
        return chosen + bool(self.year_from) + bool(self.year_to) + self.retracted

    @property
    def query(self) -> str:
        """The query string without the page, for the pager."""
        pairs = [("q", self.text)]
        pairs += [("kind", kind) for kind in self.kinds]
        pairs += [("source", source) for source in self.sources]
        pairs += [("corpus", corpus) for corpus in self.corpora]
        named = [("from", self.year_from), ("to", self.year_to)]
        pairs += [(name, str(year)) for name, year in named if year]
        pairs += [("retracted", "show")] if self.retracted else []
        return urlencode(pairs) + "&"


def _year(text: str) -> int | None:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    return int(digits) if EARLIEST <= int(digits[:5]) <= LATEST else None


@login_required
@require_safe
def search_page(request: SignedInRequest) -> HttpResponse:
    """Passages for a query, each with the reason why it is here."""
    asked = Asked(request)
    corpora = corpora_of(request.user)
    if not asked.text:
        return _render(request, asked, corpora, _nothing(corpora))
    try:
        result = search(
            asked.text,
            reader=request.user,
            corpora=asked.corpora or None,
            limit=FOUND,
            filters=asked.filters,
        )
    except InvalidInput as error:
        shown = _nothing(corpora) | {"notes": [error.message]}
        return _render(request, asked, corpora, shown, status=error.status)
    return _render(request, asked, corpora, _found(request, asked, result))


def _nothing(corpora: Sequence[Corpus]) -> dict[str, Any]:
    line = f"In {counted(len(corpora), 'corpus', 'corpora')} that you can read."
    return {"results": [], "total": 0, "line": line, "notes": [], "kind_counts": {}}


def _found(request: SignedInRequest, asked: Asked, result: SearchResult) -> dict[str, Any]:
    page = Paginator(result.hits, A_PAGE).get_page(request.GET.get("page"))
    total_ms = result.timings.get("total_ms")
    took = f", in {duration(total_ms)}" if total_ms is not None else ""
    searched = {"dense": "meaning", "lexical": "words"}
    by = " and ".join(searched[leg] for leg in result.legs)
    return {
        "results": hit_rows(list(page.object_list), asked.text, result),
        "page": page,
        "query": asked.query,
        "total": len(result.hits),
        "unsaid": _unsaid(result),
        "line": f"The best passages by {by}{took}." if by else "",
        "notes": result.notes,
        "kind_counts": Counter(hit.content_type for hit in result.hits),
    }


def _unsaid(result: SearchResult) -> bool:
    """Whether the words were looked for and no passage holds any: all hits are near by meaning."""
    looked = "lexical" in result.legs
    return looked and all(hit.scores.lexical_rank is None for hit in result.hits)


def _render(
    request: SignedInRequest,
    asked: Asked,
    corpora: Sequence[Corpus],
    shown: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    context = {
        "nav": "search",
        "crumbs": [{"label": "Search"}],
        "text": asked.text,
        "search_text": asked.text[:MAX_TEXT],
        "facets": _facets(asked, corpora, shown["kind_counts"]),
        "filters_on": asked.on,
        "year_from": asked.year_from or "",
        "year_to": asked.year_to or "",
        "show_retracted": asked.retracted,
        "ask_url": f"{reverse('agent:ask')}?{urlencode({'question': asked.text})}",
        "max_text": MAX_TEXT,
    }
    return render(request, "retrieval/search.html", context | shown, status=status)


def _facets(
    asked: Asked, corpora: Sequence[Corpus], kind_counts: dict[str, int]
) -> list[dict[str, Any]]:
    """Filters with what is chosen; a count stands only where it counts all that was found."""
    counts = {} if asked.kinds else kind_counts
    names = corpus_names(corpora)
    kinds = [
        Choice(kind, CONTENT_LABELS[kind], kind in asked.kinds, counts.get(kind)) for kind in KINDS
    ]
    sources = [Choice(name, source_label(name), name in asked.sources) for name in SOURCES]
    chosen = [
        Choice(names[corpus.pk], corpus.name, names[corpus.pk] in asked.corpora)
        for corpus in corpora
    ]
    return [
        {"name": "kind", "label": "Kind", "choices": kinds},
        {"name": "corpus", "label": "Corpus", "choices": chosen},
        {"name": "source", "label": "Source", "choices": sources},
    ]
