"""Deleting a document from its page: what would go, then the receipt."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.web.formats import counted, moment
from accounts.web.requests import SignedInRequest
from corpus.models import Deletion, Document
from corpus.services import deletion, receipts
from corpus.tasks import dispatch
from corpus.web import rows
from corpus.web.documents import visible_document
from corpus.web.links import corpus_url, document_url
from flux_site.kernel.clients import origin_of
from flux_site.kernel.errors import NotFound


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, document: UUID) -> HttpResponse:
    """Say what would go; on POST, delete and show the receipt."""
    found = visible_document(request, document)
    if not rows.may_fill(request.user, found.corpus):
        raise NotFound
    if request.method == "POST":
        return _delete(request, found)
    taken = receipts.consequences(found.corpus, Document.objects.filter(pk=found.pk))
    context = {
        "nav": "library",
        "crumbs": _crumbs(found, "Delete"),
        "title": found.title or found.external_id,
        "document_url": document_url(found.public_id),
        "takes": receipts.in_words(taken, without={"answers_marked"}),
        "answers": counted(taken.get("answers_marked", 0), *receipts.WORDS["answers_marked"]),
        "is_cited": bool(taken.get("answers_marked")),
        "quotes": receipts.of_quotes(found.corpus.team),
    }
    return render(request, "corpus/delete.html", context)


def _delete(request: SignedInRequest, document: Document) -> HttpResponse:
    row = deletion.request(
        document.corpus, [document.public_id], by=request.user, origin=origin_of(request)
    )
    transaction.on_commit(dispatch.delay)
    return HttpResponseRedirect(reverse("corpus:deletion", args=[row.public_id]))


@login_required
@require_safe
def receipt(request: SignedInRequest, deletion: UUID) -> HttpResponse:
    """The receipt, which asks for itself again until the deletion is done."""
    visible = Deletion.objects.visible_to(request.user)
    row = get_object_or_404(visible, public_id=deletion)
    context = {
        "nav": "library",
        "crumbs": [{"label": "Library", "url": reverse("corpus:library")}, {"label": "Deletion"}],
        "receipt": shown(row, request.user),
    }
    partial = request.headers.get("HX-Request") == "true"
    name = "partials/receipt.html" if partial else "corpus/deletion.html"
    return render(request, name, context)


def shown(row: Deletion, reader: User) -> dict[str, Any]:
    """A receipt as the template takes it."""
    result = receipts.receipt(row, reader)
    still = {kind: n for kind, n in result["left"].items() if n}
    done = row.state == "done"
    return {
        "url": reverse("corpus:deletion", args=[row.public_id]),
        "done": done,
        "clean": done and not still,
        "corpus": row.corpus_name,
        "what": "The whole corpus" if row.whole else counted(result["asked"], "document"),
        "line": f"Asked for {moment(row.created_at)}"
        + (f", done {moment(row.finished_at)}" if row.finished_at else ""),
        "removed": receipts.in_words(result, without={"answers_marked"}),
        "answers": result["answers_marked"],
        "quotes": receipts.of_quotes(row.team),
        "seen_answers": result["answers"],
        "answers_line": counted(result["answers_marked"], *receipts.WORDS["answers_marked"]),
        "left": receipts.in_words(still),
    }


def _crumbs(document: Document, last: str) -> list[dict[str, str]]:
    return [
        {"label": "Library", "url": reverse("corpus:library")},
        {"label": document.corpus.name, "url": corpus_url(document.corpus)},
        {
            "label": document.title or document.external_id,
            "url": document_url(document.public_id),
        },
        {"label": last},
    ]
