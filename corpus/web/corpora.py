"""The library: every corpus that the reader may read, their latest jobs, and making a corpus."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from accounts.web.formats import choices
from accounts.web.requests import SignedInRequest
from corpus.models import Corpus, IngestJob
from corpus.services import corpora
from corpus.web import jobs as job_blocks
from corpus.web import rows
from corpus.web.links import corpus_url
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import FluxError

READERS = [
    ("private", "Owners of the team, and whom they name"),
    ("team", "Everyone in the team"),
    ("site", "Everyone signed in"),  # offered to those who may
]


@login_required
@require_safe
def library(request: SignedInRequest) -> HttpResponse:
    """Every corpus that the reader may read, and the jobs of those they may fill."""
    return library_page(request, rows.corpora_of(request.user))


@login_required
@require_POST
def create(request: SignedInRequest) -> HttpResponse:
    """Make an empty corpus in a team of which the reader is curator or owner."""
    given = {name: request.POST.get(name, "").replace("\x00", "") for name in ("name", "team")}
    team = corpora.teams_of(request.user).filter(slug=given["team"]).first()
    if team is None:
        raise Http404
    visibility = request.POST.get("visibility", "private")
    try:
        made = corpora.create(
            given["name"].strip()[:150],
            team,
            visibility=visibility,
            by=request.user,
            origin=origin_of(request),
        )
    except FluxError as error:
        return library_page(request, rows.corpora_of(request.user), make_error=error.message)
    doubles = rows.ambiguous_slugs(rows.corpora_of(request.user))
    return HttpResponseRedirect(corpus_url(made, ambiguous=made.slug in doubles))


def library_page(
    request: SignedInRequest, readable: list[Corpus], make_error: str = ""
) -> HttpResponse:
    jobs = IngestJob.objects.visible_to(request.user).select_related("corpus", "corpus__team")
    context = {
        "nav": "library",
        "crumbs": [{"label": "Library"}],
        "corpora": rows.corpus_cards(readable, request.user),
        "jobs": job_blocks.job_rows(list(jobs[:10]), request.user),
        "make": _make(request, make_error),
    }
    return render(request, "corpus/library.html", context, status=422 if make_error else 200)


def _make(request: SignedInRequest, error: str) -> dict[str, Any]:
    """The form that makes a corpus; everybody may in the team that is theirs alone."""
    teams = [(team.slug, team.name) for team in corpora.teams_of(request.user)]
    readers = READERS if request.user.is_superuser else READERS[:-1]
    return {
        "teams": choices(teams, request.POST.get("team", "")),
        "visibilities": choices(readers, request.POST.get("visibility", "private")),
        "name": request.POST.get("name", ""),
        "error": error,
    }
