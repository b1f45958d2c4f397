"""One corpus: its documents, uploads and their jobs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.web.formats import choices, counted, grouped
from accounts.web.requests import SignedInRequest, wants_json
from corpus.models import Corpus, Document, IngestJob
from corpus.services import (
    control,
    feeding,
    fetching,
    live,
    uploads,
    wanted,
    watching,
)
from corpus.web import inbox, received, rows
from corpus.web import jobs as job_blocks
from corpus.web.corpora import library_page
from corpus.web.filters import Documents, Filters
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import FluxError, InvalidInput

ROWS = 50
SHOWN_JOBS = 4
FETCHED = 200  # records of a live source, unless the form says another number
LATELY = timedelta(minutes=15)
MAX_FILES = 100  # Django refuses a form with more (DATA_UPLOAD_MAX_NUMBER_FILES)


@login_required
@require_safe
def corpus(request: SignedInRequest, slug: str) -> HttpResponse:
    """One corpus: its documents and, for those who may fill it, upload and jobs."""
    named = _named(request, slug)
    if len(named) > 1:  # two teams use the name: the reader chooses
        return library_page(request, named)
    return corpus_page(request, corpus_named(request, slug))


@login_required
@require_POST
def upload(request: SignedInRequest, slug: str) -> HttpResponse:
    """Take files in: one job for each kind of file among them."""
    found = corpus_named(request, slug)
    files = request.FILES.getlist("files")
    try:
        receipt = received.accept_files(found, files, by=request.user, origin=origin_of(request))
    except InvalidInput as error:
        if wants_json(request):
            return JsonResponse({"error": error.message}, status=error.status)
        return corpus_page(request, found, upload_error=error.message)
    if wants_json(request):
        ids = [str(job.public_id) for job in receipt.jobs]
        return JsonResponse({"jobs": ids, "refused": receipt.refused}, status=202)
    for sentence in receipt.refused.values():
        messages.warning(request, sentence)
    return HttpResponseRedirect(url_of(request, found) + "#jobs")


@login_required
@require_POST
def fetch(request: SignedInRequest, slug: str) -> HttpResponse:
    """Ask a live source for records: a job that fetches them, and again each day where that is
    wanted.
    """
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    try:
        _begin_fetch(request, found)
    except ValueError:
        return corpus_page(request, found, fetch_error="The limit is a number of records.")
    except FluxError as error:
        return corpus_page(request, found, fetch_error=error.message)
    received.start_now()
    return HttpResponseRedirect(url_of(request, found) + "#jobs")


def _begin_fetch(request: SignedInRequest, corpus: Corpus) -> None:
    """Raises ValueError when the limit is no number, FluxError for what cannot be asked."""
    given = {name: request.POST.get(name, "").replace("\x00", "") for name in ("ids", "query")}
    limit = int(request.POST.get("limit") or FETCHED)
    source = request.POST.get("source", "")
    who: dict[str, Any] = {"by": request.user, "origin": origin_of(request)}
    if "named" in request.POST:
        live.accept(corpus, source, wanted.request(corpus, source), **who)
        return
    asked = fetching.request_for(**given, limit=limit)
    if "daily" in request.POST:
        feed = watching.add(corpus, source=source, query=asked.query, limit=limit, **who)
        feeding.ask(feed.pk)
    else:
        live.accept(corpus, source, asked, **who)


@login_required
@require_GET
def jobs(request: SignedInRequest, slug: str) -> HttpResponse:
    """The block of jobs, which asks for itself again while one is live.

    `?ended=N` says how many items the page knows to be over; with more, the table of documents is
    told to ask for itself too.
    """
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    shown = _jobs(request, found)
    response = render(request, "partials/jobs.html", {"jobs": shown})
    if request.GET.get("ended", "") != str(shown["ended"]):
        response["HX-Trigger"] = "flux:documents"
    return response


@login_required
@require_GET
def documents(request: SignedInRequest, slug: str) -> HttpResponse:
    """The table of documents alone, as the filters of the page say."""
    found = corpus_named(request, slug)
    table = _table(request, found, Filters(request, found))
    return render(request, "partials/documents.html", {"documents": table, "fresh": True})


@login_required
@require_POST
def job(request: SignedInRequest, job: str) -> HttpResponse:
    """Pause, resume, cancel a job, or try its failed items again."""
    visible = IngestJob.objects.visible_to(request.user).select_related("corpus__team")
    found = get_object_or_404(visible, public_id=job)
    control.act(found, request.POST.get("action", ""), by=request.user, origin=origin_of(request))
    received.start_now()
    return HttpResponseRedirect(url_of(request, found.corpus) + "#jobs")


def corpus_named(request: SignedInRequest, slug: str) -> Corpus:
    """The one readable corpus of that name; `?team=` tells two apart. Raises Http404."""
    named = _named(request, slug)
    if len(named) != 1:
        raise Http404
    return named[0]


def _named(request: SignedInRequest, slug: str) -> list[Corpus]:
    found = Corpus.objects.readable_by(request.user).filter(slug=slug).select_related("team")
    if team := request.GET.get("team", "").replace("\x00", "\ufffd"):
        found = found.filter(team__slug=team)
    return list(found)


def corpus_page(
    request: SignedInRequest,
    corpus: Corpus,
    upload_error: str = "",
    fetch_error: str = "",
    watch_error: str = "",
) -> HttpResponse:
    """The page of a corpus. A reader below curator gets neither the drop zone nor the jobs."""
    fills = rows.may_fill(request.user, corpus)
    readable = rows.corpora_of(request.user)
    doubles = rows.ambiguous_slugs(readable)
    filters = Filters(request, corpus)
    context = {
        "nav": "library",
        "crumbs": [{"label": "Library", "url": reverse("corpus:library")}, {"label": corpus.name}],
        "corpus": _head(corpus, ambiguous=corpus.slug in doubles),
        "corpora": rows.corpus_cards(readable, request.user, corpus),
        "upload": _upload(request, corpus, upload_error) if fills else None,
        "fetch": _fetch(request, corpus, fetch_error) if fills else None,
        "inbox": _inbox(request, corpus, watch_error) if fills else None,
        "reading": _reading(request, corpus) if fills else None,
        "jobs": _jobs(request, corpus) if fills else None,
        "documents": _table(request, corpus, filters),
        "filters": filters,
    }
    status = 422 if upload_error or fetch_error or watch_error else 200
    return render(request, "corpus/corpus.html", context, status=status)


def _table(request: SignedInRequest, corpus: Corpus, filters: Filters) -> dict[str, Any]:
    """One page of the documents that fit, and how the table asks for itself again."""
    visible = Document.objects.visible_to(request.user).filter(corpus=corpus)
    pages = Documents(filters.apply(visible.order_by("-id")), ROWS, filters.known_count)
    shown = pages.get_page(request.GET.get("page"))
    again = url_of(request, corpus, "corpus:documents").partition("?")[0]
    return {
        "again": f"{again}?{filters.query}page={shown.number}",
        "filtered": filters.on,
        "corpus": {"url": url_of(request, corpus), "team": corpus.team.name},
        "fills": rows.may_fill(request.user, corpus),
        "page": shown,
        "rows": rows.document_rows(list(shown.object_list), filters.reader),
        "count": grouped(shown.paginator.count),
        "query": filters.query,
    }


def _head(corpus: Corpus, *, ambiguous: bool) -> dict[str, Any]:
    name = f"{corpus.team.slug}/{corpus.slug}" if ambiguous else corpus.slug
    ask = urlencode({"corpora": name})
    readers = [rows.readers_of(corpus)]
    if not corpus.external_models_allowed:
        readers.append("never sent to an external model")
    return {
        "name": corpus.name,
        "team": corpus.team.name,
        "url": corpus_url(corpus, ambiguous=ambiguous),
        "about": corpus.description,
        "readers": " · ".join(readers),
        "ask_url": f"{reverse('agent:ask')}?{ask}",
    }


def _upload(request: SignedInRequest, corpus: Corpus, error: str) -> dict[str, Any]:
    return {
        "url": url_of(request, corpus, "corpus:upload"),
        "max_bytes": settings.UPLOAD_MAX_BYTES,
        "max_mb": settings.UPLOAD_MAX_BYTES >> 20,
        "max_files": MAX_FILES,
        "kinds": uploads.kinds(),
        "accept": received.accepted_suffixes(),
        "error": error,
    }


def _fetch(request: SignedInRequest, corpus: Corpus, error: str) -> dict[str, Any]:
    """The form that asks a live source, as it was sent where something is wrong with it."""
    names = [(name, source_label(name)) for name in fetching.LIVE if name != "kegg"]
    if settings.KEGG_LICENSED:
        names.append(("kegg", source_label("kegg")))
    return {
        "url": url_of(request, corpus, "corpus:fetch"),
        "sources": choices(names, request.POST.get("source", "pubmed")),
        "query": request.POST.get("query", ""),
        "ids": request.POST.get("ids", ""),
        "limit": request.POST.get("limit", FETCHED),
        "named": [
            {"source": source, "label": source_label(source), "papers": counted(len(ids), "paper")}
            for source, ids in wanted.named(corpus).items()
        ],
        "error": error,
    }


def _inbox(request: SignedInRequest, corpus: Corpus, error: str) -> dict[str, Any] | None:
    return inbox.block(request, corpus, url_of(request, corpus, "corpus:watch"), error)


def _reading(request: SignedInRequest, corpus: Corpus) -> dict[str, Any]:
    return {
        "url": url_of(request, corpus, "corpus:reading"),
        "chunkers": choices(Corpus.CHUNKERS, corpus.chunker),
        "statements": corpus.propositions,
    }


def _jobs(request: SignedInRequest, corpus: Corpus) -> dict[str, Any]:
    """Jobs under way and those just over; without any, the latest: what came of it can be read."""
    visible = IngestJob.objects.visible_to(request.user).filter(corpus=corpus)
    visible = visible.select_related("corpus__team", "user", "fetch")
    just_over = Q(finished_at__gt=timezone.now() - LATELY)
    current = list(visible.filter(Q(state__in=[*rows.LIVE, "paused"]) | just_over)[:SHOWN_JOBS])
    shown = current or list(visible[:1])
    blocks = [job_blocks.job_block(job, request.user) for job in shown]
    ended = sum(block["ended"] for block in blocks)
    url = url_of(request, corpus, "corpus:jobs")
    return {
        "blocks": blocks,
        "live": any(job.state in rows.LIVE for job in shown),
        "ended": ended,
        "poll_url": f"{url}{'&' if '?' in url else '?'}ended={ended}",
    }


def url_of(request: SignedInRequest, corpus: Corpus, name: str = "corpus:corpus") -> str:
    """A page of the corpus; the team stands in it where the reader needed it to get here."""
    team = request.GET.get("team")
    url = reverse(name, args=[corpus.slug])
    return f"{url}?{urlencode({'team': team})}" if team else url
