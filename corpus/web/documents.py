"""One document: its pages as pictures or text, its sections, passages, figures, tables, origin."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.web.requests import SignedInRequest
from corpus.models import Chunk, Document, Figure, Page, Section, Table
from corpus.services import works
from corpus.web import document_page, document_parts
from corpus.web.kinds import source_label
from corpus.web.links import corpus_url, document_url, identifiers, record_link, shown_id
from corpus.web.rows import ambiguous_slugs, corpora_of, may_fill

VIEWS = ("pages", "sections", "passages", "figures", "tables", "about")


@login_required
@require_safe
def document(request: SignedInRequest, document: UUID) -> HttpResponse:
    """A document, opened at its pages where it has any, otherwise at its text."""
    found = visible_document(request, document)
    counts = counts_of(found, request.user)
    view = request.GET.get("view", "")
    if view not in VIEWS:
        view = "pages" if counts["pages"] else "sections"
    if view == "pages":
        return _first_page(request, found)
    return show(request, found, counts, view, document_parts.context(request, found, view))


@login_required
@require_safe
def page(request: SignedInRequest, document: UUID, number: int) -> HttpResponse:
    """One page of a document, at its own address."""
    found = visible_document(request, document)
    pages = Page.objects.visible_to(request.user).filter(document=found)
    shown = pages.filter(number=number).first()
    if shown is None:
        raise Http404
    context = {"page": document_page.context(request, found, shown)}
    return show(request, found, counts_of(found, request.user), "pages", context)


def visible_document(request: SignedInRequest, public_id: UUID) -> Document:
    """The document, if the reader may read its corpus. Raises Http404."""
    visible = Document.objects.visible_to(request.user).select_related("corpus__team", "work")
    found: Document = get_object_or_404(visible, public_id=public_id)
    return found


def _first_page(request: SignedInRequest, document: Document) -> HttpResponse:
    """The page asked for by number, else the first."""
    asked = request.GET.get("page", "")
    numbers = document_page.page_numbers(document, request.user)
    if not numbers:
        raise Http404
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else numbers[0]
    nearest = min(numbers, key=lambda known: abs(known - number))
    return HttpResponseRedirect(document_url(document.public_id, page=nearest))


def counts_of(document: Document, reader: User) -> dict[str, int]:
    """How many parts of each kind there are."""
    kinds: dict[str, Any] = {
        "pages": Page.objects,
        "sections": Section.objects,
        "passages": Chunk.objects.filter(parent=None),
        "figures": Figure.objects.filter(parent=None),
        "tables": Table.objects,
    }
    return {
        name: rows.visible_to(reader).filter(document=document).count()
        for name, rows in kinds.items()
    }


def show(
    request: SignedInRequest,
    document: Document,
    counts: dict[str, int],
    view: str,
    context: dict[str, Any],
) -> HttpResponse:
    """The document page around one of its views."""
    doubles = ambiguous_slugs(corpora_of(request.user))
    home = corpus_url(document.corpus, ambiguous=document.corpus.slug in doubles)
    crumbs = [
        {"label": "Library", "url": reverse("corpus:library")},
        {"label": document.corpus.name, "url": home},
        {"label": document.title or document.external_id},
    ]
    frame = {
        "nav": "library",
        "crumbs": crumbs,
        "document": head(document),
        "delete_url": _delete_url(request, document),
        "relatives": relatives(document, request.user),
        "tabs": tabs(document, counts, view),
        "view": view,
    }
    return render(request, "corpus/document.html", frame | context)


def _delete_url(request: SignedInRequest, document: Document) -> str:
    """Where those who may fill the corpus delete the document."""
    if not may_fill(request.user, document.corpus):
        return ""
    return reverse("corpus:delete", args=[document.public_id])


def head(document: Document) -> dict[str, Any]:
    """Title, authors, ids, retraction."""
    url, label = record_link(document)
    return {
        "title": document.title or document.external_id,
        "byline": " · ".join(part for part in (authors(document), venue(document)) if part),
        "idents": identifiers(document),
        "source_url": url,
        "source_label": label,
        "note": document.note,
        "retraction": retraction(document),
        "cautions": cautions(document),
    }


def authors(document: Document) -> str:
    """Up to three names, then `et al.`."""
    names = list(document.authors or [])
    return ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")


def venue(document: Document) -> str:
    """Journal and year, or the source."""
    place = document.journal or source_label(document.source)
    return f"{place} {document.year}" if document.year else place


def retraction(document: Document) -> dict[str, str] | None:
    """What stands first on the page of a retracted document."""
    if not document.retracted:
        return None
    url, label = record_link(document)
    return {
        "title": "Retracted",
        "text": "This work was withdrawn. It is never the only support of an answer.",
        "url": url,
        "label": label,
    }


def cautions(document: Document) -> list[str]:
    """What else readers should know of how the paper stands."""
    found = []
    if document.concern:
        found.append("An expression of concern was published about this paper.")
    if document.corrected:
        found.append("A correction of this paper was published: read it beside the text here.")
    return found


def relatives(document: Document, reader: User) -> list[dict[str, Any]]:
    """Other records of the paper, and papers that belong to it, as the reader may see them."""
    same = works.same_work(document, reader)
    rows = [{"label": "Also here as", "documents": [_relative(d) for d in same]}]
    by_label: dict[str, list[dict[str, str]]] = {}
    for linked in works.links_of(document, reader):
        by_label.setdefault(linked.label, []).append(_relative(linked.document))
    rows += [{"label": label, "documents": found} for label, found in by_label.items()]
    return [row for row in rows if row["documents"]]


def _relative(document: Document) -> dict[str, str]:
    ident = shown_id(document).removeprefix("PMID ")
    return {
        "url": document_url(document.public_id),
        "name": f"{source_label(document.source)} {ident}",
        "title": document.title or document.external_id,
    }


def tabs(document: Document, counts: dict[str, int], view: str) -> list[dict[str, Any]]:
    """The parts of the document; those it never has are left out."""
    base = document_url(document.public_id)
    named = [
        ("pages", "Pages", counts["pages"]),
        ("sections", "Text", counts["sections"] or None),
        ("passages", "Passages", counts["passages"]),
        ("figures", "Figures", counts["figures"]),
        ("tables", "Tables", counts["tables"]),
        ("about", "Provenance", None),
    ]
    return [
        {"url": f"{base}?view={name}", "label": label, "count": count, "current": name == view}
        for name, label, count in named
        if count or name in {"sections", "passages", "about", view} or _may_have(document, name)
    ]


def _may_have(document: Document, name: str) -> bool:
    return name in {"figures", "tables"} and document.source in {"pdf", "jats"}
