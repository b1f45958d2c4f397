"""A table as a file: Markdown to paste, CSV to load."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from accounts.web.requests import SignedInRequest
from corpus.models import Table
from corpus.sources.tableforms import csv_of, markdown_file


@login_required
@require_safe
def markdown(request: SignedInRequest, document: UUID, table: UUID) -> HttpResponse:
    """Caption and table in GitHub Markdown, as text that a browser shows."""
    found = _visible(request, document, table)
    text = markdown_file(found.label, found.caption, found.rows, found.header_rows, found.spans)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@login_required
@require_safe
def as_csv(request: SignedInRequest, document: UUID, table: UUID) -> HttpResponse:
    """The cells as CSV, to be saved."""
    found = _visible(request, document, table)
    # Spreadsheets take a file without the mark at its beginning for one of their own old codes.
    text = "\ufeff" + csv_of(found.rows, found.spans)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    name = slugify(found.label) or f"table-{found.position + 1}"
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _visible(request: SignedInRequest, document: UUID, table: UUID) -> Table:
    """The table, if the reader may read its document. Raises Http404."""
    visible = Table.objects.visible_to(request.user).defer("cells")
    found: Table = get_object_or_404(visible, document__public_id=document, public_id=table)
    return found
