"""The library: corpora, the documents of one, uploads and their jobs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page as Shown
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.web.formats import Choice, choices, grouped
from accounts.web.requests import SignedInRequest, origin_of, wants_json
from corpus.models import Chunk, Corpus, Document, IngestJob
from corpus.services import control, fetching, live
from corpus.web import jobs as job_blocks
from corpus.web import received, rows
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url
from flux_site.kernel.errors import FluxError, InvalidInput

ROWS = 50
SHOWN_JOBS = 4
FETCHED = 200  # records of a live source, unless the form says another number
LATELY = timedelta(minutes=15)
MAX_FILES = 100  # Django refuses a form with more (DATA_UPLOAD_MAX_NUMBER_FILES)
STATUSES = [
    ("", "Any status"),
    ("ready", "Ready"),
    ("empty", "No text"),
    ("retracted", "Retracted"),
]


@login_required
@require_safe
def library(request: SignedInRequest) -> HttpResponse:
    """Every corpus that the reader may read, and the jobs of those they may fill."""
    return _library_page(request, rows.corpora_of(request.user))


def _library_page(request: SignedInRequest, corpora: list[Corpus]) -> HttpResponse:
    jobs = IngestJob.objects.visible_to(request.user).select_related("corpus", "corpus__team")
    context = {
        "nav": "library",
        "crumbs": [{"label": "Library"}],
        "corpora": rows.corpus_cards(corpora, request.user),
        "jobs": job_blocks.job_rows(list(jobs[:10]), request.user),
    }
    return render(request, "corpus/library.html", context)


@login_required
@require_safe
def corpus(request: SignedInRequest, slug: str) -> HttpResponse:
    """One corpus: its documents and, for those who may fill it, upload and jobs."""
    named = _named(request, slug)
    if len(named) > 1:  # two teams use the name: the reader chooses
        return _library_page(request, named)
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
    return HttpResponseRedirect(_url_of(request, found) + "#jobs")


@login_required
@require_POST
def fetch(request: SignedInRequest, slug: str) -> HttpResponse:
    """Ask a live source for records: a job that fetches them."""
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    given = {name: request.POST.get(name, "").replace("\x00", "") for name in ("ids", "query")}
    try:
        limit = int(request.POST.get("limit") or FETCHED)
        wanted = fetching.request_for(**given, limit=limit)
        source = request.POST.get("source", "")
        live.accept(found, source, wanted, by=request.user, origin=origin_of(request))
    except ValueError:
        return corpus_page(request, found, fetch_error="The limit is a number of records.")
    except FluxError as error:
        return corpus_page(request, found, fetch_error=error.message)
    received.start_now()
    return HttpResponseRedirect(_url_of(request, found) + "#jobs")


@login_required
@require_GET
def jobs(request: SignedInRequest, slug: str) -> HttpResponse:
    """The block of jobs, which asks for itself again while one is live."""
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    return render(request, "partials/jobs.html", {"jobs": _jobs(request, found)})


@login_required
@require_POST
def job(request: SignedInRequest, job: str) -> HttpResponse:
    """Pause, resume, cancel a job, or try its failed items again."""
    visible = IngestJob.objects.visible_to(request.user).select_related("corpus__team")
    found = get_object_or_404(visible, public_id=job)
    control.act(found, request.POST.get("action", ""), by=request.user, origin=origin_of(request))
    received.start_now()
    return HttpResponseRedirect(_url_of(request, found.corpus) + "#jobs")


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
    request: SignedInRequest, corpus: Corpus, upload_error: str = "", fetch_error: str = ""
) -> HttpResponse:
    """The page of a corpus. A reader below curator gets neither the drop zone nor the jobs."""
    fills = rows.may_fill(request.user, corpus)
    corpora = rows.corpora_of(request.user)
    doubles = rows.ambiguous_slugs(corpora)
    filters = Filters(request, corpus)
    shown = Documents(filters.apply(_documents(request, corpus)), ROWS).get_page(
        request.GET.get("page")
    )
    context = {
        "nav": "library",
        "crumbs": [{"label": "Library", "url": reverse("corpus:library")}, {"label": corpus.name}],
        "corpus": _head(corpus, ambiguous=corpus.slug in doubles),
        "corpora": rows.corpus_cards(corpora, request.user, corpus),
        "upload": _upload(request, corpus, upload_error) if fills else None,
        "fetch": _fetch(request, corpus, fetch_error) if fills else None,
        "jobs": _jobs(request, corpus) if fills else None,
        "documents": _table(shown, filters),
        "filters": filters,
    }
    status = 422 if upload_error or fetch_error else 200
    return render(request, "corpus/corpus.html", context, status=status)


class Documents(Paginator):
    """Pages of documents. The count is asked once, and never for a page beyond the last."""

    @cached_property
    def count(self) -> int:
        """How many there are."""
        rows: QuerySet[Document] = self.object_list  # type: ignore[assignment]
        return rows.count()


class Filters:
    """What the reader asks to see of a corpus's documents."""

    def __init__(self, request: SignedInRequest, corpus: Corpus) -> None:
        self.corpus = corpus
        self.reader = request.user
        self.text = request.GET.get("text", "").replace("\x00", "").strip()[:200]
        self.source = request.GET.get("source", "").replace("\x00", "")[:30]
        self.status = request.GET.get("status", "")
        self.team = request.GET.get("team", "").replace("\x00", "")

    @property
    def on(self) -> bool:
        """Whether anything is left out."""
        return bool(self.text or self.source or self.status)

    @property
    def hidden(self) -> list[dict[str, str]]:
        """What the form must carry on."""
        return [{"name": "team", "value": self.team}] if self.team else []

    @cached_property
    def sources(self) -> list[Choice]:
        """Sources that this corpus has documents of."""
        found = Document.objects.visible_to(self.reader).filter(corpus=self.corpus)
        names = found.order_by("source").values_list("source", flat=True).distinct()
        return choices([(name, source_label(name)) for name in names], self.source)

    @property
    def statuses(self) -> list[Choice]:
        """States to choose from."""
        return choices(STATUSES, self.status)

    @property
    def query(self) -> str:
        """The rest of the query string for the pager."""
        kept = {"team": self.team, "text": self.text, "source": self.source, "status": self.status}
        text = urlencode({key: value for key, value in kept.items() if value})
        return f"{text}&" if text else ""

    def apply(self, documents: QuerySet[Document]) -> QuerySet[Document]:
        """The documents that fit."""
        if self.source:
            documents = documents.filter(source=self.source)
        if self.status == "retracted":
            documents = documents.filter(retracted=True)
        elif self.status in {"ready", "empty"}:
            passages = Chunk.objects.visible_to(self.reader).filter(corpus=self.corpus)
            with_text = passages.values("document")
            ready = Q(pk__in=with_text, retracted=False)
            documents = documents.filter(ready if self.status == "ready" else ~Q(pk__in=with_text))
        for word in self.text.split()[:8]:
            documents = documents.filter(_holds(word))
        return documents


def _holds(word: str) -> Q:
    """Documents whose title, authors or ids hold the word."""
    return (
        Q(title__icontains=word)
        | Q(external_id__icontains=word)
        | Q(authors__icontains=word)
        | Q(identifiers__icontains=word)
    )


def _documents(request: SignedInRequest, corpus: Corpus) -> QuerySet[Document]:
    return Document.objects.visible_to(request.user).filter(corpus=corpus).order_by("-id")


def _table(shown: Shown, filters: Filters) -> dict[str, Any]:
    return {
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
        "url": _url_of(request, corpus, "corpus:upload"),
        "max_bytes": settings.UPLOAD_MAX_BYTES,
        "max_mb": settings.UPLOAD_MAX_BYTES >> 20,
        "max_files": MAX_FILES,
        "kinds": received.kinds(),
        "accept": received.accepted_suffixes(),
        "error": error,
    }


def _fetch(request: SignedInRequest, corpus: Corpus, error: str) -> dict[str, Any]:
    """The form that asks a live source, as it was sent where something is wrong with it."""
    names = [(name, source_label(name)) for name in fetching.LIVE if name != "kegg"]
    if settings.KEGG_LICENSED:
        names.append(("kegg", source_label("kegg")))
    return {
        "url": _url_of(request, corpus, "corpus:fetch"),
        "sources": choices(names, request.POST.get("source", "pubmed")),
        "query": request.POST.get("query", ""),
        "ids": request.POST.get("ids", ""),
        "limit": request.POST.get("limit", FETCHED),
        "error": error,
    }


def _jobs(request: SignedInRequest, corpus: Corpus) -> dict[str, Any]:
    """Jobs under way and those just over; without any, the latest: what came of it can be read."""
    visible = IngestJob.objects.visible_to(request.user).filter(corpus=corpus)
    visible = visible.select_related("corpus__team", "user", "fetch")
    just_over = Q(finished_at__gt=timezone.now() - LATELY)
    current = list(visible.filter(Q(state__in=[*rows.LIVE, "paused"]) | just_over)[:SHOWN_JOBS])
    shown = current or list(visible[:1])
    return {
        "blocks": [job_blocks.job_block(job, request.user) for job in shown],
        "live": any(job.state in rows.LIVE for job in shown),
        "poll_url": _url_of(request, corpus, "corpus:jobs"),
    }


def _url_of(request: SignedInRequest, corpus: Corpus, name: str = "corpus:corpus") -> str:
    """A page of the corpus; the team stands in it where the reader needed it to get here."""
    team = request.GET.get("team")
    url = reverse(name, args=[corpus.slug])
    return f"{url}?{urlencode({'team': team})}" if team else url
