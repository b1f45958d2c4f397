"""What is watched, from the page of a corpus."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from accounts.web.requests import SignedInRequest
from corpus.models import Watched
from corpus.services import watching
from corpus.web import rows
from corpus.web.library import corpus_named, corpus_page, url_of
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import FluxError


@login_required
@require_POST
def add(request: SignedInRequest, slug: str) -> HttpResponse:
    """Have a folder watched."""
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    try:
        path = request.POST.get("path", "")
        watching.add(found, path, by=request.user, origin=origin_of(request))
    except FluxError as error:
        return corpus_page(request, found, watch_error=error.message)
    return HttpResponseRedirect(url_of(request, found) + "#inbox")


@login_required
@require_POST
def act(request: SignedInRequest, folder: UUID) -> HttpResponse:
    """Pause, resume or remove a watched folder or feed."""
    visible = Watched.objects.visible_to(request.user).select_related("corpus__team")
    found = get_object_or_404(visible, public_id=folder)
    watching.act(found, request.POST.get("action", ""), by=request.user, origin=origin_of(request))
    return HttpResponseRedirect(url_of(request, found.corpus) + "#inbox")
