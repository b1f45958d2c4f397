"""How a corpus is read, set from its page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from accounts.web.requests import SignedInRequest
from corpus.services import tuning
from corpus.web import received, rows
from corpus.web.library import corpus_named, url_of
from flux_site.kernel.clients import origin_of


@login_required
@require_POST
def tune(request: SignedInRequest, slug: str) -> HttpResponse:
    """Cut passages otherwise, or find them by their statements too: jobs see to what is stored."""
    found = corpus_named(request, slug)
    if not rows.may_fill(request.user, found):
        raise Http404
    made = tuning.tune(
        found,
        chunker=request.POST.get("chunker") or None,
        statements="statements" in request.POST,
        by=request.user,
        origin=origin_of(request),
    )
    if made:
        received.start_now()
    return HttpResponseRedirect(url_of(request, found) + ("#jobs" if made else "#reading"))
